// Logs in archives: which files are one log, and which of several logs is read. Archives of other implementations: archive_reader_test.cpp.
#include "ingest/archive_logs.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ingest/read_log.h"
#include "support/packing.h"
#include "unit/ingest/describe.h"
#include "unit/ingest/memory_source.h"
#include "unit/ingest/spark_lines.h"

namespace stagegate {
namespace {

// A whole application of one stage with two tasks.
std::string log_of(const std::string& id, const std::string& name = "test", std::int64_t start_ms = 100) {
  auto log = log_of_one_stage({.tasks = 2}, {{.index = 0}, {.index = 1, .shuffle_read = 77}});
  const auto start = application_start();
  return log.replace(log.find(start), start.size(),
                     R"({"Event":"SparkListenerApplicationStart","App Name":")" + name + R"(","App ID":")" + id + R"(","Timestamp":)" +
                         std::to_string(start_ms) + "}");
}

std::string first_half(const std::string& log) {
  return log.substr(0, log.find('\n', log.size() / 2) + 1);
}
std::string second_half(const std::string& log) {
  return log.substr(first_half(log).size());
}

Result<Application> read(const ArchiveFiles& files, const LogChoice& choice = {}) {
  return read_archived_log(std::make_unique<MemorySource>(tar_of(files)), "logs.tar", TaskDepth::all, choice);
}

LogChoice app(const std::string& name) {
  return {.app = name, .log = {}};
}

std::string alone(const std::string& log) {
  ReadOptions options;
  options.depth = TaskDepth::all;
  return describe(*read_log_file(std::make_unique<MemorySource>(log), "x", options));
}

// FILES read in this order and backwards.
void expect_log(const ArchiveFiles& files, const LogChoice& choice, const std::string& log) {
  auto order = files;
  for (int turn = 0; turn < 2; ++turn) {
    const auto application = read(order, choice);
    ASSERT_TRUE(application) << application.error().message;
    EXPECT_EQ(describe(*application), alone(log));
    std::reverse(order.begin(), order.end());
  }
}

std::vector<std::string> logs_in(const ArchiveFiles& files) {
  std::vector<std::string> names;
  const auto heads = list_archived_logs(std::make_unique<MemorySource>(tar_of(files)), "logs.tar");
  EXPECT_TRUE(heads);
  for (const auto& head : heads.value_or(std::vector<LogHead>())) {
    names.push_back(head.log + "=" + head.id.value_or("-"));
  }
  return names;
}

const std::string kOne = log_of("app-1", "one", 100);
const std::string kTwo = log_of("app-2", "two", 200);

TEST(ArchivedLogs, OneIsRead) {
  expect_log({{"app-1", kOne}}, {}, kOne);
  expect_log({{"logs/app-1.zstd", pack("zstd", kOne)}, {"logs/.app-1.crc", "crc"}, {"README", "read me\n"}, {"logs/empty", ""}}, {}, kOne);
}

TEST(ArchivedLogs, ARollingOneIsReadInTheOrderOfItsParts) {
  const ArchiveFiles files{{"l/appstatus_a", ""}, {"l/events_2_a", second_half(kOne)}, {"l/events_1_a", first_half(kOne)}};
  expect_log(files, {}, kOne);
  expect_log(files, app("app-1"), kOne);
  expect_log(files, app("latest"), kOne);
  expect_log(files, app("l"), kOne);
  expect_log(files, {.app = {}, .log = "l"}, kOne);
}

TEST(ArchivedLogs, OneOfSeveralIsReadByItsName) {
  const ArchiveFiles files{{"x/events_1_a", first_half(kOne)}, {"x/events_2_a", second_half(kOne)}, {"x/appstatus_a", ""},
                           {"y/events_1_b", first_half(kTwo)}, {"y/events_2_b", second_half(kTwo)}, {"y/appstatus_b", ""}};
  for (const auto* name : {"app-1", "one", "x"}) {
    expect_log(files, app(name), kOne);
  }
  for (const auto* name : {"app-2", "two", "y", "latest"}) {
    expect_log(files, app(name), kTwo);
  }
  expect_log(files, {.app = {}, .log = "x"}, kOne);
  EXPECT_EQ(logs_in(files), (std::vector<std::string>{"x=app-1", "y=app-2"}));
}

TEST(ArchivedLogs, SeveralAreAnErrorThatListsThemInTheOrderOfTheirNames) {
  const ArchiveFiles files{{"d/b", kTwo}, {"c/events_1_x", kOne}, {"d/a", kOne}, {"e.zstd", pack("zstd", kTwo)}};
  const auto result = read(files);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::usage);
  EXPECT_EQ(result.error().message,
            "the archive 'logs.tar' holds 4 applications; name one with --app (its id, its name, or latest), or show them all with "
            "--all-apps:\n"
            "  application  name  started               log\n"
            "  app-1        one   1970-01-01T00:00:00Z  c\n"
            "  app-1        one   1970-01-01T00:00:00Z  d/a\n"
            "  app-2        two   1970-01-01T00:00:00Z  d/b\n"
            "  app-2        two   1970-01-01T00:00:00Z  e.zstd");
  EXPECT_EQ(logs_in(files), (std::vector<std::string>{"c=app-1", "d/a=app-1", "d/b=app-2", "e.zstd=app-2"}));
  expect_log(files, app("d/a"), kOne);
}

TEST(ArchivedLogs, NoneIsAnError) {
  EXPECT_EQ(read({{"README", "read me\n"}}).error().message, "the archive 'logs.tar' holds no event log");
  EXPECT_EQ(read({{"README", "read me\n"}}).error().kind, ErrorKind::evidence);
  EXPECT_EQ(read_archived_log(std::make_unique<MemorySource>(zip_of({})), "logs.zip", TaskDepth::all, {}).error().message,
            "the archive 'logs.zip' holds no event log");
  EXPECT_TRUE(read({{"a", kOne}}, app("app-3")).error().message.starts_with("the archive 'logs.tar' holds no application 'app-3'"));
}

// Another application's log that lies in the folder of a rolling one is none of its parts.
TEST(ArchivedLogs, AFileBesideThePartsOfALogDoesNotMakeItEmpty) {
  expect_log({{"l/events_1_a", first_half(kOne)}, {"l/other", kTwo}, {"l/events_2_a", second_half(kOne)}, {"l/appstatus_a", ""}}, {}, kOne);
  expect_log({{"l/a", kTwo}, {"l/b", log_of("app-3")}, {"l/events_1_a", kOne}, {"l/appstatus_a", ""}}, {}, kOne);
}

// Whatever it says of its application: the first part says which it is.
TEST(ArchivedLogs, ALaterPartIsReadWithTheFirst) {
  const auto strange = application_start() + "\n" + second_half(kOne);
  const ArchiveFiles files{{"l/events_1_a", first_half(kOne)}, {"l/events_2_a", strange}, {"l/appstatus_a", ""}};
  expect_log(files, app("app-1"), first_half(kOne) + strange);
}

// Two applications in one file: whatever that means, it means the same as it does outside of the archive.
TEST(ArchivedLogs, AFileOfTwoApplicationsIsReadAsItIsOutside) {
  expect_log({{"both", kOne + kTwo}}, {}, kOne + kTwo);
}

TEST(ArchivedLogs, AFileThatDoesNotBeginLikeALogIsLeftOutBesideOneThatDoes) {
  expect_log({{"a", second_half(kTwo)}, {"b", kOne}}, {}, kOne);
  EXPECT_FALSE(read({{"a", second_half(kTwo)}})->evidence.complete());
}

TEST(ArchivedLogs, OneInProgressIsNotWhole) {
  const auto single = read({{"l/app-1.inprogress", kOne}});
  ASSERT_TRUE(single);
  ASSERT_EQ(single->evidence.problems.size(), 1U);
  EXPECT_EQ(single->evidence.problems[0].code, "log-in-progress");
  const auto rolling = read({{"l/events_1_a", kOne}, {"l/appstatus_a.inprogress", ""}});
  ASSERT_TRUE(rolling);
  ASSERT_EQ(rolling->evidence.problems.size(), 1U);
  EXPECT_EQ(rolling->evidence.problems[0].code, "log-in-progress");
}

TEST(ArchivedLogs, APartThatIsMissingIsTold) {
  const auto result = read({{"l/events_2_a", second_half(kOne)}, {"l/appstatus_a", ""}});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->evidence.problems[0].code, "part-missing");
}

// As in a folder, where names alone say what is a mark and what a part.
TEST(ArchivedLogs, FilesThatCannotBeReadAreMarksAndPartsByTheirNames) {
  const auto zip = zip_of({{"a", "read me"}});
  const auto marked = read({{"l/events_1_a", kOne}, {"l/appstatus_a.inprogress", zip}});
  ASSERT_TRUE(marked);
  ASSERT_EQ(marked->evidence.problems.size(), 1U);
  EXPECT_EQ(marked->evidence.problems[0].code, "log-in-progress");
  for (const auto& files : {ArchiveFiles{{"l/events_1_a", kOne}, {"l/events_2_a", zip}, {"l/appstatus_a", ""}},
                            ArchiveFiles{{"l/events_2_a", zip}, {"l/events_1_a", kOne}, {"l/appstatus_a", ""}}}) {
    const auto with_part = read(files);
    ASSERT_FALSE(with_part);
    EXPECT_NE(with_part.error().message.find("events_2_a"), std::string::npos) << with_part.error().message;
  }
  expect_log({{"a", kOne}, {"docs.zip", zip}}, {}, kOne);
}

TEST(ArchivedLogs, AnArchiveThatIsCutIsNotWhole) {
  const auto archive = tar_of({{"a", kOne}, {"b", "read me\n"}});
  for (std::size_t size = 0; size < archive.size(); size += 37) {
    const auto result = read_archived_log(std::make_unique<MemorySource>(archive.substr(0, size)), "logs.tar", TaskDepth::all, {});
    if (!result) {
      EXPECT_EQ(result.error().kind, ErrorKind::evidence) << size;
    } else if (result->evidence.complete()) {
      EXPECT_EQ(describe(*result), alone(kOne)) << size;
    }
  }
  const auto half =
      read_archived_log(std::make_unique<MemorySource>(archive.substr(0, archive.find("read me"))), "logs.tar", TaskDepth::all, {});
  ASSERT_TRUE(half);
  EXPECT_EQ(half->evidence.problems[0].code, "stream-cut");
}

TEST(ArchivedLogs, ASourceThatFailsIsAnError) {
  const auto archive = tar_of({{"a", kOne}, {"b", kTwo}});
  for (const auto size : {std::size_t{600}, archive.size() / 2, archive.size() - 1100}) {
    const auto result = read_archived_log(std::make_unique<FailingSource>(archive.substr(0, size)), "logs.tar", TaskDepth::all, {});
    ASSERT_FALSE(result) << size;
    EXPECT_EQ(result.error().message, "the disk is on fire") << size;
  }
}

}  // namespace
}  // namespace stagegate
