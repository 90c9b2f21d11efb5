#include "identity/stage_work.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "identity/lineage.h"
#include "identity/normal_text.h"
#include "identity/operators.h"
#include "identity/stable_text.h"
#include "identity/stage_label.h"

namespace stagegate {
namespace {

// For whom a stage works: what the author wrote, else the method that was called.
struct Purpose {
  std::string authored;  // "write report"
  std::string action;    // "collect"
};

const SqlExecution* execution_of(const Application& application, const StageAttempt& stage) {
  if (!stage.sql_execution) {
    return nullptr;
  }
  const auto found = std::ranges::lower_bound(application.executions, *stage.sql_execution, {}, &SqlExecution::id);
  return found == application.executions.end() || found->id != *stage.sql_execution ? nullptr : &*found;
}

std::string authored_by(const SqlExecution* execution, const StageAttempt& stage) {
  if (execution != nullptr) {
    if (auto text = authored_text(execution->description); !text.empty()) {
      return text;
    }
  }
  if (auto text = authored_text(stage.description.value_or("")); !text.empty()) {
    return text;
  }
  return authored_text(stage.group.value_or(""));
}

// The name of a stage is not asked: under adaptive execution it is a thread's, and another one in each version.
Purpose purpose_of(const SqlExecution* execution, const StageAttempt& stage) {
  Purpose purpose{.authored = authored_by(execution, stage), .action = {}};
  if (const auto call_site = execution == nullptr ? std::nullopt : parse_call_site(trim(execution->description))) {
    purpose.action = call_site->method;
  }
  return purpose;
}

std::string line_of(const Purpose& purpose) {
  return purpose.authored.empty() ? "call " + purpose.action : "for " + purpose.authored;
}

std::string_view word_of(Sink sink) {
  switch (sink) {
    case Sink::result:
      return "result";
    case Sink::shuffle:
      return "shuffle";
    case Sink::sample:
      return "sample";
    case Sink::broadcast:
      return "broadcast";
    case Sink::subquery:
      return "subquery";
    case Sink::cache:
      return "cache";
  }
  return "result";
}

StageWork work_of_plan(const PlanPart& part, const Purpose& purpose) {
  auto text = line_of(purpose);
  for (const auto& node : part.nodes) {
    text += "\n" + normal_text(node.node());
  }
  text += "\nto " + std::string(word_of(part.sink));
  if (part.exchange) {
    text += " " + normal_text(part.exchange->node());
  }
  return {.text = std::move(text), .label = make_label(purpose.authored, steps_of(part, purpose.action))};
}

std::vector<const RddInfo*> rdds_by_id(const StageAttempt& stage) {
  std::vector<const RddInfo*> rdds;
  for (const auto& rdd : stage.rdds) {
    rdds.push_back(&rdd);
  }
  std::sort(rdds.begin(), rdds.end(), [](const RddInfo* a, const RddInfo* b) { return a->id < b->id; });
  return rdds;
}

// "WholeStageCodegen (3)" -> "WholeStageCodegen", "Scan parquet " -> "Scan parquet"
std::string scope_of(const RddInfo& rdd) {
  std::string_view scope = rdd.scope_name;
  if (const auto number = scope.rfind(" ("); number != std::string_view::npos && scope.ends_with(')')) {
    scope = scope.substr(0, number);
  }
  return normal_text(trim(scope));
}

// A file's RDD is called by its path, or by several: "/lake/a,/lake/b".
bool is_one_path(std::string_view name) {
  if (!begins_path(name)) {
    return false;
  }
  for (auto comma = name.find(','); comma != std::string_view::npos; comma = name.find(',', comma + 1)) {
    if (begins_path(name.substr(comma + 1))) {
      return false;
    }
  }
  return true;
}

// An execution's RDDs come from threads: their call sites are the JDK's in one version and the job's in another.
std::string rdd_line(const RddInfo& rdd, bool with_call_site) {
  const auto call_site = with_call_site ? parse_call_site(rdd.call_site) : std::nullopt;
  return (is_one_path(rdd.name) ? place_name(rdd.name) : normal_text(rdd.name)) + " | " + scope_of(rdd) +
         (call_site ? " | " + to_string(*call_site) : std::string());
}

// What a job's own code called to make the stage: "reduceByKey at sessions.py". A file scan names its folder first.
std::vector<Step> rdd_steps(const std::vector<const RddInfo*>& rdds, const std::string& call_site) {
  std::vector<Step> steps;
  const auto source = std::find_if(rdds.begin(), rdds.end(), [](const RddInfo* rdd) {
    const bool is_word_with_slash = rdd->name.find('/') != std::string::npos && rdd->name.find_first_of(" \n") == std::string::npos;
    return is_word_with_slash || is_one_path(rdd->name);
  });
  if (source != rdds.end()) {
    steps.push_back({.full = "scan " + place_name((*source)->name), .brief = "scan"});
  }
  if (!call_site.empty()) {
    steps.push_back({.full = call_site, .brief = call_site});
    return steps;
  }
  for (const auto* rdd : rdds) {
    if (const auto scope = scope_of(*rdd); !scope.empty() && (steps.empty() || steps.back().full != scope)) {
      steps.push_back({.full = scope, .brief = scope});
    }
  }
  return steps;
}

bool reads_schema(const std::vector<const RddInfo*>& rdds, const CallSite& call_site) {
  const bool is_reader =
      call_site.method == "parquet" || call_site.method == "orc" || call_site.method == "load" || call_site.method == "table";
  return is_reader && rdds.size() == 2 && rdds[0]->scope_name == "parallelize" && rdds[1]->scope_name == "mapPartitions";
}

StageWork work_of_schema(const CallSite& call_site, const Purpose& purpose) {
  const bool is_format = call_site.method == "parquet" || call_site.method == "orc";
  const auto text = is_format ? "read " + call_site.method + " schema" : std::string("read schema");
  return {.text = line_of(purpose) + "\n" + text, .label = make_label(purpose.authored, {{.full = text, .brief = text}})};
}

StageWork work_of_rdds(const StageAttempt& stage, const Purpose& purpose, bool in_execution) {
  const auto rdds = rdds_by_id(stage);
  const auto call_site = in_execution ? std::nullopt : parse_call_site(trim(stage.name));
  if (call_site && reads_schema(rdds, *call_site)) {
    return work_of_schema(*call_site, purpose);
  }
  const auto caller = call_site ? to_string(*call_site) : purpose.action;
  StageWork work{.text = line_of(purpose) + "\nat " + caller, .label = {}};
  for (const auto* rdd : rdds) {
    work.text += "\n" + rdd_line(*rdd, !in_execution);
  }
  auto steps = rdd_steps(rdds, caller);
  if (steps.empty() && purpose.authored.empty()) {
    steps.push_back({.full = "stage", .brief = "stage"});
  }
  work.label = make_label(purpose.authored, steps);
  return work;
}

}  // namespace

std::vector<std::int64_t> accumulators_of(std::span<const StageAttempt* const> attempts) {
  std::vector<std::int64_t> accumulators;
  for (const auto* attempt : attempts) {
    accumulators.insert(accumulators.end(), attempt->accumulators.begin(), attempt->accumulators.end());
  }
  return accumulators;
}

PlanPart part_of(const PlanIndex& plans, std::span<const StageAttempt* const> attempts) {
  const bool wrote = std::any_of(attempts.begin(), attempts.end(), [](const auto* attempt) { return wrote_shuffle(*attempt); });
  return plans.part_of(accumulators_of(attempts), attempts.back()->sql_execution, wrote);
}

StageWork work_of(const Application& application, const PlanPart& part, std::span<const StageAttempt* const> attempts) {
  const auto& last = *attempts.back();
  const auto* const execution = execution_of(application, last);
  const auto purpose = purpose_of(execution, last);
  if (part.nodes.empty() && !part.exchange) {
    return work_of_rdds(last, purpose, execution != nullptr);
  }
  return work_of_plan(part, purpose);
}

bool reads_schema(const StageAttempt& stage) {
  const bool may_be = !stage.sql_execution && stage.rdds.size() == 2;
  const auto call_site = may_be ? parse_call_site(trim(stage.name)) : std::nullopt;
  return call_site && reads_schema(rdds_by_id(stage), *call_site);
}

}  // namespace stagegate
