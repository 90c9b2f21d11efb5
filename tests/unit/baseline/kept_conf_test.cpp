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
      {"/home/me/repo", "{manifest_dir}"},
      {"/home/me/repo/lib/a.jar", "{manifest_dir}/lib/a.jar"},
      {"/home/me/repository/a.jar", ".../a.jar"},
      {"/home/me/repo/a.jar,/opt/lib/b.jar,c.jar", "{manifest_dir}/a.jar,.../b.jar,c.jar"},
      {"file:/home/me/repo/a.jar", "file:{manifest_dir}/a.jar"},
      {"file:///opt/x/", "file://.../x"},
      {"-Dlog=/home/me/log.xml -Xmx1g", "-Dlog=.../log.xml -Xmx1g"},
      {"/home/me/repo/a.jar:/opt/b.jar", "{manifest_dir}/a.jar:.../b.jar"},
      {"{run_dir}/out", "{run_dir}/out"},
      {"{manifest_dir}/lake", "{manifest_dir}/lake"},
      {"hdfs://nn:8020/wh", "hdfs://nn:8020/wh"},
      {"s3a://bucket/home/me/repo/x", "s3a://bucket/home/me/repo/x"},
      {"Europe/Berlin", "Europe/Berlin"},
      {"lib/a.jar", "lib/a.jar"},
  };
  for (const auto& [value, kept] : cases) {
    EXPECT_EQ(without_local_paths(value, "/home/me/repo"), kept) << value;
  }
}

TEST(KeptConf, KeepsWhatTheVariantAskedFor) {
  JobVariant job_variant;
  job_variant.manifest_dir = "/home/me/repo";
  job_variant.conf = {{"spark.sql.shuffle.partitions", {"200", "[defaults]"}},
                      {"spark.sql.warehouse.dir", {"{run_dir}/wh", "[jobs.revenue]"}},
                      {"spark.jars", {"/home/me/repo/a.jar", "[jobs.revenue]"}},
                      {"spark.hadoop.fs.s3a.secret.key", {"hunter2", "--conf"}}};
  EXPECT_EQ(kept_conf(job_variant), (std::map<std::string, std::string>{{"spark.sql.shuffle.partitions", "200"},
                                                                        {"spark.sql.warehouse.dir", "{run_dir}/wh"},
                                                                        {"spark.jars", "{manifest_dir}/a.jar"},
                                                                        {"spark.hadoop.fs.s3a.secret.key", "(redacted)"}}));
}

}  // namespace
}  // namespace stagegate
