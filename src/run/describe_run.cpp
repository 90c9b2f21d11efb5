#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units.h"
#include "run/output_excerpt.h"
#include "run/run_jobs.h"
#include "sys/file.h"
#include "sys/process.h"

namespace stagegate {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kTailBytes = 1U << 20U;

std::string took(const JobRun& run) {
  return run.duration_ms ? fmt::format(" after {}", format_duration(milliseconds(*run.duration_ms))) : "";
}

// As people write a time-out: "15 min", not "15 min 00 s".
std::string as_written(milliseconds duration) {
  struct Unit {
    std::int64_t ms;
    const char* name;
  };
  for (const auto& unit : std::array<Unit, 3>{{{3'600'000, "h"}, {60'000, "min"}, {1'000, "s"}}}) {
    if (duration.count() >= unit.ms && duration.count() % unit.ms == 0) {
      return fmt::format("{} {}", duration.count() / unit.ms, unit.name);
    }
  }
  return format_duration(duration);
}

std::string clean_tail(const std::string& path) {
  return clean_text(read_tail(path, kTailBytes).value_or(""));
}

std::string last_lines(std::string_view text, std::size_t max_lines) {
  auto lines = split(trim(text), '\n');
  if (lines.size() > max_lines) {
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(max_lines));
  }
  return join(lines, "\n");
}

}  // namespace

std::string describe_end(const JobRun& run, milliseconds timeout) {
  switch (run.end) {
    case RunEnd::exited:
      return fmt::format("exited with status {}{}", run.exit_status, took(run));
    case RunEnd::signalled:
      return fmt::format("was killed by signal {} ({}){}", run.signal, signal_name(run.signal), took(run));
    case RunEnd::timed_out:
      return fmt::format("did not end within {} and was stopped", as_written(timeout));
    case RunEnd::interrupted:
      return fmt::format("was stopped{} because stagegate was interrupted", took(run));
    case RunEnd::not_started:
      return run.problem.empty() ? "was not started" : fmt::format("was not started: {}", run.problem);
  }
  return "";
}

std::string describe_output(const JobRun& run, std::size_t max_lines) {
  if (run.run_dir.empty()) {
    return "";
  }
  const auto errors = clean_tail(run.run_dir + "/stderr.txt");
  const auto output = clean_tail(run.run_dir + "/stdout.txt");
  for (const auto& text : {errors, output}) {
    if (const auto lines = telling_lines(text, max_lines); !lines.empty()) {
      return join(lines, "\n");
    }
  }
  return last_lines(trim(errors).empty() ? output : errors, max_lines);
}

}  // namespace stagegate
