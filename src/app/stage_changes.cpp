#include "app/stage_changes.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "base/units.h"
#include "identity/identify.h"
#include "report/terminal.h"

namespace stagegate {
namespace {

// One number of a stage, then and now.
struct NumberChange {
  std::string_view name;
  Unit unit = Unit::bytes;
  std::int64_t before = 0;
  std::int64_t now = 0;

  // Totals are never negative.
  std::int64_t moved() const { return std::abs(now - before); }
};

std::string amount(std::int64_t value, Unit unit) {
  return unit == Unit::bytes ? format_bytes(value) : format_count(value);
}

std::string exact_amount(std::int64_t value, Unit unit) {
  return unit == Unit::bytes ? format_bytes_exact(value) : format_count(value);
}

std::string percent(const NumberChange& change) {
  if (change.before == 0) {
    return "new";
  }
  return fmt::format("{:+.3g} %", 100.0 * static_cast<double>(change.now - change.before) / static_cast<double>(change.before));
}

// Exact where the rounded ones look equal.
std::string line_of(const NumberChange& change) {
  auto before = amount(change.before, change.unit);
  auto now = amount(change.now, change.unit);
  if (before == now) {
    before = exact_amount(change.before, change.unit);
    now = exact_amount(change.now, change.unit);
  }
  return fmt::format("{}: {} -> {} ({})", change.name, before, now, percent(change));
}

std::vector<NumberChange> number_changes(const BaselineStage& before, const BaselineStage& now) {
  std::vector<NumberChange> changes;
  for (const auto& info : kMetrics) {
    const auto index = index_of(info.metric);
    if (before.totals[index] != now.totals[index]) {
      changes.push_back(
          {.name = info.name, .unit = info.unit, .before = before.totals[index].value_or(0), .now = now.totals[index].value_or(0)});
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
    change.lines.push_back(fmt::format("tasks: {} -> {}", format_count(before.tasks), format_count(now.tasks)));
  }
  if (before.key.label != now.key.label) {
    change.lines.push_back("was called: " + one_line(before.key.label));
  }
  if (change.lines.empty()) {
    change.lines.emplace_back("the same numbers, by work that is written otherwise");
  }
  return change;
}

// A stage that is on one side alone, by its largest numbers.
StageChange alone(const BaselineStage& stage, std::string_view what) {
  auto change = changed(BaselineStage{.key = stage.key, .tasks = stage.tasks, .totals = {}}, stage);
  std::vector<std::string> amounts;
  for (const auto& number : number_changes(BaselineStage{}, stage)) {
    if (number.now > 0) {
      amounts.push_back(fmt::format("{} {}", number.name, amount(number.now, number.unit)));
    }
  }
  change.lines = {fmt::format("{}{}{}", what, amounts.empty() ? "" : ": ", fmt::join(amounts, ", "))};
  return change;
}

std::vector<StageKey> keys_of(const std::vector<BaselineStage>& stages) {
  std::vector<StageKey> keys;
  keys.reserve(stages.size());
  for (const auto& stage : stages) {
    keys.push_back(stage.key);
  }
  return keys;
}

}  // namespace

std::vector<StageChange> stage_changes(const Baseline& accepted, const Baseline& pending) {
  std::vector<StageChange> changes;
  std::vector<bool> is_found(accepted.stages.size(), false);
  const auto matches = match_stages(keys_of(accepted.stages), keys_of(pending.stages));
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const auto& now = pending.stages[i];
    if (!matches[i]) {
      changes.push_back(alone(now, "a new stage"));
      continue;
    }
    is_found[*matches[i]] = true;
    if (const auto& before = accepted.stages[*matches[i]]; before != now) {
      changes.push_back(changed(before, now));
    }
  }
  for (std::size_t i = 0; i < is_found.size(); ++i) {
    if (!is_found[i]) {
      changes.push_back(alone(accepted.stages[i], "not there any more"));
    }
  }
  std::stable_sort(changes.begin(), changes.end(), [](const StageChange& a, const StageChange& b) {
    return std::tie(a.moved_bytes, a.moved_records) > std::tie(b.moved_bytes, b.moved_records);
  });
  return changes;
}

}  // namespace stagegate
