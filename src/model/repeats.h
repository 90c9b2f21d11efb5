// Several runs of one job variant, held against each other: what is not the same in each of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/finding.h"
#include "model/seen.h"
#include "model/stage.h"

namespace stagegate {

// One stage in all runs: its index among the stages of each; absent where a run did not have it.
struct RepeatedStage {
  std::vector<std::optional<std::size_t>> at;

  // Its index in the first run that has it, with the number of that run from 0.
  std::pair<std::size_t, std::size_t> first() const;
};

// Fills `repeats` of every stage of every run. Each of their stages is in one of SAME. REASON_OF says for an unstable one what in its plan
// is the cause.
void note_repeats(std::span<std::vector<Stage>> runs, std::span<const RepeatedStage> same,
                  const std::function<std::string(const RepeatedStage&)>& reason_of);

// Whether the runs differ in it: not all have it, or a number that a baseline keeps is another one.
bool is_unstable(const StageRepeats& repeats);

// What a result tells of an unstable stage.
struct UnstableStage {
  std::string stage_label;
  std::string stage_fingerprint;
  std::int32_t stage_id = -1;  // of the run that is shown; -1 where that run does not have the stage
  StageRepeats repeats;
};

// The unstable ones, in the order of SAME. Each is told as it is in the first run that has it.
std::vector<UnstableStage> unstable_stages(std::span<const std::vector<Stage>> runs, std::span<const RepeatedStage> same);

// The findings of all runs as those of one: each once, with the largest of its values, its message, and its stage as in the first run that
// has it. In the order of the first run's, then those that only later runs have.
std::vector<Finding> merge_findings(std::span<const std::vector<Finding>> findings, std::span<const std::vector<Stage>> runs,
                                    std::span<const RepeatedStage> same);

}  // namespace stagegate
