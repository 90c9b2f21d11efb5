// How long it takes to tell which stage of one log is which of another, beside reading the two, in this process with one thread:
//
//   match_speed BEFORE AFTER
//
// Twice: the runs as they are, and with AFTER changed, as a busy release changes a job: every 7th stage does something more, every 5th
// action has another name, every 50th stage is gone and as many are new. Prints one line of JSON; seconds are of processor time.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "identity/identify.h"
#include "identity/match_graphs.h"
#include "ingest/read_log.h"
#include "model/comparison.h"
#include "model/pool_attempts.h"
#include "sys/file.h"

#include <sys/resource.h>

namespace stagegate::bench {
namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

std::int64_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

template <typename Work>
auto timed(double& seconds, Work work) {
  const auto start = cpu_seconds();
  auto result = work();
  seconds += cpu_seconds() - start;
  return result;
}

struct Run {
  ComparedRun run;
  std::vector<StageTraits> traits;
};

struct Seconds {
  double read = 0;
  double identify = 0;
};

Application read(const char* path) {
  auto file = open_file(path);
  if (!file) {
    throw std::runtime_error(file.error().message);
  }
  auto application = read_log_file(std::move(*file), path);
  if (!application) {
    throw std::runtime_error(application.error().message);
  }
  return *std::move(application);
}

Run read_run(const char* path, Seconds& seconds) {
  const auto application = timed(seconds.read, [&] { return read(path); });
  Run result;
  result.traits = timed(seconds.identify, [&] {
    result.run.stages = pool_attempts(application);
    return identify(application, result.run.stages);
  });
  result.run.spark_version = application.spark_version.value_or("");
  result.run.cores = application.cores;
  return result;
}

constexpr std::size_t kMoreWork = 7;
constexpr std::int64_t kRenamed = 5;
constexpr std::size_t kReplaced = 50;

StageTraits changed(StageTraits stage, std::size_t number) {
  if (number % kMoreWork == 0) {
    stage.work.insert(stage.work.begin(), fmt::format("Filter (planted_{} > {})", number % 11, number % 13));
  }
  if (stage.action.value_or(1) % kRenamed == 0) {
    stage.purpose += " for the month";
  }
  if (number % kReplaced == 0) {
    stage.work = {fmt::format("Window [rank() OVER planted_{}]", number), "Sort [planted]", "to shuffle Exchange rangepartitioning"};
    stage.producers.clear();
  }
  return stage;
}

Run changed(Run run) {
  for (std::size_t i = 0; i < run.traits.size(); ++i) {
    run.traits[i] = changed(std::move(run.traits[i]), i);
  }
  return run;
}

std::string measure(const Run& before, const Run& after) {
  double match = 0;
  double compare = 0;
  const auto matches = timed(match, [&] { return match_graphs(before.traits, after.traits); });
  const auto comparison = timed(compare, [&] { return compare_runs(before.run, after.run, matches); });
  return fmt::format(R"({{"match_seconds":{:.4f},"compare_seconds":{:.4f},"matched":{},"rows":{}}})", match, compare, matches.size(),
                     comparison.rows.size());
}

void print(const char* before_path, const char* after_path) {
  Seconds seconds;
  const auto before = read_run(before_path, seconds);
  auto after = read_run(after_path, seconds);
  const auto peak = peak_bytes();
  const auto same = measure(before, after);
  const auto other = measure(before, changed(std::move(after)));
  fmt::print(R"({{"stages":{},"read_seconds":{:.4f},"identify_seconds":{:.4f},"peak_bytes_before_matching":{},"peak_bytes":{},)",
             before.traits.size(), seconds.read, seconds.identify, peak, peak_bytes());
  fmt::print(R"("same":{},"changed":{}}})", same, other);
  fmt::print("\n");
}

}  // namespace
}  // namespace stagegate::bench

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: match_speed BEFORE AFTER\n";
    return 2;
  }
  try {
    stagegate::bench::print(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::cerr << "match_speed: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
