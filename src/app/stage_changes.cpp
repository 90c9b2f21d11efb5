#include "app/stage_changes.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <tuple>

#include <fmt/format.h>

#include "base/units.h"
#include "report/terminal.h"

namespace stagegate {
namespace {

// One number of a stage, then and now.
struct NumberChange {
  std::string_view name;
  Unit unit = Unit::bytes;
  Seen before;
  Seen now;

  // Totals are never negative.
  std::int64_t moved() const { return std::max(std::abs(now.most - before.most), std::abs(now.least - before.least)); }
};

enum class Rounding : std::uint8_t { rounded, exact };

std::string amount(std::int64_t value, Unit unit, Rounding rounding) {
  if (unit != Unit::bytes) {
    return format_count(value);
  }
  return rounding == Rounding::rounded ? format_bytes(value) : format_bytes_exact(value);
}

// "68 MiB", or "60 MiB to 68 MiB" of several runs.
std::string amount(const Seen& seen, Unit unit, Rounding rounding = Rounding::rounded) {
  const auto most = amount(seen.most, unit, rounding);
  return seen.varies() ? fmt::format("{} to {}", amount(seen.least, unit, rounding), most) : most;
}

std::string percent(const NumberChange& change) {
  if (change.before.most == 0) {
    return "new";
  }
  return fmt::format("{:+.3g} %",
                     100.0 * static_cast<double>(change.now.most - change.before.most) / static_cast<double>(change.before.most));
}

// Exact where the rounded ones look equal.
std::string line_of(const NumberChange& change) {
  auto before = amount(change.before, change.unit);
  auto now = amount(change.now, change.unit);
  if (before == now) {
    before = amount(change.before, change.unit, Rounding::exact);
    now = amount(change.now, change.unit, Rounding::exact);
  }
  return fmt::format("{}: {} -> {} ({})", change.name, before, now, percent(change));
}

std::vector<NumberChange> number_changes(const BaselineStage& before, const BaselineStage& now) {
  std::vector<NumberChange> changes;
  for (const auto& info : kMetrics) {
    const auto index = index_of(info.metric);
    if (before.totals[index] != now.totals[index]) {
      changes.push_back({.name = info.name,
                         .unit = info.unit,
                         .before = before.totals[index].value_or(Seen()),
                         .now = now.totals[index].value_or(Seen())});
    }
  }
  std::stable_sort(changes.begin(), changes.end(), [](const NumberChange& a, const NumberChange& b) {
    return std::tuple(a.unit, b.moved()) < std::tuple(b.unit, a.moved());
  });
  return changes;
}

StageChange changed(const BaselineStage& before, const BaselineStage& now) {
  StageChange change{.label = one_line(now.key.label), .lines = {}};
  for (const auto& number : number_changes(before, now)) {
    auto& moved = number.unit == Unit::bytes ? change.moved_bytes : change.moved_records;
    moved = std::max(moved, number.moved());
    change.lines.push_back(line_of(number));
  }
  if (before.tasks != now.tasks) {
    change.lines.push_back(fmt::format("tasks: {} -> {}", amount(before.tasks, Unit::records), amount(now.tasks, Unit::records)));
  }
  if (before.key.label != now.key.label) {
    change.lines.push_back("was called: " + one_line(before.key.label));
  }
  return change;
}

// A stage that is on one side alone, by its largest numbers.
StageChange alone(const BaselineStage& stage, std::string_view what) {
  BaselineStage nothing;
  nothing.key = stage.key;
  auto change = changed(nothing, stage);
  std::vector<std::string> amounts;
  for (const auto& number : number_changes(BaselineStage{}, stage)) {
    if (number.now.most > 0) {
      amounts.push_back(fmt::format("{} {}", number.name, amount(number.now, number.unit)));
    }
  }
  change.lines = {fmt::format("{}{}{}", what, amounts.empty() ? "" : ": ", fmt::join(amounts, ", "))};
  return change;
}

const BaselineStage* find_stage(const Baseline& baseline, const StageKey* key) {
  const auto found = std::find_if(baseline.stages.begin(), baseline.stages.end(),
                                  [&](const BaselineStage& stage) { return key != nullptr && stage.key.fingerprint == key->fingerprint; });
  return found == baseline.stages.end() ? nullptr : &*found;
}

}  // namespace

std::vector<StageChange> stage_changes(const Baseline& accepted, const Baseline& pending, const StageLinks& links) {
  std::vector<StageChange> changes;
  for (const auto& now : pending.stages) {
    const auto* const before = find_stage(accepted, links.before(now.key.fingerprint));
    changes.push_back(before == nullptr ? alone(now, "a new stage") : changed(*before, now));
  }
  for (const auto& before : accepted.stages) {
    if (links.now(before.key.fingerprint) == nullptr) {
      changes.push_back(alone(before, "not there any more"));
    }
  }
  std::erase_if(changes, [](const StageChange& change) { return change.lines.empty(); });
  std::stable_sort(changes.begin(), changes.end(), [](const StageChange& a, const StageChange& b) {
    return std::tie(a.moved_bytes, a.moved_records) > std::tie(b.moved_bytes, b.moved_records);
  });
  return changes;
}

}  // namespace stagegate
