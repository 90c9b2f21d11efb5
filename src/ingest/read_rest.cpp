#include "ingest/read_rest.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "ingest/rest/parse_rest.h"
#include "ingest/rest/rest_assembly.h"
#include "ingest/rest/rest_client.h"
#include "ingest/rest/rest_values.h"

namespace stagegate {
namespace {

constexpr int kGood = 200;
constexpr const char* kApplications = "/api/v1/applications";
// With the nodes of their plans, of which there may be hundreds.
constexpr std::int64_t kExecutionsAPage = 100;
// A thousand times as many as a server keeps; one that gives more has no end of them.
constexpr std::size_t kMostExecutions = 1'000'000;

struct AppName {
  std::string_view id;
  std::optional<std::string_view> attempt;
};

AppName app_name(std::string_view app) {
  const auto slash = app.find('/');
  return slash == std::string_view::npos ? AppName{app, std::nullopt} : AppName{app.substr(0, slash), app.substr(slash + 1)};
}

// A live UI has one attempt without a number, and answers for any.
Result<RestAttempt> attempt_named(const RestApplication& application, const AppName& app, const WebAnswer& answer) {
  const auto& attempts = application.attempts;
  const auto found = std::find_if(attempts.begin(), attempts.end(),
                                  [&](const RestAttempt& attempt) { return !app.attempt || !attempt.id || attempt.id == *app.attempt; });
  if (found == attempts.end()) {
    return fail(ErrorKind::evidence, fmt::format("{}: the application has no attempt '{}'", answer.url, *app.attempt));
  }
  return *found;
}

template <typename Parse>
auto ask_and_read(RestClient& client, const std::string& path, Parse parse) -> decltype(parse(std::string_view())) {
  STAGEGATE_TRY_ASSIGN(answer, client.ask_for(path));
  return read_answer(answer, parse);
}

// What may not be there: an empty value then.
template <typename Parse>
auto ask_and_read_if_there(RestClient& client, const std::string& path, Parse parse) -> decltype(parse(std::string_view())) {
  STAGEGATE_TRY_ASSIGN(answer, client.ask_if_there(path));
  return answer ? read_answer(*answer, parse) : decltype(parse(std::string_view()))();
}

// The environment is missing in logs that were cut, and then servers say 404 or 500, as their version is.
Result<RestEnvironment> read_environment(RestClient& client, const std::string& base) {
  STAGEGATE_TRY_ASSIGN(answer, client.ask(base + "/environment"));
  const bool missing = answer.status == 500 || (answer.status == 404 && !knows_no_application(answer));
  if (missing) {
    return RestEnvironment();
  }
  if (answer.status != kGood) {
    return tl::unexpected<Error>(refusal(answer));
  }
  return read_answer(answer, parse_rest_environment);
}

// None where the application has nothing of SQL, or the server is older than 3.1. Servers since 4.2 would give all at once, others 20.
Result<std::vector<RestExecution>> read_executions(RestClient& client, const std::string& base) {
  std::vector<RestExecution> executions;
  std::set<std::int64_t> ids;
  std::int64_t offset = 0;
  for (std::int64_t rows = kExecutionsAPage; rows == kExecutionsAPage && executions.size() < kMostExecutions; offset += rows) {
    const auto path = fmt::format("{}/sql?details=true&planDescription=false&offset={}&length={}", base, offset, kExecutionsAPage);
    STAGEGATE_TRY_ASSIGN(page, ask_and_read_if_there(client, path, parse_rest_executions));
    rows = static_cast<std::int64_t>(page.size());
    std::erase_if(page, [&](const RestExecution& execution) { return !ids.insert(execution.start.id).second; });
    if (page.empty()) {
      break;
    }
    executions.insert(executions.end(), std::make_move_iterator(page.begin()), std::make_move_iterator(page.end()));
  }
  return executions;
}

// Stages before jobs: Spark writes a job before its stages, so that a running application has no stage here without its job.
Status read_facts(RestClient& client, const std::string& base, RestFacts& facts) {
  STAGEGATE_TRY_ASSIGN(environment, read_environment(client, base));
  STAGEGATE_TRY_ASSIGN(stages, ask_and_read(client, base + "/stages?details=false", parse_rest_stages));
  STAGEGATE_TRY_ASSIGN(jobs, ask_and_read(client, base + "/jobs", parse_rest_jobs));
  STAGEGATE_TRY_ASSIGN(executors, ask_and_read(client, base + "/allexecutors", parse_rest_executors));
  STAGEGATE_TRY_ASSIGN(cached, ask_and_read_if_there(client, base + "/storage/rdd", parse_rest_rdds));
  STAGEGATE_TRY_ASSIGN(executions, read_executions(client, base));
  facts.environment = std::move(environment);
  facts.stages = std::move(stages);
  facts.jobs = std::move(jobs);
  facts.executors = std::move(executors);
  facts.cached = std::move(cached);
  facts.executions = std::move(executions);
  return {};
}

void add_attempts(const RestApplication& application, std::vector<ServedApplication>& all) {
  for (const auto& attempt : application.attempts) {
    all.push_back({.head = {.log = attempt.id ? application.id + "/" + *attempt.id : application.id,
                            .id = application.id,
                            .name = application.name,
                            .attempt = attempt.id,
                            .start_ms = attempt.start_ms},
                   .completed = attempt.completed});
  }
}

}  // namespace

Result<std::vector<ServedApplication>> list_rest_applications(const WebGet& get, const std::optional<std::string>& app) {
  RestClient client(get);
  std::vector<ServedApplication> all;
  if (!app) {
    STAGEGATE_TRY_ASSIGN(applications, ask_and_read(client, kApplications, parse_rest_applications));
    for (const auto& application : applications) {
      add_attempts(application, all);
    }
    return all;
  }
  STAGEGATE_TRY_ASSIGN(answer, client.ask(fmt::format("{}/{}", kApplications, path_part(*app))));
  if (knows_no_application(answer)) {
    return all;
  }
  if (answer.status != kGood) {
    return tl::unexpected<Error>(refusal(answer));
  }
  STAGEGATE_TRY_ASSIGN(application, read_answer(answer, parse_rest_application));
  add_attempts(application, all);
  return all;
}

Result<Application> read_rest_application(const WebGet& get, std::string_view app, const RestOptions& options) {
  RestClient client(get);
  const auto name = app_name(app);
  auto base = fmt::format("{}/{}", kApplications, path_part(name.id));
  RestFacts facts;
  STAGEGATE_TRY_ASSIGN(answer, client.ask_for(base));
  STAGEGATE_TRY_ASSIGN(application, read_answer(answer, parse_rest_application));
  STAGEGATE_TRY_ASSIGN(attempt, attempt_named(application, name, answer));
  if (!attempt.spark_version) {
    STAGEGATE_TRY_ASSIGN(version, ask_and_read_if_there(client, "/api/v1/version", parse_rest_version));
    attempt.spark_version = std::move(version);
  }
  if (attempt.id) {
    base += "/" + path_part(*attempt.id);
  }
  facts.application = std::move(application);
  facts.attempt = std::move(attempt);
  STAGEGATE_TRY(read_facts(client, base, facts));
  return RestAssembly(client, std::move(base), std::move(facts), options).build();
}

}  // namespace stagegate
