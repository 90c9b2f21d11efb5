// The runs of one variant, as they end, and what they come to together.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/run_evidence.h"
#include "model/job_variant.h"
#include "model/verdict.h"
#include "run/run_jobs.h"

namespace stagegate {

// A run that has ended: `judged` where it can be, else why it cannot.
struct EndedRun {
  JobRun run;
  EvidenceTrouble why{VariantState::judged, {}, {}};
  std::optional<RunEvidence> evidence;

  bool can_be_judged() const { return why.state == VariantState::judged; }
};

// Reads what RUN left, where it ended well.
EndedRun look_at_run(const JobVariant& job_variant, const JobRun& run);

class EndedRuns {
 public:
  explicit EndedRuns(const JobVariant& job_variant) : runs_(static_cast<std::size_t>(job_variant.runs)) {}

  // NUMBER is that of the run in its variant, from 1.
  void add(int number, EndedRun run);
  bool all_have_ended() const { return ended_ == runs_.size(); }

  // Fills what RESULT says of the runs: when, how long together, in which folder (the first one, or that of the run that decides), and
  // where one of them cannot be judged, why. Then it gives nothing, else what is to be judged.
  std::vector<RunEvidence> conclude(VariantResult& result);

 private:
  void note_times(VariantResult& result) const;
  std::size_t deciding_run() const;

  std::vector<EndedRun> runs_;
  std::size_t ended_ = 0;
};

}  // namespace stagegate
