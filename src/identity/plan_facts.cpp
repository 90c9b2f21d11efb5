#include "identity/plan_facts.h"

#include <algorithm>
#include <array>
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

// "reduceByKey at job.py"
std::string caller_of(const RddInfo& rdd) {
  const auto call_site = parse_call_site(trim(rdd.call_site));
  return call_site ? clean_text(to_string(*call_site)) : std::string();
}

// "MapPartitionsRDD of reduceByKey at job.py", "pairs"
std::string rdd_text(const RddInfo& rdd) {
  const auto caller = caller_of(rdd);
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
  if (rdd.name.find('\n') == std::string::npos) {
    return rdd_text(rdd);
  }
  if (const auto sources = named_sources(part); !sources.empty()) {
    return fmt::format("rows of {}", some_of(sources, ", "));
  }
  const auto caller = caller_of(rdd);
  return caller.empty() ? "rows without a name" : fmt::format("rows of {}", caller);
}

// Whether a library made it, so that the job's author can do nothing about it. Its call site is in a file of which the stage's stack has a
// method of such a library.
bool is_of_library(const RddInfo& rdd, const StageAttempt& stage) {
  constexpr std::array<std::string_view, 4> libraries{"org.apache.spark.ml.", "org.apache.spark.mllib.", "org.apache.spark.graphx.",
                                                      "org.graphframes."};
  const auto call_site = parse_call_site(trim(rdd.call_site));
  if (!call_site || call_site->file.empty()) {
    return false;
  }
  const auto file = fmt::format("({}:", call_site->file);
  const auto frames = split(stage.details, '\n');
  return std::any_of(frames.begin(), frames.end(), [&](const std::string& frame) {
    const auto is_in = [&](std::string_view library) { return frame.starts_with(library); };
    return std::any_of(libraries.begin(), libraries.end(), is_in) && frame.find(file) != std::string::npos;
  });
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
    if (!cached.is_used && !is_of_library(*cached.rdd, *attempts[i].back()) &&
        !plans.is_in_another(accumulators_of(attempts[i]), stages[i].sql_execution)) {
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
