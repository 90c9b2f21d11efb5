// Folders that are a log and no rolling one: Databricks', and those of Spark up to 1.2. Rolling ones: log_layout_test.cpp.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ingest/log_parts.h"
#include "unit/ingest/memory_source.h"

namespace stagegate {
namespace {

using Names = std::vector<std::string>;

TEST(DatabricksLog, ComesInTheOrderOfTimeWithTheOpenOneLast) {
  const auto parts = parts_of_log(entries_of({"eventlog", "eventlog-2026-11-30--08-00.gz", "eventlog-2026-11-29--23-00.gz",
                                              "eventlog-2026-11-30--07-00.gz", ".eventlog.crc", "README"}));
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->names,
            (Names{"eventlog-2026-11-29--23-00.gz", "eventlog-2026-11-30--07-00.gz", "eventlog-2026-11-30--08-00.gz", "eventlog"}));
  EXPECT_TRUE(parts->problems.empty());
  EXPECT_FALSE(parts->in_progress);
  EXPECT_FALSE(parts->parts_gone);
}

TEST(DatabricksLog, MayBeOneFileOfAnyPacking) {
  for (const auto* name : {"eventlog", "eventlog.gz", "eventlog.zstd", "eventlog-2026-11-30--08-00", "eventlog-2026-11-30--08-00.zst"}) {
    const auto parts = parts_of_log(entries_of({name}));
    ASSERT_TRUE(parts) << name;
    EXPECT_EQ(parts->names, Names{name});
  }
}

TEST(DatabricksLog, IsNotWhatOnlyBeginsLikeOne) {
  for (const auto* name : {"eventlog2", "eventlog-", "eventlog-2026-11-30", "eventlog-2026-11-30--08-0x.gz", "eventlogs", "eventlog_v2_a",
                           "eventlog-2026-11-30--08-00-more", "my-eventlog", "eventlog.a_b"}) {
    EXPECT_FALSE(parts_of_log(entries_of({name}))) << name;
  }
  const std::vector<FolderEntry> folder{{"eventlog", true}};
  EXPECT_FALSE(parts_of_log(folder));
}

TEST(OldLog, SaysItsVersionAndWhetherItIsOverByNames) {
  const auto over = parts_of_log(entries_of({"SPARK_VERSION_1.2.0", "EVENT_LOG_1", "APPLICATION_COMPLETE", "COMPRESSION_CODEC_lzf"}));
  ASSERT_TRUE(over);
  EXPECT_EQ(over->names, Names{"EVENT_LOG_1"});
  EXPECT_EQ(over->spark_version, "1.2.0");
  EXPECT_FALSE(over->in_progress);
  const auto open = parts_of_log(entries_of({"EVENT_LOG_1"}));
  ASSERT_TRUE(open);
  EXPECT_TRUE(open->in_progress);
  EXPECT_EQ(open->spark_version, std::nullopt);
}

TEST(OldLog, IsNotAFolderWithoutEvents) {
  EXPECT_FALSE(parts_of_log(entries_of({"SPARK_VERSION_1.2.0", "APPLICATION_COMPLETE"})));
  const std::vector<FolderEntry> folder{{"EVENT_LOG_1", true}, {"APPLICATION_COMPLETE", false}};
  EXPECT_FALSE(parts_of_log(folder));
}

TEST(LogFolder, WithOneRollingPartIsARollingLogWhateverElseThereIs) {
  const auto parts = parts_of_log(entries_of({"eventlog", "EVENT_LOG_1", "events_1_a", "appstatus_a"}));
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->names, Names{"events_1_a"});
}

TEST(LogFolder, WithNoneOfTheseIsNoLog) {
  EXPECT_FALSE(parts_of_log({}));
  EXPECT_FALSE(parts_of_log(entries_of({"local-1", "app-1.zstd", "README"})));
}

}  // namespace
}  // namespace stagegate
