// The parts of one log, put together: their events, in order, make the application; what was wrong in them is its evidence.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ingest/application_builder.h"
#include "ingest/completeness.h"
#include "ingest/log_parts.h"
#include "ingest/part_reader.h"
#include "model/application.h"

namespace stagegate {

class LogAssembly {
 public:
  // In a log of several parts, places are given with the part's name.
  enum class Layout : std::uint8_t { single, parts };

  LogAssembly(Layout layout, TaskDepth depth, int threads = 1) : layout_(layout), threads_(threads), builder_(depth) {}

  // All events of a part, then its summary, then those of the next one.
  void add(Event& event) { builder_.add(event); }
  void end_part(std::string_view name, const PartSummary& summary);

  // PARTS are those that were added; their problems come first. IDLE: see LogState. NAME is the log's; the error says that there is no
  // event, and what there is instead.
  Result<Application> finish(LogParts parts, std::optional<std::chrono::milliseconds> idle, std::string_view name) &&;

 private:
  std::string place(std::string_view part, std::int64_t line) const;
  std::optional<EvidenceProblem> broken_lines() const;
  tl::unexpected<Error> no_event(std::string_view name) const;

  Layout layout_;
  int threads_;
  ApplicationBuilder builder_;
  LineCounts lines_;
  std::int64_t events_ = 0;
  std::int64_t broken_lines_ = 0;
  std::string first_broken_;  // its place
  std::vector<EvidenceProblem> cuts_;
  std::string begin_;  // of the first part without events
};

}  // namespace stagegate
