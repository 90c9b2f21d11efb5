#include "base/secret.h"

#include <gtest/gtest.h>

namespace stagegate {
namespace {

TEST(SecretNames, AreKnownAsInSpark) {
  for (const auto* const key : {"spark.hadoop.fs.s3a.secret.key", "spark.ssl.keyPassword", "spark.my.TOKEN", "fs.access.key",
                                "fs.accessKey", "my.credentials.file", "AWS_SECRET_ACCESS_KEY"}) {
    EXPECT_TRUE(is_secret_name(key)) << key;
  }
  for (const auto* const key : {"spark.sql.shuffle.partitions", "spark.ui.key", "spark.access"}) {
    EXPECT_FALSE(is_secret_name(key)) << key;
  }
}

}  // namespace
}  // namespace stagegate
