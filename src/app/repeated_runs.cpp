#include "app/repeated_runs.h"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "identity/align_runs.h"
#include "identity/kept_traits.h"
#include "identity/plan_index.h"
#include "identity/unstable_sources.h"

namespace stagegate {
namespace {

// Indices of plans are made for the runs that are asked about only: most jobs are stable.
class Causes {
 public:
  explicit Causes(const RepeatedRuns& runs) : runs_(runs), plans_(runs.applications.size()) {}

  std::string of(const RepeatedStage& same) {
    std::vector<StageOfRun> stages;
    for (std::size_t run = 0; run < same.at.size(); ++run) {
      if (same.at[run]) {
        auto& plans = plans_[run];
        plans = plans ? std::move(plans) : std::make_unique<PlanIndex>(runs_.applications[run]);
        stages.push_back({&runs_.applications[run], plans.get(), runs_.stages[run][*same.at[run]].id});
      }
    }
    return unstable_source(stages);
  }

 private:
  const RepeatedRuns& runs_;
  std::vector<std::unique_ptr<PlanIndex>> plans_;
};

}  // namespace

RepeatedRuns hold_together(std::vector<RunEvidence> runs) {
  RepeatedRuns all;
  for (auto& run : runs) {
    all.applications.push_back(std::move(run.application));
    all.stages.push_back(std::move(run.stages));
    all.traits.push_back(kept_traits(std::move(run.traits)));
  }
  all.same = align_runs(all.traits);
  if (all.stages.size() > 1) {
    Causes causes(all);
    note_repeats(all.stages, all.same, [&](const RepeatedStage& same) { return causes.of(same); });
  }
  return all;
}

}  // namespace stagegate
