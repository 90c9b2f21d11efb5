#include "baseline/kept_conf.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

TEST(KeptConf, LocalPathsLoseWhatTheMachineDecides) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"200", "200"},
      {"", ""},
      {"/", "/"},
      {"/work/repo", "{manifest_dir}"},
      {"/work/repo/lib/a.jar", "{manifest_dir}/lib/a.jar"},
      {"/work/repository/a.jar", ".../a.jar"},
      {"/work/repo/a.jar,/opt/lib/b.jar,c.jar", "{manifest_dir}/a.jar,.../b.jar,c.jar"},
      {"file:/work/repo/a.jar", "file:{manifest_dir}/a.jar"},
      {"file:///opt/x/", "file://.../x"},
      {"-Dlog=/home/me/log.xml -Xmx1g", "-Dlog=.../log.xml -Xmx1g"},
      {"/work/repo/a.jar:/opt/b.jar", "{manifest_dir}/a.jar:.../b.jar"},
      {"{run_dir}/out", "{run_dir}/out"},
      {"{manifest_dir}/lake", "{manifest_dir}/lake"},
      {"hdfs://nn:8020/wh", "hdfs://nn:8020/wh"},
      {"s3a://bucket/work/repo/x", "s3a://bucket/work/repo/x"},
      {"Europe/Berlin", "Europe/Berlin"},
      {"lib/a.jar", "lib/a.jar"},
  };
  for (const auto& [value, kept] : cases) {
    EXPECT_EQ(without_local_paths(value, "/work/repo"), kept) << value;
  }
}

TEST(KeptConf, SecretsAreKnownByTheirKeysAsInSpark) {
  for (const auto* const key : {"spark.hadoop.fs.s3a.secret.key", "spark.ssl.keyPassword", "spark.my.TOKEN", "fs.access.key",
                                "fs.accessKey", "my.credentials.file"}) {
    EXPECT_TRUE(is_secret(key)) << key;
  }
  for (const auto* const key : {"spark.sql.shuffle.partitions", "spark.ui.key", "spark.access"}) {
    EXPECT_FALSE(is_secret(key)) << key;
  }
}

TEST(KeptConf, KeepsWhatTheVariantAskedFor) {
  JobVariant job_variant;
  job_variant.manifest_dir = "/work/repo";
  job_variant.conf = {{"spark.sql.shuffle.partitions", {"200", "[defaults]"}},
                      {"spark.sql.warehouse.dir", {"{run_dir}/wh", "[jobs.revenue]"}},
                      {"spark.jars", {"/work/repo/a.jar", "[jobs.revenue]"}},
                      {"spark.hadoop.fs.s3a.secret.key", {"hunter2", "--conf"}}};
  EXPECT_EQ(kept_conf(job_variant), (std::map<std::string, std::string>{{"spark.sql.shuffle.partitions", "200"},
                                                                        {"spark.sql.warehouse.dir", "{run_dir}/wh"},
                                                                        {"spark.jars", "{manifest_dir}/a.jar"},
                                                                        {"spark.hadoop.fs.s3a.secret.key", "(redacted)"}}));
}

}  // namespace
}  // namespace stagegate
