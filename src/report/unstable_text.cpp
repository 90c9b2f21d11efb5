#include "report/unstable_text.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units.h"
#include "report/terminal.h"

namespace stagegate {
namespace {

// "shuffle_write_records" -> "shuffle write records"
std::string words_of(std::string_view name) {
  std::string words(name);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

// Exact where the rounded numbers look equal.
std::string range_text(const Seen& seen, Unit unit) {
  if (unit != Unit::bytes) {
    return fmt::format("{} to {}", format_count(seen.least), format_count(seen.most));
  }
  const auto least = format_bytes(seen.least);
  const auto most = format_bytes(seen.most);
  return least == most ? fmt::format("{} to {}", format_bytes_exact(seen.least), format_bytes_exact(seen.most))
                       : fmt::format("{} to {}", least, most);
}

std::string differences_text(const StageRepeats& repeats) {
  std::vector<std::string> parts;
  if (repeats.present < repeats.runs) {
    parts.push_back(fmt::format("only in {} of {} runs", repeats.present, repeats.runs));
  }
  if (repeats.tasks.varies()) {
    parts.push_back("tasks " + range_text(repeats.tasks, Unit::records));
  }
  for (const auto& info : kMetrics) {
    if (const auto& total = repeats.totals[index_of(info.metric)]; total && total->varies()) {
      parts.push_back(fmt::format("{} {}", words_of(info.name), range_text(*total, info.unit)));
    }
  }
  return join(parts, "; ");
}

}  // namespace

std::vector<std::string> unstable_lines(const VariantResult& result) {
  std::vector<std::string> lines;
  for (const auto& stage : result.unstable) {
    const auto label = one_line(stage.stage_label);
    const auto place = stage.stage_id < 0 ? label : fmt::format("stage {}: {}", stage.stage_id, label);
    lines.push_back(fmt::format("{}: {}", place, differences_text(stage.repeats)));
    if (!stage.repeats.reason.empty()) {
      lines.push_back("  " + one_line(stage.repeats.reason));
    }
  }
  return lines;
}

}  // namespace stagegate
