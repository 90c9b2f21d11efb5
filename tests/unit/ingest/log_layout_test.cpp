// Where the parts of a log are, and which of them are missing.
#include "ingest/log_parts.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ingest/read_log.h"
#include "unit/ingest/memory_source.h"
#include "unit/ingest/spark_lines.h"

namespace stagegate {
namespace {

using Names = std::vector<std::string>;

Names codes(const LogParts& parts) {
  Names all;
  for (const auto& problem : parts.problems) {
    all.push_back(problem.code);
  }
  return all;
}

TEST(LogParts, AreOrderedByNumberAndNotByText) {
  const auto parts =
      order_parts(entries_of({"events_10_a", "events_2_a", "events_1_a.zstd", "events_3_a", "events_4_a", "events_5_a", "events_6_a",
                              "events_7_a", "events_8_a", "events_9_a", "appstatus_a", ".events_1_a.zstd.crc", ".appstatus_a.crc"}));
  EXPECT_EQ(parts.names, (Names{"events_1_a.zstd", "events_2_a", "events_3_a", "events_4_a", "events_5_a", "events_6_a", "events_7_a",
                                "events_8_a", "events_9_a", "events_10_a"}));
  EXPECT_TRUE(parts.problems.empty());
  EXPECT_FALSE(parts.in_progress);
}

TEST(LogParts, AreInProgressUntilTheirStatusSaysOtherwise) {
  EXPECT_TRUE(order_parts(entries_of({"events_1_a", "appstatus_a.inprogress"})).in_progress);
  EXPECT_FALSE(order_parts(entries_of({"events_1_a", "appstatus_a"})).in_progress);
  EXPECT_FALSE(order_parts(entries_of({"events_1_a", "appstatus_a", "appstatus_a.inprogress"})).in_progress);
}

TEST(LogParts, ThatAreMissingAreNamed) {
  const auto parts = order_parts(entries_of({"events_3_a", "events_7_a", "events_6_a"}));
  EXPECT_EQ(parts.names, (Names{"events_3_a", "events_6_a", "events_7_a"}));
  EXPECT_TRUE(parts.parts_gone);
  ASSERT_EQ(codes(parts), Names{"part-missing"});
  EXPECT_EQ(parts.problems[0].message, "4 of the log's 7 parts are missing (number 1 to 2, 4 to 5): what happened then is unknown");
}

TEST(LogParts, ThatAreThereTwiceAreReadOnce) {
  const auto parts = order_parts(entries_of({"events_1_a.zstd", "events_1_a", "events_2_a"}));
  EXPECT_EQ(parts.names, (Names{"events_1_a", "events_2_a"}));
  EXPECT_EQ(codes(parts), Names{"part-doubled"});
}

TEST(LogParts, ACompactedOneTakesThePlaceOfThoseBefore) {
  const auto parts = order_parts(entries_of({"events_4_a", "events_3_a.compact", "events_1_a.compact", "events_2_a", "appstatus_a"}));
  EXPECT_EQ(parts.names, (Names{"events_3_a.compact", "events_4_a"}));
  EXPECT_EQ(codes(parts), Names{"compacted"});
}

TEST(LogParts, ACompactedOneIsNotNeededWhileTheOriginalsAreThere) {
  const auto parts = order_parts(entries_of({"events_1_a", "events_2_a", "events_2_a.compact", "events_3_a"}));
  EXPECT_EQ(parts.names, (Names{"events_1_a", "events_2_a", "events_3_a"}));
  EXPECT_TRUE(parts.problems.empty());
}

TEST(LogParts, BehindACompactedOneMayBeMissingToo) {
  EXPECT_EQ(codes(order_parts(entries_of({"events_2_a.compact", "events_4_a"}))), (Names{"compacted", "part-missing"}));
}

TEST(LogParts, OtherNamesAreNone) {
  const auto parts = order_parts(entries_of({"events_1_a", "events_x_a", "events_0_a", "events_2", "events_-3_a", "README"}));
  EXPECT_EQ(parts.names, Names{"events_1_a"});
}

const std::string& whole() {
  static const auto log = log_of_one_stage({.tasks = 1}, {{.index = 0}});
  return log;
}

std::string first_half() {
  return whole().substr(0, whole().find('\n', whole().size() / 2) + 1);
}
std::string second_half() {
  return whole().substr(first_half().size());
}

MemoryFiles rolling() {
  return {{"events_1_a", first_half()}, {"events_2_a", second_half()}, {"appstatus_a", ""}, {".appstatus_a.crc", "crc"}};
}

TEST(LogFolder, ARollingOneIsReadAsOneLog) {
  const auto application = read_log_folder(MemoryFolder(rolling()), "eventlog_v2_a");
  ASSERT_TRUE(application);
  EXPECT_TRUE(application->evidence.complete());
  EXPECT_EQ(application->stages.size(), 1U);
}

TEST(LogFolder, ARollingOneInProgressIsNotWhole) {
  auto files = rolling();
  files.erase("appstatus_a");
  files["appstatus_a.inprogress"] = "";
  const auto application = read_log_folder(MemoryFolder(files), "eventlog_v2_a");
  ASSERT_TRUE(application);
  ASSERT_EQ(application->evidence.problems.size(), 1U);
  EXPECT_EQ(application->evidence.problems[0].code, "log-in-progress");
}

TEST(LogFolder, PlacesNameThePart) {
  auto files = rolling();
  files["events_2_a"] = "broken\n" + second_half();
  const auto application = read_log_folder(MemoryFolder(files), "eventlog_v2_a");
  ASSERT_TRUE(application);
  ASSERT_EQ(application->evidence.problems.size(), 1U);
  EXPECT_EQ(application->evidence.problems[0].message, "1 line is broken, the first is line 1 of events_2_a: what it said is missing");
}

TEST(LogFolder, WithOneFileIsThatLog) {
  const MemoryFolder folder(MemoryFiles{{"local-1", whole()}, {".local-1.crc", "crc"}});
  EXPECT_TRUE(read_log_folder(folder, "events")->evidence.complete());
}

TEST(LogFolder, WithOneRollingLogIsThatLog) {
  const MemoryFolder folder(MemoryFiles(), {{"eventlog_v2_a", rolling()}, {"something", {}}});
  EXPECT_TRUE(read_log_folder(folder, "events")->evidence.complete());
}

TEST(LogFolder, WithSeveralLogsIsAnErrorThatListsThem) {
  const MemoryFolder folder(MemoryFiles{{"local-1", whole()}, {"local-2", whole()}}, {{"eventlog_v2_a", rolling()}});
  const auto application = read_log_folder(folder, "events");
  ASSERT_FALSE(application);
  EXPECT_EQ(application.error().kind, ErrorKind::usage);
  EXPECT_EQ(
      application.error().message,
      "the folder 'events' holds 3 applications; name one with --app (its id, its name, or latest), or show them all with --all-apps:\n"
      "  application  name  started               log\n"
      "  local-1      test  1970-01-01T00:00:00Z  eventlog_v2_a\n"
      "  local-1      test  1970-01-01T00:00:00Z  local-1\n"
      "  local-1      test  1970-01-01T00:00:00Z  local-2");
}

TEST(LogFolder, WithoutALogIsAnError) {
  const auto application = read_log_folder(MemoryFolder(MemoryFiles()), "events");
  ASSERT_FALSE(application);
  EXPECT_EQ(application.error().message, "the folder 'events' holds no event log");
}

TEST(LogFolder, ARollingOneWithoutEventsIsAnError) {
  const MemoryFolder folder(MemoryFiles{{"appstatus_a.inprogress", ""}, {"events_1_a.zstd", ""}});
  const auto application = read_log_folder(folder, "eventlog_v2_a");
  ASSERT_FALSE(application);
  EXPECT_EQ(application.error().message, "'eventlog_v2_a' is empty: it holds no event of a Spark application");
}

}  // namespace
}  // namespace stagegate
