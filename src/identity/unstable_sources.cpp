#include "identity/unstable_sources.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "identity/characters.h"
#include "identity/operators.h"
#include "identity/stable_text.h"
#include "identity/stage_work.h"

namespace stagegate {
namespace {

constexpr std::size_t kShownBytes = 60;

using PlanNodes = std::vector<const PlanNode*>;

// What a stage ran, and what lies below it in the plan.
struct StagePlan {
  PlanNodes own;
  PlanNodes below;
};

bool is_border(const PlanNode& node) {
  const auto name = operator_name(node.name);
  return is_shuffle(name) || is_broadcast(name) || name == "ReusedExchange" || name.find("Subquery") != std::string::npos;
}

std::vector<std::size_t> parents_of(const Plan& plan) {
  std::vector<std::size_t> parents(plan.size());
  for (std::size_t i = 0; i < plan.size(); ++i) {
    parents[i] = i;
  }
  for (std::size_t i = 0; i < plan.size(); ++i) {
    for (const auto child : plan[i].children) {
      parents[child] = i;
    }
  }
  return parents;
}

// The topmost node of the part between two exchanges in which START lies.
std::size_t head_of(const Plan& plan, std::size_t start) {
  const auto parents = parents_of(plan);
  auto head = start;
  while (parents[head] != head && !is_border(plan[parents[head]])) {
    head = parents[head];
  }
  return head;
}

StagePlan nodes_below(const Plan& plan, std::size_t head) {
  StagePlan found;
  std::vector<std::pair<std::size_t, bool>> open{{head, true}};
  std::vector<bool> seen(plan.size(), false);
  while (!open.empty()) {
    const auto [at, own] = open.back();
    open.pop_back();
    if (seen[at]) {
      continue;
    }
    seen[at] = true;
    (own ? found.own : found.below).push_back(&plan[at]);
    for (const auto child : plan[at].children) {
      open.emplace_back(child, own && !is_border(plan[child]));
    }
  }
  return found;
}

StagePlan plan_of(const StageOfRun& stage) {
  const auto attempts = attempts_of(*stage.application, stage.stage);
  if (attempts.empty()) {
    return {};
  }
  const auto part = part_of(*stage.plans, attempts);
  if (!part.nodes.empty()) {
    return nodes_below(*part.nodes.back().plan, head_of(*part.nodes.back().plan, part.nodes.back().index));
  }
  if (part.exchange && !part.exchange->node().children.empty()) {
    return nodes_below(*part.exchange->plan, part.exchange->node().children.front());
  }
  return {};
}

// The length of an id that Spark counts anew, at the front of TEXT: "#69L" in "k#69L", "plan_id=43", "@3bd0a3bf".
std::size_t id_length(std::string_view text) {
  for (const std::string_view mark : {"#", "plan_id="}) {
    if (const auto digits = text.starts_with(mark) ? run_length(text.substr(mark.size()), is_digit) : 0; digits > 0) {
      const auto length = mark.size() + digits;
      return length + (text.substr(length).starts_with('L') ? 1U : 0U);
    }
  }
  const auto hash = text.starts_with('@') ? run_length(text.substr(1), is_hex_digit) : 0;
  return hash > 0 ? hash + 1 : 0;
}

std::string without_ids(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto length = id_length(text);
    result += text.substr(0, length == 0 ? 1 : 0);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

// Where the bracket that opens at OPEN is closed; the text's end where that was cut off.
std::size_t closing_bracket(std::string_view text, std::size_t open) {
  int depth = 0;
  for (auto at = open; at < text.size(); ++at) {
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (depth == 0) {
      return at;
    }
  }
  return text.size();
}

// What stands in the brackets of each call of FUNCTION in TEXT. Of aggregates their halves count too: partial_first(x), merge_first(x).
std::vector<std::string_view> calls_of(std::string_view text, std::string_view function) {
  std::vector<std::string_view> calls;
  for (auto at = text.find(function); at != std::string_view::npos; at = text.find(function, at + 1)) {
    const auto before = text.substr(0, at);
    const auto behind = at + function.size();
    const bool is_whole = before.empty() || !is_word(before.back()) || before.ends_with("partial_") || before.ends_with("merge_");
    if (!is_whole || behind >= text.size() || text[behind] != '(') {
      continue;
    }
    const auto end = closing_bracket(text, behind);
    calls.push_back(text.substr(behind + 1, end - behind - 1));
  }
  return calls;
}

// "7", "-1835538092438742101", "Some(7)", "array(a, b), Some(7)": what stands last.
std::string seed_in(std::string_view arguments) {
  const auto arguments_end = arguments.find_last_not_of(") ");
  arguments = arguments.substr(0, arguments_end == std::string_view::npos ? 0 : arguments_end + 1);
  return std::string(arguments.substr(arguments.find_last_of("( ,") + 1));  // npos + 1 is 0
}

std::string operator_of(const PlanNode& node) {
  return operator_name(node.name);
}

// "Sample 0.0, 0.3, false, 5442853555605264474"
std::optional<std::string> seed_of_sample(const PlanNode& node) {
  return operator_of(node) == "Sample" ? std::optional(seed_in(node.simple_string)) : std::nullopt;
}

struct Seeded {
  std::string seed;
  std::string words;
};

std::vector<Seeded> seeded_in(const PlanNode& node) {
  constexpr std::array<std::string_view, 4> kFunctions{"rand", "randn", "uuid", "shuffle"};
  std::vector<Seeded> found;
  if (auto seed = seed_of_sample(node)) {
    found.push_back({*std::move(seed), "Sample has no seed"});
  }
  for (const auto function : kFunctions) {
    for (const auto arguments : calls_of(node.simple_string, function)) {
      found.push_back({seed_in(arguments), fmt::format("{} has {}() without a seed", operator_of(node), function)});
    }
  }
  return found;
}

std::set<std::string> seeds_of(const PlanNodes& nodes) {
  std::set<std::string> seeds;
  for (const auto* node : nodes) {
    for (auto& seeded : seeded_in(*node)) {
      seeds.insert(std::move(seeded.seed));
    }
  }
  return seeds;
}

// Spark draws a seed where none is given: then it is another one in each run.
std::string changing_seed(std::span<const PlanNodes> runs) {
  for (const auto* node : runs.front()) {
    for (const auto& seeded : seeded_in(*node)) {
      const auto lacks_it = [&](const PlanNodes& nodes) { return !seeds_of(nodes).contains(seeded.seed); };
      if (std::any_of(runs.begin() + 1, runs.end(), lacks_it)) {
        return seeded.words;
      }
    }
  }
  return {};
}

// Of these a text that differs says that the job asked for something else; others hold paths and numbers of partitions.
bool holds_expressions_only(const PlanNode& node) {
  constexpr std::array<std::string_view, 10> kOperators{
      "Filter",   "Project", "HashAggregate",         "SortAggregate",     "ObjectHashAggregate",
      "Generate", "Expand",  "TakeOrderedAndProject", "InMemoryTableScan", "Window"};
  const auto name = operator_of(node);
  const std::string_view text = node.simple_string;
  return (std::find(kOperators.begin(), kOperators.end(), name) != kOperators.end() || name.ends_with("Join")) &&
         text.find("...") == std::string_view::npos && text.find("lambdafunction(") == std::string_view::npos;
}

bool are_same_operators(const PlanNodes& a, const PlanNodes& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const PlanNode* left, const PlanNode* right) { return operator_of(*left) == operator_of(*right); });
}

std::string shown(std::string_view text, const std::string& name) {
  text = text.starts_with(name) ? text.substr(name.size()) : text;
  const auto line = on_one_line(trim(text));
  auto end = std::min(line.size(), kShownBytes);
  while (end < line.size() && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U) {
    --end;  // inside of a UTF-8 character
  }
  return line.substr(0, end) + (end < line.size() ? "..." : "");
}

// The clock is read before a query runs, and its plan holds the time as a value.
std::string changing_value(std::span<const PlanNodes> runs) {
  for (const auto& other : runs.subspan(1)) {
    if (!are_same_operators(runs.front(), other)) {
      continue;
    }
    for (std::size_t i = 0; i < other.size(); ++i) {
      const auto& node = *runs.front()[i];
      const auto one = without_ids(node.simple_string);
      const auto another = without_ids(other[i]->simple_string);
      if (one != another && holds_expressions_only(node) && holds_expressions_only(*other[i])) {
        const auto name = operator_of(node);
        return fmt::format("{} is another one in each run, as where it holds the time: {} and {}", name, shown(one, name),
                           shown(another, name));
      }
    }
  }
  return {};
}

bool is_limit(std::string_view name) {
  return name == "CollectLimit" || name == "GlobalLimit" || name == "LocalLimit" || name == "CollectTail";
}

// Whether NODE takes its rows from a sort of all of them. The plan's children are only reachable through the plan itself.
bool is_sorted(const PlanNode& node, const Plan& plan) {
  const auto* at = &node;
  while (at->children.size() == 1) {
    at = &plan[at->children.front()];
    const auto name = operator_of(*at);
    if (name == "Sort" || name == "TakeOrderedAndProject") {
      return name != "Sort" || at->simple_string.find(", true,") != std::string::npos;
    }
    if (!is_limit(name) && !is_wrapper(name) && !is_shuffle(name) && name != "Project") {
      return false;
    }
  }
  return false;
}

const Plan* plan_with(const Application& application, const PlanNode* node) {
  for (const auto& execution : application.executions) {
    for (const auto* plan : {&execution.plan, &execution.earlier_nodes}) {
      if (!plan->empty() && node >= plan->data() && node < plan->data() + plan->size()) {
        return plan;
      }
    }
  }
  return nullptr;
}

std::string unsorted_limit(const Application& application, const PlanNodes& nodes) {
  for (const auto* node : nodes) {
    if (!is_limit(operator_of(*node))) {
      continue;
    }
    const auto* plan = plan_with(application, node);
    if (plan != nullptr && !is_sorted(*node, *plan)) {
      return fmt::format("{} takes rows that nothing has put in order", operator_of(*node));
    }
  }
  return {};
}

std::string goes_by_order(const PlanNodes& nodes) {
  constexpr std::array<std::string_view, 6> kFunctions{
      "monotonically_increasing_id", "spark_partition_id", "first", "last", "any_value", "collect_list"};
  for (const auto* node : nodes) {
    const auto text = to_lower_ascii(node->simple_string);
    for (const auto function : kFunctions) {
      if (!calls_of(text, function).empty()) {
        return fmt::format("{} has {}(), which goes by the order or the place in which rows come", operator_of(*node), function);
      }
    }
  }
  return {};
}

std::string unstable_rdd(const RddInfo& rdd) {
  constexpr std::array<std::string_view, 2> kNumbering{"zipWithIndex", "zipWithUniqueId"};
  for (const auto function : kNumbering) {
    if (rdd.scope_name == function || rdd.call_site.starts_with(fmt::format("{} at ", function))) {
      return fmt::format("{}() numbers rows in the order in which they come", function);
    }
  }
  if (rdd.name == "PartitionwiseSampledRDD" || rdd.scope_name == "sample" || rdd.scope_name == "randomSplit") {
    return "the sample of an RDD may have no seed";
  }
  if (rdd.name == "ShuffledRDD" && (rdd.scope_name == "coalesce" || rdd.scope_name == "repartition")) {
    return "repartition() of an RDD deals rows out in the order in which they come";
  }
  return {};
}

std::string unstable_rdds(const StageOfRun& stage) {
  for (const auto* attempt : attempts_of(*stage.application, stage.stage)) {
    for (const auto& rdd : attempt->rdds) {
      if (auto found = unstable_rdd(rdd); !found.empty()) {
        return found;
      }
    }
  }
  return {};
}

// What is certain, in the nodes of the same stage in each run.
std::string certain_source(const Application& application, std::span<const PlanNodes> runs) {
  if (auto found = changing_seed(runs); !found.empty()) {
    return found;
  }
  if (auto found = changing_value(runs); !found.empty()) {
    return found;
  }
  return unsorted_limit(application, runs.front());
}

}  // namespace

std::string unstable_source(std::span<const StageOfRun> same) {
  std::vector<PlanNodes> own;
  std::vector<PlanNodes> below;
  for (const auto& stage : same) {
    auto plan = plan_of(stage);
    own.push_back(std::move(plan.own));
    below.push_back(std::move(plan.below));
  }
  if (same.empty()) {
    return {};
  }
  const auto& application = *same.front().application;
  for (const auto* runs : {&own, &below}) {
    if (auto found = certain_source(application, *runs); !found.empty()) {
      return found;
    }
  }
  for (const auto* runs : {&own, &below}) {
    if (auto found = goes_by_order(runs->front()); !found.empty()) {
      return found;
    }
  }
  return unstable_rdds(same.front());
}

}  // namespace stagegate
