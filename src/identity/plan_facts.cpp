#include "identity/plan_facts.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/text.h"
#include "identity/cache_use.h"
#include "identity/operators.h"
#include "identity/run_facts.h"
#include "identity/stable_text.h"
#include "identity/stage_label.h"
#include "identity/stage_work.h"

namespace stagegate {
namespace {

using Names = std::vector<std::string>;

std::optional<std::int64_t>& count_of(Stage& stage, PlanCount count) {
  return stage.plan.counts[index_of(count)];
}

std::int64_t size_of(const auto& list) {
  return static_cast<std::int64_t>(list.size());
}

void add_once(Names& names, std::string name) {
  if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
    names.push_back(std::move(name));
  }
}

// A few of them, so that a message stays a line.
std::string some_of(const Names& names, std::string_view separator) {
  constexpr std::ptrdiff_t kMost = 3;
  if (size_of(names) <= kMost) {
    return join(names, separator);
  }
  return fmt::format("{}{}...", join(Names(names.begin(), names.begin() + kMost), separator), separator);
}

void find_joins(const PlanPart& part, Stage& stage) {
  std::int64_t broadcast = 0;
  std::int64_t shuffled = 0;
  Names joins;
  for (const auto& ref : part.nodes) {
    const auto name = operator_name(ref.node().name);
    broadcast += is_broadcast_join(name) ? 1 : 0;
    if (is_shuffled_join(name)) {
      ++shuffled;
      add_once(joins, join_text(ref));
    }
  }
  count_of(stage, PlanCount::broadcast_joins) = broadcast;
  count_of(stage, PlanCount::shuffled_joins) = shuffled;
  stage.plan.joins = some_of(joins, "; ");
}

// Tables and files. Rows of the driver and ranges have no name of their own.
Names named_sources(const PlanPart& part) {
  Names names;
  for (const auto& ref : part.nodes) {
    const auto name = operator_name(ref.node().name);
    if (is_source(name) && name != "Range" && name != "LocalTableScan") {
      if (auto source = source_name(ref.node()); source != "rdd") {
        add_once(names, clean_text(on_one_line(source)));
      }
    }
  }
  return names;
}

// "MapPartitionsRDD of reduceByKey at job.py", "pairs"
std::string rdd_text(const RddInfo& rdd) {
  const auto call_site = parse_call_site(trim(rdd.call_site));
  const auto caller = call_site ? to_string(*call_site) : std::string();
  const auto name = clean_text(on_one_line(rdd.name));
  return name.ends_with("RDD") && !caller.empty() ? fmt::format("{} of {}", name, caller) : name;
}

// Spark calls the RDD of a cached table by the table's name or, where it has none, by its plan, which has several lines.
std::string cache_text(const RddInfo& rdd, const PlanPart& part) {
  constexpr std::string_view table = "In-memory table ";
  const std::string_view name = trim(rdd.name);
  if (name.starts_with(table)) {
    return fmt::format("table {}", clean_text(on_one_line(name.substr(table.size()))));
  }
  const auto sources = named_sources(part);
  if (rdd.name.find('\n') == std::string::npos) {
    return rdd_text(rdd);
  }
  return sources.empty() ? "rows without a name" : fmt::format("rows of {}", some_of(sources, ", "));
}

// The tables that the stage reads and an earlier one did, too, or, where it reads none, RDDS, which one has computed. SEEN: the tables of
// those before.
void find_repeated(const PlanPart& part, const std::vector<const RddInfo*>& rdds, std::set<std::string>& seen, Stage& stage) {
  Names repeated;
  const auto sources = named_sources(part);
  for (const auto& source : sources) {
    if (!seen.insert(source).second) {
      add_once(repeated, source);
    }
  }
  if (sources.empty()) {
    std::for_each(rdds.begin(), rdds.end(), [&](const RddInfo* rdd) { add_once(repeated, rdd_text(*rdd)); });
  }
  count_of(stage, PlanCount::repeated_reads) = size_of(repeated);
  stage.plan.repeated = some_of(repeated, ", ");
}

void find_caches(const CacheUse& use, std::vector<Stage>& stages) {
  for (std::size_t i = 0; i < stages.size(); ++i) {
    count_of(stages[i], PlanCount::cache_reads) = size_of(use.reads[i]);
  }
}

// A table without rows is read by no stage even where another execution's plan has it.
void find_unused_caches(const CacheUse& use, const PlanIndex& plans, std::span<const std::vector<const StageAttempt*>> attempts,
                        std::span<const PlanPart> parts, std::vector<Stage>& stages) {
  std::vector<Names> unused(stages.size());
  for (const auto& cached : use.filled) {
    const auto i = cached.filled_by;
    if (!cached.is_used && !plans.is_in_another(accumulators_of(attempts[i]), stages[i].sql_execution)) {
      unused[i].push_back(cache_text(*cached.rdd, parts[i]));
    }
  }
  for (std::size_t i = 0; i < stages.size(); ++i) {
    count_of(stages[i], PlanCount::unused_caches) = size_of(unused[i]);
    stages[i].plan.unused_caches = some_of(unused[i], "; ");
  }
}

}  // namespace

void find_plan_facts(const Application& application, const PlanIndex& plans, std::span<const std::vector<const StageAttempt*>> attempts,
                     std::span<const PlanPart> parts, std::vector<Stage>& stages) {
  std::vector<const StageAttempt*> last;
  for (const auto& of_stage : attempts) {
    last.push_back(of_stage.empty() ? nullptr : of_stage.back());
  }
  const auto use = cache_use_of(last);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < stages.size() && !plans.is_blind(); ++i) {
    find_joins(parts[i], stages[i]);
    find_repeated(parts[i], use.repeated[i], seen, stages[i]);
  }
  if (!knows_rdd_parents(last)) {
    return;
  }
  find_caches(use, stages);
  if (ended_well(application)) {
    find_unused_caches(use, plans, attempts, parts, stages);
  }
}

}  // namespace stagegate
