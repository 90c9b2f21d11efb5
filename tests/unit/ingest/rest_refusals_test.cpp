// Servers that refuse, go away, or are none of Spark's: an error with one line for a person, and never a crash.
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ingest/read_rest.h"
#include "unit/ingest/rest_answers.h"

namespace stagegate {
namespace {

constexpr std::string_view kBase = "/api/v1/applications/app-1";

// The error where the answer to what is below the application is this one, without the address in front of it.
std::string error_with(std::string_view below, std::string body, int status = 200, std::string content_type = "application/json") {
  auto server = SmallApplication{}.server();
  const auto path = std::string(kBase) + std::string(below);
  server.answer(path, std::move(body), status, std::move(content_type));
  const auto application = read_rest_application(server.get(), "app-1");
  if (application) {
    return "(no error)";
  }
  EXPECT_EQ(application.error().kind, ErrorKind::evidence);
  EXPECT_EQ(application.error().message.find('\n'), std::string::npos);
  const auto place = "http://host:18080" + path + ": ";
  const auto& message = application.error().message;
  return message.starts_with(place) ? message.substr(place.size()) : message;
}

TEST(RestRefusals, SayWhatTheServerSaid) {
  EXPECT_EQ(error_with("", "unknown app: app-1", 404, "text/plain"), "the server does not know it (404): unknown app: app-1");
  EXPECT_EQ(error_with("/jobs", "no such app: app-1", 404, "text/plain"), "the server does not know it (404): no such app: app-1");
  EXPECT_EQ(error_with("/jobs", R"(user "u" is not authorized)", 403, "text/plain"),
            R"(the server refuses (403): user "u" is not authorized)");
  EXPECT_EQ(error_with("/jobs", "<html>HTTP ERROR 403</html>", 403, "text/html"),
            "the server refuses with an HTML page (403): something in front of Spark wants a user, a token or another header");
  EXPECT_EQ(error_with("/jobs", "<html>Unauthorized</html>", 401, "text/html"),
            "the server wants to know who asks (401: an HTML page): give it a user or a token");
  EXPECT_EQ(error_with("/jobs", "Event logs are not available for app: app-1.\nmore", 503, "text/plain"),
            "the server failed (503): Event logs are not available for app: app-1.");
  EXPECT_EQ(error_with("/jobs", "", 302, ""), "the server answers with status 302: nothing else");
  EXPECT_EQ(error_with("/jobs", "<!DOCTYPE html><html>", 404, ""),
            "there is nothing at this address (404, an HTML page): it is no address of Spark's REST API");
}

TEST(RestRefusals, KeepTheWordsOfAStrangerHarmless) {
  EXPECT_EQ(error_with("/jobs", "a\x1b[31mb\tc", 500, "text/plain"), "the server failed (500): ab c");
  EXPECT_LT(error_with("/jobs", std::string(100'000, 'x'), 500, "text/plain").size(), 300U);
}

TEST(RestRefusals, AnswersThatAreNoneOfSpark) {
  EXPECT_EQ(error_with("", "<html><title>Sign in</title></html>", 200, "text/html"),
            "the answer is an HTML page, not JSON: the address is none of Spark's REST API, or wants a login");
  EXPECT_EQ(error_with("/stages?details=false", "", 200), "the answer is empty: it is none of Spark's REST API");
  EXPECT_EQ(error_with("/stages?details=false", "[{", 200), "the answer is none of Spark's REST API: it is not JSON (incomplete JSON)");
  EXPECT_EQ(error_with("/jobs", "{}"),
            "the answer is none of Spark's REST API: it is not what Spark answers: there is an object where a list belongs");
  EXPECT_EQ(error_with("/jobs", "[3]"),
            "the answer is none of Spark's REST API: it is not what Spark answers: there is a number where an object belongs");
  EXPECT_EQ(error_with("", R"({"name":"a","attempts":[{}]})"),
            "the answer is none of Spark's REST API: it is not what Spark answers: its 'id' is missing");
  EXPECT_EQ(error_with("", R"({"id":"app-1","attempts":[]})"),
            "the answer is none of Spark's REST API: it is not what Spark answers: its 'attempts' are missing");
}

TEST(RestRefusals, SayWhichMemberIsWrong) {
  const auto wrong = [](std::string_view member) {
    const auto error = error_with("/jobs", fmt::format(R"([{{"stageIds":[0],"status":"SUCCEEDED",{}}}])", member));
    return error.substr(error.find("its "));
  };
  EXPECT_EQ(wrong(R"("name":"no id")"), "its 'jobId' is missing");
  EXPECT_EQ(wrong(R"("jobId":"1")"), "its 'jobId' is a text, not a whole number");
  EXPECT_EQ(wrong(R"("jobId":1.5)"), "its 'jobId' is a fraction, not a whole number");
  EXPECT_EQ(wrong(R"("jobId":9223372036854775808)"), "its 'jobId' is a number beyond 64 bits");
  EXPECT_EQ(wrong(R"("jobId":1e300)"), "its 'jobId' is a number beyond 64 bits");
  EXPECT_EQ(wrong(R"("jobId":"NaN")"), "its 'jobId' is a text, not a whole number");
  EXPECT_EQ(wrong(R"("jobId":1,"submissionTime":"yesterday")"), "its 'submissionTime' is 'yesterday', which is no time");
  EXPECT_EQ(wrong(R"("jobId":1,"jobGroup":[])"), "its 'jobGroup' is a list, not a text");
}

TEST(RestRefusals, NumbersThatAreNotUsedMayBeAnything) {
  EXPECT_EQ(error_with("/jobs", R"([{"jobId":0,"stageIds":[0],"status":"SUCCEEDED","numTasks":"NaN","extra":1e999,"more":null}])"),
            "(no error)");
}

TEST(RestRefusals, NullCountsAsAbsent) {
  EXPECT_EQ(error_with("/jobs", R"([{"jobId":0,"stageIds":[0],"status":"SUCCEEDED","jobGroup":null,"submissionTime":null}])"),
            "(no error)");
}

TEST(RestRefusals, JsonThatIsTooDeepIsNotRead) {
  const auto error = error_with("/jobs", std::string(1'000'000, '['));
  EXPECT_EQ(error, "the answer is none of Spark's REST API: it is not JSON (too deep)");
  EXPECT_EQ(error_with("/jobs", R"([{"jobId":0,"stageIds":[0],"more":)" + std::string(200, '[') + std::string(200, ']') + "}]"),
            "(no error)");
}

TEST(RestRefusals, AServerThatDoesNotAnswerSaysSoItself) {
  auto server = SmallApplication{}.server();
  server.goes_after(0);
  const auto application = read_rest_application(server.get(), "app-1");
  ASSERT_FALSE(application);
  EXPECT_EQ(application.error().message, "http://host:18080/api/v1/applications/app-1: connection refused");
}

TEST(RestRefusals, AServerThatGoesAwayMeanwhileEndedWithItsApplication) {
  auto server = SmallApplication{}.server();
  server.goes_after(4);
  const auto application = read_rest_application(server.get(), "app-1");
  ASSERT_FALSE(application);
  EXPECT_EQ(application.error().kind, ErrorKind::evidence);
  EXPECT_EQ(
      application.error().message,
      "http://host:18080/api/v1/applications/app-1/allexecutors: connection refused; the application ended or the server went away while "
      "it was read: read its event log instead");
}

TEST(RestRefusals, AListOfApplicationsIsRefusedAlike) {
  RecordedServer server;
  server.answer("/api/v1/applications", "<html></html>", 200, "text/html");
  const auto heads = list_rest_applications(server.get());
  ASSERT_FALSE(heads);
  EXPECT_EQ(
      heads.error().message,
      "http://host:18080/api/v1/applications: the answer is an HTML page, not JSON: the address is none of Spark's REST API, or wants a "
      "login");
}

TEST(RestRefusals, ANameIsNoWayOutOfItsPath) {
  auto server = SmallApplication{}.server();
  read_rest_application(server.get(), "app 1?x=\n").map([](const Application&) {});
  EXPECT_EQ(server.asked(), std::vector<std::string>{"/api/v1/applications/app%201%3Fx%3D%0A"});
}

TEST(RestRefusals, IdsBelowZeroAreSurvived) {
  auto small =
      SmallApplication{.stages = {{.id = -5, .attempt = -1, .rows = {{.id = -7, .index = 3}, {.id = -8, .index = 4, .attempt = -2}}}},
                       .jobs = {{.id = -3, .stages = "-5, -6"}},
                       .executions = {{.id = -9, .jobs = "-3, -4"}}};
  const auto application = read_small(small);
  EXPECT_EQ(application.stages.at(0).tasks.succeeded, 2);
  EXPECT_EQ(error_with("/stages/0/0/taskList?offset=0&length=1000", R"([{"taskId":1,"index":-1,"status":"SUCCESS"}])"),
            "the answer is none of Spark's REST API: it is not what Spark answers: its 'index' is missing, or is none of a partition");
}

TEST(RestRefusals, NumbersAtTheEndsOfTheirRangeAreSurvived) {
  const auto application = read_small({.stages = {{.tasks = 9'223'372'036'854'775'807,
                                                   .rows = {{.duration = 9'223'372'036'854'775'807, .bytes = 9'223'372'036'854'775'807}},
                                                   .succeeded = 9'223'372'036'854'775'807,
                                                   .failed = 9'223'372'036'854'775'807},
                                                  {.id = 2'147'483'647, .rows = {}}}});
  EXPECT_EQ(application.stages.size(), 2U);
  EXPECT_EQ(error_with("/stages?details=false", R"([{"stageId":2147483648,"attemptId":0}])"),
            "the answer is none of Spark's REST API: it is not what Spark answers: its 'stageId' is a number beyond 32 bits");
}

}  // namespace
}  // namespace stagegate
