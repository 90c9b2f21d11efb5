#include "ingest/web_signs.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

struct Case {
  int status;
  std::string url;
  std::string body;
  std::string words;  // that the sentence has; "": nothing is said
};

// The pages' words are those of the programs themselves: Spark's MasterPage, WorkerPage and UIUtils, YARN's web application, the S3 API.
TEST(WebSigns, TellWhatAServerIs) {
  const std::vector<Case> cases{
      {200, "http://m:8080/", "<!DOCTYPE html><html><head><title>Spark Master at spark://m:7077</title></head></html>",
       "a standalone Spark master's"},
      {200, "http://w:8081/", "<!DOCTYPE html><html>\n<title>Spark Worker at w:7078</title>", "a standalone Spark worker's"},
      {401, "http://h:18080/api/v1/applications", "Unauthorized", "who you are"},
      {407, "http://h/", "", "a proxy"},
      {403, "http://h:4040/api/v1/applications/app-1", "user \"ann\" is not authorized", "spark.ui.view.acls"},
      {403, "http://h:4040/", "<html><head><title>Error 403</title></head></html>", "forbids"},
      {200, "https://id.example/realms/auth/login?next=x", "<!doctype html><html>Welcome</html>", "a log-in page"},
      {200, "https://h/", "<html><form><input name=p type='password'></form></html>", "a log-in page"},
      {200, "https://h/loginsight/x", "<html>insight</html>", "not Spark's"},
      {404, "http://h:18080/", "<html><link href=\"/static/webui.css\"/></html>", "REST API does not answer"},
      {200, "https://adb-12.3.azuredatabricks.net/x", "", "a Databricks workspace"},
      {401, "https://adb-12.3.azuredatabricks.net/x", "", "who you are"},
      {404, "https://proxy/x", R"({"error_code":"ENDPOINT_NOT_FOUND","message":"No API found"})", "a Databricks workspace"},
      {200, "http://yarn:8088/cluster", "<!DOCTYPE html><html><title>All Applications</title></html>", "YARN's own page"},
      {200, "http://nn:9870/", "<!DOCTYPE html><html><title>Namenode information</title></html>", "NameNode"},
      {403, "https://k:6443/", R"({"kind":"Status","apiVersion":"v1","status":"Failure"})", "Kubernetes"},
      {200, "http://h:8888/tree", "<!DOCTYPE HTML><html><title>Jupyter Server</title></html>", "Jupyter"},
      {200, "https://s3.example/bucket", "<?xml version=\"1.0\"?>\n<ListBucketResult xmlns=\"x\">", "the listing of an object store"},
      {403, "https://s3.example/bucket", "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>", "an object store"},
      {200, "http://h/", "<html><body>It works!</body></html>", "a web page that is not Spark's"},
      {200, "http://h/", "{\"ok\":true}", "not with Spark's"},
      {500, "http://h/", "", ""},
      {404, "http://h/", "404 page not found", ""},
  };
  for (const auto& expected : cases) {
    const auto says = web_signs({.status = expected.status, .content_type = {}, .url = expected.url, .body = expected.body});
    if (expected.words.empty()) {
      EXPECT_EQ(says, "") << expected.url;
    } else {
      EXPECT_NE(says.find(expected.words), std::string::npos) << expected.url << " " << expected.body << ": " << says;
    }
    EXPECT_EQ(says.find('@'), std::string::npos) << says;
  }
}

TEST(WebSigns, LookAtTheBeginningOfALongAnswerOnly) {
  const auto says =
      web_signs({.status = 200, .content_type = {}, .url = "http://h/", .body = "<html>" + std::string(100'000, ' ') + "Spark Master at"});
  EXPECT_NE(says.find("not Spark's"), std::string::npos) << says;
}

}  // namespace
}  // namespace stagegate
