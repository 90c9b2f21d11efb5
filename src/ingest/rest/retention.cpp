#include "ingest/rest/retention.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/saturating.h"
#include "base/text.h"

namespace stagegate {
namespace {

constexpr std::int64_t kRetainedExecutions = 1000;  // unless told otherwise

using Ids = std::set<std::int64_t>;

// How many of 0, 1, 2, ... up to the largest of IDS are not among them: Spark numbers jobs and stages one after the other.
std::int64_t gaps(const Ids& ids) {
  const auto first = ids.lower_bound(0);
  return first == ids.end() ? 0 : *ids.rbegin() - static_cast<std::int64_t>(std::distance(first, ids.end())) + 1;
}

// Stages of jobs that the server knows.
std::int64_t forgotten_of_jobs(const RestFacts& facts, const std::map<std::int64_t, StageStatus>& known) {
  const auto newest = known.empty() ? -1 : known.rbegin()->first;
  std::int64_t count = 0;
  for (const auto& job : facts.jobs) {
    std::int64_t missing = 0;
    std::int64_t skipped = 0;
    for (const auto id : job.start.stage_ids) {
      const auto stage = known.find(id);
      skipped += stage != known.end() && stage->second == StageStatus::skipped ? 1 : 0;
      // A job that has begun since the stages were asked for has stages that are newer.
      missing += stage == known.end() && (facts.has_ended() || id <= newest) ? 1 : 0;
    }
    const auto skipped_and_forgotten = std::clamp<std::int64_t>(job.skipped_stages - skipped, 0, missing);
    count += missing - skipped_and_forgotten;
  }
  return count;
}

struct Lacking {
  std::int64_t jobs = 0;
  std::int64_t stages = 0;
};

Lacking lacking_jobs_and_stages(const RestFacts& facts) {
  std::map<std::int64_t, StageStatus> known;
  Ids stages;
  for (const auto& stage : facts.stages) {
    known.emplace(stage.info.id, stage.status);
    stages.insert(stage.info.id);
  }
  Ids jobs;
  Ids stages_of_jobs;
  for (const auto& job : facts.jobs) {
    jobs.insert(job.start.id);
    stages_of_jobs.insert(job.start.stage_ids.begin(), job.start.stage_ids.end());
  }
  const bool orphans = !std::includes(stages_of_jobs.begin(), stages_of_jobs.end(), stages.begin(), stages.end());
  stages.insert(stages_of_jobs.begin(), stages_of_jobs.end());
  const auto without_job = gaps(stages);
  // A job of nothing has no event before Spark 3.0, and leaves a gap that nothing is missing of.
  return {.jobs = orphans || without_job > 0 ? std::max<std::int64_t>(gaps(jobs), 1) : 0,
          .stages = saturating_add(without_job, forgotten_of_jobs(facts, known))};
}

// They are numbered through the life of a JVM, so that the first of an application may be any. Those that are kept are at least nine
// tenths of the limit.
std::int64_t lacking_executions(const RestFacts& facts) {
  const auto& properties = facts.environment.properties.spark_properties;
  std::int64_t limit = kRetainedExecutions;
  if (const auto set = properties.find("spark.sql.ui.retainedExecutions"); set != properties.end()) {
    std::from_chars(set->second.data(), set->second.data() + set->second.size(), limit);
  }
  Ids ids;
  for (const auto& execution : facts.executions) {
    ids.insert(execution.start.id);
  }
  const auto count = static_cast<std::int64_t>(ids.size());
  return limit > 0 && count > 0 && count >= limit - limit / 10 && *ids.begin() > 0 ? *ids.begin() : 0;
}

void note(std::vector<std::string>& what, std::int64_t count, std::string_view one, std::string_view many) {
  if (count > 0) {
    what.push_back(fmt::format("{} {}", count, count == 1 ? one : many));
  }
}

}  // namespace

std::optional<EvidenceProblem> forgotten(const RestFacts& facts, std::int64_t vanished) {
  const auto lacking = lacking_jobs_and_stages(facts);
  std::vector<std::string> what;
  note(what, lacking.jobs, "job", "jobs");
  note(what, saturating_add(lacking.stages, vanished), "stage", "stages");
  note(what, lacking_executions(facts), "SQL execution", "SQL executions");
  if (what.empty()) {
    return std::nullopt;
  }
  return EvidenceProblem{"retention",
                         fmt::format("the server lacks {} that there must have been: it keeps the newest only, or Spark dropped "
                                     "their events; what they did is missing",
                                     join(what, ", "))};
}

}  // namespace stagegate
