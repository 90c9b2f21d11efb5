#include "model/repeats.h"

#include <algorithm>
#include <map>
#include <memory>

#include "model/baseline.h"

namespace stagegate {
namespace {

void widen(std::optional<Seen>& seen, std::int64_t value) {
  seen = seen ? Seen(std::min(seen->least, value), std::max(seen->most, value)) : Seen(value);
}

StageRepeats repeats_of(std::span<const std::vector<Stage>> runs, const RepeatedStage& same) {
  StageRepeats repeats;
  repeats.runs = static_cast<std::int64_t>(runs.size());
  std::optional<Seen> tasks;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    if (!same.at[run]) {
      continue;
    }
    const auto& stage = runs[run][*same.at[run]];
    ++repeats.present;
    widen(tasks, stage.tasks);
    for (const auto& info : kMetrics) {
      const auto& distribution = stage.metrics[index_of(info.metric)];
      if (distribution && is_kept_in_baseline(info.metric)) {
        widen(repeats.totals[index_of(info.metric)], distribution->sum);
      }
    }
  }
  repeats.tasks = tasks.value_or(Seen());
  return repeats;
}

// By run and fingerprint; the fingerprint of a finding of the run as a whole is "".
using Rows = std::vector<std::map<std::string, std::size_t>>;

Rows rows_of(std::span<const std::vector<Stage>> runs, std::span<const RepeatedStage> same) {
  Rows rows(runs.size());
  for (std::size_t row = 0; row < same.size(); ++row) {
    for (std::size_t run = 0; run < runs.size(); ++run) {
      if (same[row].at[run]) {
        rows[run].emplace(runs[run][*same[row].at[run]].key.fingerprint, row);
      }
    }
  }
  return rows;
}

void add(Finding& merged, const Finding& finding) {
  ++merged.fired_runs;
  merged.least_thousandths = std::min(merged.least_thousandths, finding.value_thousandths);
  if (finding.value_thousandths > merged.value_thousandths) {
    merged.value_thousandths = finding.value_thousandths;
    merged.message = finding.message;
  }
}

Finding first_of(Finding finding, std::span<const std::vector<Stage>> runs, const RepeatedStage* row) {
  finding.runs = static_cast<std::int64_t>(runs.size());
  finding.fired_runs = 1;
  finding.least_thousandths = finding.value_thousandths;
  if (row != nullptr) {
    const auto [index, run] = row->first();
    const auto& stage = runs[run][index];
    finding.stage_label = stage.key.label;
    finding.stage_fingerprint = stage.key.fingerprint;
    finding.stage_id = run == 0 ? stage.id : -1;
  }
  return finding;
}

}  // namespace

std::pair<std::size_t, std::size_t> RepeatedStage::first() const {
  const auto found = std::find_if(at.begin(), at.end(), [](const auto& index) { return index.has_value(); });
  return {**found, static_cast<std::size_t>(found - at.begin())};
}

void note_repeats(std::span<std::vector<Stage>> runs, std::span<const RepeatedStage> same,
                  const std::function<std::string(const RepeatedStage&)>& reason_of) {
  for (const auto& row : same) {
    const auto repeats = std::make_shared<StageRepeats>(repeats_of(runs, row));
    if (is_unstable(*repeats)) {
      repeats->reason = reason_of(row);
    }
    for (std::size_t run = 0; run < runs.size(); ++run) {
      if (row.at[run]) {
        runs[run][*row.at[run]].repeats = repeats;
      }
    }
  }
}

bool is_unstable(const StageRepeats& repeats) {
  return repeats.present < repeats.runs || repeats.tasks.varies() ||
         std::any_of(repeats.totals.begin(), repeats.totals.end(), [](const auto& total) { return total && total->varies(); });
}

std::vector<UnstableStage> unstable_stages(std::span<const std::vector<Stage>> runs, std::span<const RepeatedStage> same) {
  std::vector<UnstableStage> unstable;
  for (const auto& row : same) {
    const auto [index, run] = row.first();
    const auto& stage = runs[run][index];
    if (stage.repeats && is_unstable(*stage.repeats)) {
      unstable.push_back({.stage_label = stage.key.label,
                          .stage_fingerprint = stage.key.fingerprint,
                          .stage_id = run == 0 ? stage.id : -1,
                          .repeats = *stage.repeats});
    }
  }
  return unstable;
}

std::vector<Finding> merge_findings(std::span<const std::vector<Finding>> findings, std::span<const std::vector<Stage>> runs,
                                    std::span<const RepeatedStage> same) {
  const auto rows = rows_of(runs, same);
  std::vector<Finding> merged;
  std::map<std::pair<std::string, std::size_t>, std::size_t> places;  // by rule and row; a run as a whole is behind the last row
  for (std::size_t run = 0; run < findings.size(); ++run) {
    for (const auto& finding : findings[run]) {
      const auto found = rows[run].find(finding.stage_fingerprint);
      const auto row = found == rows[run].end() ? same.size() : found->second;
      const auto [place, is_new] = places.try_emplace({finding.rule, row}, merged.size());
      if (is_new) {
        merged.push_back(first_of(finding, runs, row < same.size() ? &same[row] : nullptr));
      } else {
        add(merged[place->second], finding);
      }
    }
  }
  return merged;
}

}  // namespace stagegate
