// Answers of Spark's REST API about a small application, whole and in Spark's own form.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "ingest/read_rest.h"
#include "model/application.h"
#include "unit/ingest/recorded_server.h"

namespace stagegate {

// The beginning of 2026, when the application starts. All other times of a row are milliseconds after it.
inline constexpr std::int64_t kRestStart = 1'767'225'600'000;

// "2026-01-01T00:00:01.500GMT" of 1500; below an hour.
std::string rest_time(std::int64_t ms);

struct TaskRow {
  std::int64_t id = 0;
  std::int64_t index = 0;
  int attempt = 0;
  std::string partition = "-1";  // as servers before 3.3 leave it
  std::int64_t launched = 1000;
  std::int64_t duration = 100;
  std::string executor = "1";
  std::string host = "host-1";
  std::string status = "SUCCESS";
  bool speculative = false;
  std::string error = {};  // JSON text without its quotes
  std::int64_t bytes = 7;  // of each kind, but for shuffle read, which is local and remote
  std::string more = {};   // members, with a comma in front
};

struct StageRow {
  int id = 0;
  int attempt = 0;
  std::string status = "COMPLETE";
  std::int64_t tasks = 1;
  std::vector<TaskRow> rows = {TaskRow()};
  // What the server says, where it differs from what the rows are.
  std::optional<std::int64_t> succeeded = {};
  std::optional<std::int64_t> failed = {};
  std::int64_t submitted = 1000;
  std::int64_t completed = 2000;
  std::string rdds = "3, 9, 4";
  std::string more = {};
};

struct JobRow {
  std::int64_t id = 0;
  std::string status = "SUCCEEDED";
  std::string stages = "0";
  std::int64_t skipped = 0;
  std::int64_t submitted = 900;
  std::int64_t completed = 2100;
  std::string more = {};
};

struct ExecutorRow {
  std::string id = "1";
  std::string host_port = "host-1:38001";
  int cores = 4;
  std::int64_t added = 500;
  std::optional<std::int64_t> removed = {};
};

struct ExecutionRow {
  std::int64_t id = 0;
  std::string status = "COMPLETED";
  std::string jobs = "0";
  std::string more = {};
};

struct SmallApplication {
  std::vector<StageRow> stages = {StageRow()};
  std::vector<JobRow> jobs = {JobRow()};
  std::vector<ExecutorRow> executors = {ExecutorRow()};
  std::vector<ExecutionRow> executions = {};
  std::string properties = R"(["spark.master","spark://host:7077"])";
  std::string cached = "";  // rows of storage/rdd
  std::string version = "3.5.1";
  std::string attempt = "";  // its number
  bool running = false;

  // Knows the pages of PAGE_SIZE that a reader asks for.
  RecordedServer server(int page_size = 1000) const;
};

std::string task_list(const std::vector<TaskRow>& rows);

// Of one that is read without an error.
Application read_small(const SmallApplication& small, const RestOptions& options = {});

// The codes of what its evidence lacks.
std::vector<std::string> codes_of(const Application& application);

}  // namespace stagegate
