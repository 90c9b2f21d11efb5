#include "property/logs.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/packing.h"
#include "unit/ingest/codec_checks.h"
#include "unit/ingest/describe.h"
#include "unit/ingest/spark_lines.h"

namespace stagegate {
namespace {

constexpr int kStages = 4;
constexpr int kTasks = 70;

// Every task succeeds in the end.
void add_tasks(int stage, std::int64_t& next_id, std::vector<std::string>& events) {
  for (int index = 0; index < kTasks; ++index) {
    TaskLine task{.stage = stage, .index = index, .partition = index, .launch_ms = 1000 + index, .finish_ms = 1500 + index * 7};
    task.shuffle_read = stage > 0 ? 1000 * index : 0;
    task.input = stage == 0 ? std::optional<std::int64_t>(index * 31) : std::nullopt;
    if (index % 9 == 4) {
      auto failed = task;
      failed.reason = index % 2 == 0 ? "TaskKilled" : "FetchFailed";
      failed.id = next_id++;
      events.push_back(task_end(failed));
    }
    task.id = next_id++;
    events.push_back(task_end(task));
    if (index % 11 == 5) {
      auto lost = task;
      lost.reason = "Resubmitted";
      lost.has_metrics = false;
      events.push_back(task_end(lost));
      task.finish_ms += 100;
      task.id = next_id++;
      events.push_back(task_end(task));
    }
    if (index % 13 == 6) {
      task.speculative = true;
      task.id = next_id++;
      events.push_back(task_end(task));
    }
  }
}

std::string make_busy_log() {
  auto text = lines({log_start(), application_start(), environment(R"("spark.master":"local[4]")"), executor_added("driver", 4)});
  std::int64_t next_id = 0;
  for (int stage = 0; stage < kStages; ++stage) {
    const StageLine line{.id = stage, .tasks = kTasks, .submitted_ms = 500 + stage};
    std::vector<std::string> events{job_start(stage, {line}), stage_submitted(line)};
    add_tasks(stage, next_id, events);
    events.push_back(stage_completed(line));
    events.push_back(job_end(stage));
    for (const auto& event : events) {
      text += event + "\n";
    }
  }
  return text + lines({application_end()});
}

}  // namespace

const std::string& real_log() {
  static const auto log = test_data("logs/local-1795980980229");
  return log;
}

const std::string& busy_log() {
  static const auto log = make_busy_log();
  return log;
}

ReadOptions all_of(int threads) {
  ReadOptions options;
  options.depth = TaskDepth::all;
  options.threads = threads;
  return options;
}

Result<Application> read_bytes(const std::string& bytes, const ReadOptions& options, std::size_t step) {
  return read_log_file(std::make_unique<MemorySource>(bytes, step), "local-1", options);
}

std::string truth_of(const std::string& log) {
  const auto application = read_bytes(log);
  EXPECT_TRUE(application && application->evidence.complete());
  return describe(*application);
}

void expect_truth_or_incomplete(const Result<Application>& result, const std::string& truth, std::string_view what, std::size_t number) {
  if (!result) {
    ASSERT_EQ(result.error().kind, ErrorKind::evidence) << what << " " << number << ": " << result.error().message;
    return;
  }
  if (result->evidence.complete()) {
    ASSERT_EQ(describe(*result), truth) << what << " " << number;
  }
}

std::vector<std::string> cut_into(const std::string& log, std::size_t pieces) {
  std::vector<std::string> cut;
  std::size_t begin = 0;
  for (std::size_t piece = 1; piece <= pieces; ++piece) {
    const auto end = piece == pieces ? log.size() : log.find('\n', begin + (log.size() - begin) / (pieces - piece + 1)) + 1;
    cut.push_back(log.substr(begin, end - begin));
    begin = end;
  }
  return cut;
}

MemoryFiles rolling(const std::vector<std::string>& parts, std::string_view packing) {
  MemoryFiles files{{"appstatus_local-1", ""}};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    files[fmt::format("events_{}_local-1", i + 1)] = pack(packing, parts[i]);
  }
  return files;
}

}  // namespace stagegate
