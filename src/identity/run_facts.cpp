#include "identity/run_facts.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "identity/stable_text.h"
#include "identity/stage_work.h"

namespace stagegate {
namespace {

struct Action {
  std::string group;  // "" where it has none that an author named
  std::string text;   // "parquet at job.py"; "" where its call site says nothing
};

// Livy, Zeppelin, Databricks, Jupyter's kernels, Spark Connect and the Thrift server set a group of their own for each statement.
bool is_of_platform(std::string_view group) {
  constexpr std::array<std::string_view, 9> words{"zeppelin", "livy",     "sparkconnect", "databricks", "toree",
                                                  "jupyter",  "notebook", "statement",    "command-"};
  const auto lower = to_lower_ascii(group);
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

std::string authored_group(const Job& job) {
  const auto group = authored_text(job.group.value_or(""));
  return is_of_platform(group) ? std::string() : group;
}

// The jobs that do nothing but look at footers.
std::set<std::int64_t> schema_jobs(const Application& application) {
  std::set<std::int64_t> jobs;
  for (const auto& stage : application.stages) {
    if (reads_schema(stage)) {
      jobs.insert(stage.jobs.begin(), stage.jobs.end());
    }
  }
  return jobs;
}

std::int64_t root_of(const Application& application, std::int64_t id) {
  const auto found = std::ranges::lower_bound(application.executions, id, {}, &SqlExecution::id);
  return found == application.executions.end() || found->id != id ? id : found->root_id.value_or(id);
}

std::string call_site_of(std::string_view text) {
  const auto call_site = parse_call_site(trim(text));
  return call_site ? clean_text(to_string(*call_site)) : std::string();
}

// A group's own description stands in the place of an execution's call site; the name of a job's last stage still is one.
std::string text_of(const Application& application, const Job& job) {
  const auto root = job.sql_execution ? root_of(application, *job.sql_execution) : -1;
  const auto execution = std::ranges::lower_bound(application.executions, root, {}, &SqlExecution::id);
  if (job.sql_execution && execution != application.executions.end() && execution->id == root) {
    if (auto text = call_site_of(execution->description); !text.empty()) {
      return text;
    }
  }
  const auto last = job.stages.empty() ? -1 : job.stages.back();
  const auto stage = std::ranges::lower_bound(application.stages, last, {}, &StageAttempt::id);
  return stage == application.stages.end() || stage->id != last ? std::string() : call_site_of(stage->name);
}

// In the order of their first jobs. The jobs of a broadcast have a group of Spark's own: an action's group is the first that is none.
std::vector<Action> actions_of(const Application& application) {
  const auto schemas = schema_jobs(application);
  std::vector<Action> actions;
  std::map<std::int64_t, std::size_t> by_execution;
  for (const auto& job : application.jobs) {
    if (schemas.contains(job.id)) {
      continue;
    }
    auto at = actions.size();
    if (job.sql_execution) {
      at = by_execution.try_emplace(root_of(application, *job.sql_execution), at).first->second;
    }
    if (at == actions.size()) {
      actions.push_back({.group = {}, .text = text_of(application, job)});
    }
    if (actions[at].group.empty()) {
      actions[at].group = authored_group(job);
    }
  }
  return actions;
}

// Whether an action without a group comes behind one with one.
bool takes_groups_away(const std::vector<Action>& actions) {
  const auto first = std::find_if(actions.begin(), actions.end(), [](const Action& action) { return !action.group.empty(); });
  return std::any_of(first, actions.end(), [](const Action& action) { return action.group.empty(); });
}

std::optional<LeftGroup> left_group_of(const std::vector<Action>& actions) {
  if (actions.empty() || actions.back().group.empty() || takes_groups_away(actions)) {
    return std::nullopt;
  }
  std::map<std::string_view, std::int64_t> sizes;
  for (const auto& action : actions) {
    sizes[action.group] += action.group.empty() ? 0 : 1;
  }
  const auto& group = actions.back().group;
  const auto size = sizes.at(group);
  sizes.erase(group);
  sizes.erase("");
  const bool is_largest = std::all_of(sizes.begin(), sizes.end(), [&](const auto& other) { return other.second < size; });
  const auto first = actions.end() - size;
  const bool is_one_run = std::all_of(first, actions.end(), [&](const Action& action) { return action.group == group; });
  if (size < 2 || sizes.empty() || !is_largest || !is_one_run) {
    return std::nullopt;
  }
  return LeftGroup{.group = clean_text(group), .actions = size, .first_action = first->text, .last_action = actions.back().text};
}

}  // namespace

bool ended_well(const Application& application) {
  return application.end_ms && application.evidence.complete() &&
         std::none_of(application.jobs.begin(), application.jobs.end(), [](const Job& job) { return job.status != JobStatus::succeeded; });
}

RunFacts run_facts_of(const Application& application) {
  RunFacts facts;
  facts.ended = ended_well(application);
  if (facts.ended) {
    facts.left_group = left_group_of(actions_of(application));
  }
  return facts;
}

}  // namespace stagegate
