// In which files a log lies changes nothing.
#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "property/logs.h"
#include "support/packing.h"
#include "unit/ingest/describe.h"

namespace stagegate {
namespace {

// As an archive has them, below a folder of their own.
ArchiveFiles below(std::string_view folder, const MemoryFiles& files) {
  ArchiveFiles entries;
  for (const auto& [name, content] : files) {
    entries.emplace_back(fmt::format("{}/{}", folder, name), content);
  }
  return entries;
}

MemoryFiles databricks(const std::vector<std::string>& parts) {
  MemoryFiles files;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    // Over a day's end, where an order by hour alone would be wrong.
    files[fmt::format("eventlog-2026-11-{}--{:02}-00.gz", i < 2 ? 29 : 30, i < 2 ? 22 + i : i - 2)] = pack("gzip", parts[i]);
  }
  files["eventlog"] = parts.back();
  return files;
}

MemoryFiles old_folder(const std::string& log) {
  return {{"EVENT_LOG_1", log}, {"SPARK_VERSION_4.1.1", ""}, {"APPLICATION_COMPLETE", ""}};
}

// Every layout of one log that is a folder, by name.
std::map<std::string, MemoryFiles> folders_of(const std::string& log) {
  const auto parts = cut_into(log, 5);
  return {{"eventlog_v2_local-1", rolling(parts)},
          {"eventlog_v2_zstd", rolling(parts, "zstd")},
          {"databricks", databricks(parts)},
          {"old", old_folder(log)},
          {"one-part", rolling({log})},
          {"old-zstd", old_folder(pack("zstd", log))}};
}

void expect_truth(const Result<Application>& result, const std::string& truth, std::string_view what) {
  ASSERT_TRUE(result) << what << ": " << result.error().message;
  ASSERT_EQ(describe(*result), truth) << what;
}

class EveryLayout : public testing::TestWithParam<std::string> {
 protected:
  const std::string& log_ = GetParam() == "real" ? real_log() : busy_log();
  std::string truth_ = truth_of(log_);
};

TEST_P(EveryLayout, OfAFolderIsTheSameLog) {
  for (const auto& [name, files] : folders_of(log_)) {
    for (const int threads : {1, 2}) {
      expect_truth(read_log_folder(MemoryFolder(files), name, all_of(threads)), truth_, name);
      expect_truth(read_log_folder(MemoryFolder({}, {{name, files}}), "logs", all_of(threads)), truth_, name);
    }
  }
}

TEST_P(EveryLayout, OfAFileIsTheSameLog) {
  for (const auto& packing : packings()) {
    expect_truth(read_bytes(packing.pack(log_)), truth_, packing.name);
    expect_truth(read_log_folder(MemoryFolder(MemoryFiles{{"local-1", packing.pack(log_)}}), "logs", all_of()), truth_, packing.name);
  }
}

// What a server or a person makes an archive with, and packs around it.
TEST_P(EveryLayout, OfAnArchiveIsTheSameLog) {
  auto layouts = folders_of(log_);
  std::map<std::string, ArchiveFiles> archives{{"single", {{"local-1", log_}}}, {"packed", {{"logs/local-1.zstd", pack("zstd", log_)}}}};
  for (const auto& [name, files] : layouts) {
    archives[name] = below("spark-events/" + name, files);
  }
  for (const auto& [name, files] : archives) {
    expect_truth(read_bytes(zip_of(files)), truth_, "zip of " + name);
    for (const auto& packing : packings()) {
      expect_truth(read_bytes(packing.pack(tar_of(files))), truth_, fmt::format("{} tar of {}", packing.name, name));
    }
    expect_truth(read_bytes(zip_of(files), all_of(), 1), truth_, "zip byte by byte of " + name);
    expect_truth(read_bytes(tar_of(files), all_of(), 1), truth_, "tar byte by byte of " + name);
  }
}

TEST_P(EveryLayout, OfAnArchiveIsTheSameLogInAnyOrder) {
  for (const auto& files : {below("log", rolling(cut_into(log_, 4), "zstd")), below("log", databricks(cut_into(log_, 4)))}) {
    auto order = files;
    std::sort(order.begin(), order.end());
    do {
      expect_truth(read_bytes(tar_of(order)), truth_, "tar");
      expect_truth(read_bytes(zip_of(order)), truth_, "zip");
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

INSTANTIATE_TEST_SUITE_P(Of, EveryLayout, testing::Values("real", "busy"), [](const auto& test) { return test.param; });

// Several logs in one place: the one that is named is read as if it lay alone.
class SeveralLogs : public testing::Test {
 protected:
  // The real one began in 2026, the other one in 1970.
  const std::string real_id_ = "local-1795980980229";
  std::map<std::string, std::string> truths_{{real_id_, truth_of(real_log())},
                                             {"local-1", truth_of(busy_log())},
                                             {"latest", truth_of(real_log())},
                                             {"test", truth_of(busy_log())}};

  ReadOptions choosing(const std::string& app) {
    auto options = all_of();
    options.choice.app = app;
    return options;
  }
};

TEST_F(SeveralLogs, InAFolderAreToldApart) {
  for (const auto& [real_name, real_files] : folders_of(real_log())) {
    for (const auto& [busy_name, busy_files] : folders_of(busy_log())) {
      const MemoryFolder folder(MemoryFiles{{"README", "not a log\n"}}, {{"a-" + real_name, real_files}, {"b-" + busy_name, busy_files}});
      for (const auto& [app, truth] : truths_) {
        expect_truth(read_log_folder(folder, "logs", choosing(app)), truth, app);
      }
      expect_truth(read_log_folder(folder, "logs", choosing("a-" + real_name)), truth_of(real_log()), real_name);
    }
  }
  const MemoryFolder files(MemoryFiles{{"a.zstd", pack("zstd", real_log())}, {"b", busy_log()}, {"c.txt", "not a log\n"}});
  for (const auto& [app, truth] : truths_) {
    expect_truth(read_log_folder(files, "logs", choosing(app)), truth, app);
  }
}

TEST_F(SeveralLogs, InAnArchiveAreToldApartInAnyOrder) {
  for (const auto& [real_name, real_files] : folders_of(real_log())) {
    for (const auto& [busy_name, busy_files] : folders_of(busy_log())) {
      auto files = below("logs/a-" + real_name, real_files);
      const auto more = below("logs/b-" + busy_name, busy_files);
      files.insert(files.end(), more.begin(), more.end());
      files.emplace_back("README", "not a log\n");
      for (int order = 0; order < 3; ++order) {
        for (const auto& [app, truth] : truths_) {
          expect_truth(read_bytes(order == 1 ? zip_of(files) : tar_of(files), choosing(app)), truth, app);
        }
        expect_truth(read_bytes(tar_of(files), choosing("logs/a-" + real_name)), truth_of(real_log()), real_name);
        EXPECT_EQ(read_bytes(tar_of(files)).error().kind, ErrorKind::usage);
        std::reverse(files.begin(), files.end());
      }
    }
  }
}

}  // namespace
}  // namespace stagegate
