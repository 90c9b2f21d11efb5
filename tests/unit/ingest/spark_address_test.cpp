#include "ingest/spark_address.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

struct Case {
  std::string address;
  std::string root;
  std::string app = {};
  std::string attempt = {};
};

TEST(SparkAddress, IsFoundInAnyPageThatTheBrowserShows) {
  const std::vector<Case> cases{
      // a live UI
      {"http://localhost:4040", "http://localhost:4040"},
      {"http://localhost:4040/", "http://localhost:4040"},
      {"HTTP://Driver.Example:4040/jobs/", "http://driver.example:4040"},
      {"http://localhost:4040/jobs/job/?id=3", "http://localhost:4040"},
      {"http://localhost:4040/stages/stage/?id=3&attempt=0", "http://localhost:4040"},
      {"http://localhost:4040/SQL/execution/?id=1", "http://localhost:4040"},
      {"http://localhost:4040/executors/#active", "http://localhost:4040"},
      {"http://localhost:4040/connect/", "http://localhost:4040"},
      {"http://[::1]:4040/stages/", "http://[::1]:4040"},
      // a history server
      {"http://history:18080/", "http://history:18080"},
      {"http://history:18080/?showIncomplete=true", "http://history:18080"},
      {"http://history:18080/history/app-20261129193842-0000/jobs/", "http://history:18080", "app-20261129193842-0000"},
      {"http://history:18080/history/application_1500_0001/1/stages/stage/?id=0&attempt=0", "http://history:18080", "application_1500_0001",
       "1"},
      {"http://history:18080/history/application_1500_0001/2", "http://history:18080", "application_1500_0001", "2"},
      {"https://gateway.example/gateway/default/sparkhistory/history/application_1500_0001/1/jobs",
       "https://gateway.example/gateway/default/sparkhistory", "application_1500_0001", "1"},
      // the REST API of both
      {"http://localhost:4040/api/v1", "http://localhost:4040"},
      {"http://localhost:4040/api/v1/applications", "http://localhost:4040"},
      {"http://history:18080/api/v1/applications/app-1", "http://history:18080", "app-1"},
      {"http://history:18080/api/v1/applications/app-1/2/stages?details=true", "http://history:18080", "app-1", "2"},
      {"http://history:18080/api/v1/applications/app-1/stages/3/0", "http://history:18080", "app-1"},
      // proxies: a standalone master's, YARN's
      {"http://master:8080/proxy/app-20261129193842-0000/jobs/", "http://master:8080/proxy/app-20261129193842-0000",
       "app-20261129193842-0000"},
      {"http://master:8080/proxy/app-1/api/v1/applications", "http://master:8080/proxy/app-1"},
      {"http://yarn:8088/proxy/application_1500_0001/", "http://yarn:8088/proxy/application_1500_0001", "application_1500_0001"},
      {"http://yarn:8088/cluster/app/application_1500_0001", "http://yarn:8088/proxy/application_1500_0001", "application_1500_0001"},
      // a prefix of somebody's own
      {"https://host/spark-ui/4040", "https://host/spark-ui/4040"},
      {"https://host/spark-ui/4040/jobs/", "https://host/spark-ui/4040"},
  };
  for (const auto& expected : cases) {
    const auto address = parse_spark_address(expected.address);
    ASSERT_TRUE(address) << expected.address << ": " << address.error().message;
    EXPECT_EQ(address->root, expected.root) << expected.address;
    EXPECT_EQ(address->app.value_or(""), expected.app) << expected.address;
    EXPECT_EQ(address->attempt.value_or(""), expected.attempt) << expected.address;
    EXPECT_FALSE(address->user) << expected.address;
  }
}

TEST(SparkAddress, KeepsUserAndPasswordApart) {
  const auto address = parse_spark_address("https://ann:p%40ss@host:18480/history/app-1/jobs/");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->root, "https://host:18480");
  EXPECT_EQ(address->user, "ann:p@ss");
}

TEST(SparkAddress, IsTakenForAPathWhereThereIsNoScheme) {
  for (const auto* path : {"spark-events/app-1", "/var/log/app-1", "-", "C:\\logs", "://x", "a b://c", "file:///tmp/spark-events/app-1"}) {
    EXPECT_FALSE(is_address(path)) << path;
  }
  for (const auto* address : {"http://host", "HTTPS://host/x", "spark://host:7077", "s3a://bucket/key"}) {
    EXPECT_TRUE(is_address(address)) << address;
  }
}

TEST(SparkAddress, SaysWhatToUseInsteadOfAnotherKind) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"spark://master:7077", "where jobs are submitted to"},
      {"sc://host:15002", "Spark Connect"},
      {"s3://bucket/logs", "copy the event log"},
      {"hdfs://nn/spark-history", "copy the event log"},
      {"http://", "no host"},
      {"http:///jobs", "no host"},
      {"http://:4040/", "no host"},
      {"http://host:99999/", "no port"},
      {"http://host:4o4o/", "no port"},
      {"http://host/a b", "blanks"},
      {"http://host/\x01", "blanks"},
      {"http://host/\n", "blanks"},
  };
  for (const auto& [address, words] : cases) {
    const auto result = parse_spark_address(address);
    ASSERT_FALSE(result) << address;
    EXPECT_EQ(result.error().kind, ErrorKind::usage) << address;
    EXPECT_NE(result.error().message.find(words), std::string::npos) << result.error().message;
  }
}

TEST(SparkAddress, TellsNoPasswordInItsErrors) {
  for (const auto* address :
       {"http://ann:secret@/x", "http://ann:secret@host:port/", "http://ann:secret@host/ x", "http://ann:secret/word@host"}) {
    const auto result = parse_spark_address(address);
    ASSERT_FALSE(result) << address;
    EXPECT_EQ(result.error().message.find("secret"), std::string::npos) << result.error().message;
  }
}

TEST(SparkAddress, EncodesWhatAnApplicationIsCalled) {
  EXPECT_EQ(rest_path_of("app-1", std::nullopt), "app-1");
  EXPECT_EQ(rest_path_of("app_1.x~", "2"), "app_1.x~/2");
  EXPECT_EQ(rest_path_of("a/b?c#d%", std::nullopt), "a%2Fb%3Fc%23d%25");
}

}  // namespace
}  // namespace stagegate
