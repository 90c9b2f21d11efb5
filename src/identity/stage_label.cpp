#include "identity/stage_label.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "identity/normal_text.h"
#include "identity/operators.h"
#include "identity/stable_text.h"

namespace stagegate {
namespace {

constexpr std::size_t kLongestPrefix = 48;
constexpr std::size_t kLongestName = 40;  // of a column or a table
constexpr std::size_t kMostNames = 3;
constexpr std::string_view kCut = "...";  // in the place of steps for which there is no room

// At most LIMIT bytes, with "..." for what is cut; never inside of a UTF-8 sequence.
std::string shortened(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) {
    return std::string(text);
  }
  return std::string(trim(first_bytes(text, limit - 3))) + "...";
}

std::string listed(std::span<const std::string> names) {
  std::vector<std::string> shown;
  for (const auto& name : names.first(std::min(names.size(), kMostNames))) {
    shown.push_back(shortened(name, kLongestName));
  }
  return join(shown, ", ") + (names.size() > kMostNames ? ", ..." : "");
}

// "revenue DESC NULLS LAST" -> "revenue", "cast(x as date) AS day" -> "day"; an expression that Spark named is "expression".
std::string column_of(std::string_view expression) {
  if (expression.starts_with("_groupingexpression")) {
    return "expression";
  }
  if (const auto alias = expression.rfind(" AS "); alias != std::string_view::npos) {
    return std::string(expression.substr(alias + 4));
  }
  for (const std::string_view order : {" ASC NULLS", " DESC NULLS"}) {
    expression = expression.substr(0, expression.find(order));
  }
  return std::string(expression);
}

std::vector<std::string> columns_of(std::string_view list) {
  std::vector<std::string> columns;
  for (const auto& element : elements_of(list)) {
    columns.push_back(column_of(element));
  }
  return columns;
}

std::string by(const std::vector<std::string>& columns) {
  return columns.empty() ? std::string() : " by " + listed(columns);
}

// The list that KEY begins, such as "keys=[a, b]" among the arguments.
std::vector<std::string> columns_after(std::span<const std::string> arguments, std::string_view key) {
  for (const auto& argument : arguments) {
    if (argument.starts_with(key)) {
      return columns_of(std::string_view(argument).substr(key.size()));
    }
  }
  return {};
}

Step same(const std::string& text) {
  return {.full = text, .brief = text};
}

// The names of all sources below a node, across exchanges; nothing below a cached table.
std::vector<std::string> sources_below(const Plan& plan, std::size_t root) {
  std::vector<std::string> names;
  std::vector<std::size_t> open{root};
  for (std::size_t i = 0; i < open.size() && i < plan.size(); ++i) {
    const auto& node = plan[open[i]];
    const auto name = operator_name(node.name);
    if (name == "InMemoryTableScan") {
      names.emplace_back("cache");
      continue;
    }
    if (is_source(name)) {
      names.push_back(source_name(node));
    }
    for (const auto child : node.children) {
      if (child > open[i] && child < plan.size()) {
        open.push_back(child);
      }
    }
  }
  return names;
}

// "orders, customers" where each side of a join comes from one source; more is no help to a reader.
std::string joined_sources(const NodeRef& ref) {
  std::vector<std::string> names;
  for (const auto child : ref.node().children) {
    const auto side = child > ref.index && child < ref.plan->size() ? sources_below(*ref.plan, child) : std::vector<std::string>();
    if (side.size() != 1) {
      return {};
    }
    names.push_back(side.front());
  }
  return names.size() == 2 ? listed(names) : std::string();
}

std::string join_type(std::span<const std::string> arguments) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> types{{
      {"LeftOuter", "left join"},
      {"RightOuter", "right join"},
      {"FullOuter", "full join"},
      {"LeftSemi", "semi join"},
      {"LeftAnti", "anti join"},
      {"Cross", "cross join"},
  }};
  for (const auto& [name, words] : types) {
    if (std::find(arguments.begin(), arguments.end(), name) != arguments.end()) {
      return std::string(words);
    }
  }
  return "join";
}

// "customer_id", "order_id = id"
std::string join_keys(const std::vector<std::string>& left, const std::vector<std::string>& right) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    keys.push_back(left[i] == right[i] ? left[i] : left[i] + " = " + right[i]);
  }
  return listed(keys);
}

Step join_step(const NodeRef& ref, const std::string& name, std::span<const std::string> arguments) {
  const bool has_keys = arguments.size() >= 2 && arguments[0].starts_with('[') && arguments[1].starts_with('[');
  const auto type =
      (name.starts_with("Broadcast") ? "broadcast " : "") + (name == "CartesianProduct" ? "cross join" : join_type(arguments));
  const auto on = has_keys ? " on " + join_keys(columns_of(arguments[0]), columns_of(arguments[1])) : std::string();
  const auto sources = joined_sources(ref);
  return {.full = type + (sources.empty() ? "" : " " + sources) + on, .brief = type + on};
}

Step aggregate_step(std::string_view text, std::span<const std::string> arguments) {
  const auto keys = columns_after(arguments, "keys=");
  const bool is_distinct = text.find("functions=[]") != std::string_view::npos;
  const std::string kind = is_distinct ? "distinct" : text.find("partial_") != std::string_view::npos ? "partial aggregate" : "aggregate";
  return same(kind + by(keys));
}

std::string lower_words(std::string_view camel_case) {
  std::string words;
  for (const char byte : camel_case) {
    const bool upper = byte >= 'A' && byte <= 'Z';
    words += upper && !words.empty() ? std::string(" ") + byte : std::string(1, byte);
  }
  return to_lower_ascii(words);
}

// "InsertIntoHadoopFsRelationCommand out, false, [day], Parquet, [path=out], Overwrite, [...]"
Step command_step(const std::string& name, const std::string& text) {
  auto arguments = arguments_of(std::string_view(text).substr(text.find(name)));
  if (name != "InsertIntoHadoopFsRelationCommand" || arguments.size() < 3) {
    return same(lower_words(name.ends_with("Command") ? std::string_view(name).substr(0, name.size() - 7) : name));
  }
  const auto& format = arguments[2].starts_with('[') && arguments.size() > 3 ? arguments[3] : arguments[2];
  const auto brief = "write " + to_lower_ascii(format);
  return {.full = brief + " to " + shortened(arguments[0], kLongestName), .brief = brief};
}

bool is_python(std::string_view name) {
  return name.find("Python") != std::string_view::npos || name.find("Pandas") != std::string_view::npos || name.ends_with("InArrow");
}

bool is_map(std::string_view name) {
  return name.starts_with("Map") || name == "AppendColumns" || name == "CoGroup" || name == "FlatMapGroupsInR";
}

std::optional<Step> ordering_step(const std::string& name, std::span<const std::string> arguments) {
  if (name == "TakeOrderedAndProject" || name == "TopN") {
    const auto limit = std::find_if(arguments.begin(), arguments.end(), [](const auto& text) { return text.starts_with("limit="); });
    const auto count = limit == arguments.end() ? std::string() : " " + limit->substr(std::string_view("limit=").size());
    return same("top" + count + by(columns_after(arguments, "orderBy=")));
  }
  if (name == "Window") {
    return same("window" + by(arguments.size() > 1 ? columns_of(arguments[1]) : std::vector<std::string>()));
  }
  // Only a sort of the whole has a meaning of its own; the others serve joins, windows and writers.
  if (name == "Sort" && arguments.size() > 1 && arguments[1] == "true") {
    return same("sort" + by(columns_of(arguments[0])));
  }
  if (name.ends_with("Limit") && name != "WindowGroupLimit") {
    return same("limit");
  }
  return std::nullopt;
}

// Absent for operators that every job is full of: filters, projections, conversions.
std::optional<Step> step_of(const NodeRef& ref, bool fills_cache) {
  const auto name = operator_name(ref.node().name);
  const auto text = normal_text(ref.node());
  const auto arguments = arguments_of(text);
  if (is_source(name)) {
    const auto source = shortened(source_name(ref.node()), kLongestName);
    return same(name == "Range" || name == "LocalTableScan" ? source : "scan " + source);
  }
  if (name == "InMemoryTableScan") {
    return same(fills_cache ? "fill cache" : "scan cache");
  }
  if (name.ends_with("Join") || name == "CartesianProduct") {
    return join_step(ref, name, arguments);
  }
  if (name.ends_with("Aggregate")) {
    return aggregate_step(text, arguments);
  }
  if (is_python(name) || is_map(name)) {
    return same(is_python(name) ? "python" : "map");
  }
  if (name == "Union" || name == "Coalesce" || name == "Sample" || name == "Generate" || name == "Expand") {
    return same(name == "Generate" ? "explode" : to_lower_ascii(name));
  }
  if (ref.node().name.starts_with("Execute ") || name.ends_with("Command") || name.ends_with("Data")) {
    return command_step(name, text);
  }
  return ordering_step(name, arguments);
}

bool aggregates(std::string_view step) {
  return step.find("aggregate") != std::string_view::npos || step.starts_with("distinct");
}

// The columns of "Exchange hashpartitioning(a, b), ENSURE_REQUIREMENTS"; none of a round robin or a single partition.
std::vector<std::string> partitioning_columns(std::string_view exchange) {
  for (const std::string_view key : {"hashpartitioning(", "rangepartitioning("}) {
    const auto open = exchange.find(key);
    const auto close = exchange.rfind(')');
    if (open != std::string_view::npos && close != std::string_view::npos && close > open + key.size()) {
      return columns_of(exchange.substr(open + key.size(), close - open - key.size()));
    }
  }
  return {};
}

// Nothing where the last step says it already: an aggregation by the columns it shuffles by.
std::optional<Step> shuffle_step(const PlanPart& part, std::string_view last) {
  const auto text = normal_text(part.exchange->node());
  const auto columns = partitioning_columns(text);
  if (part.sink == Sink::sample) {
    return same("sample" + by(columns));
  }
  if (text.find("REPARTITION") != std::string::npos || text.find("RoundRobin") != std::string::npos) {
    return same("repartition" + by(columns));
  }
  if (aggregates(last) && (columns.empty() ? last.find(" by ") == std::string_view::npos : last.ends_with(by(columns)))) {
    return std::nullopt;
  }
  return same(columns.empty() ? "shuffle write" : "shuffle" + by(columns));
}

std::optional<Step> sink_step(const PlanPart& part, std::string_view action, std::string_view last) {
  switch (part.sink) {
    case Sink::result:
      return action.empty() || last.starts_with("write") ? std::nullopt : std::optional(same(std::string(action)));
    case Sink::shuffle:
    case Sink::sample:
      return shuffle_step(part, last);
    case Sink::broadcast:
      return same("broadcast");
    case Sink::subquery:
      return same("subquery");
    case Sink::cache:
      return same("fill cache");
  }
  return std::nullopt;
}

std::string_view verb(std::string_view step) {
  return step.substr(0, step.find(' '));
}

// Several scans are one step, and of aggregations that follow each other the last one tells what comes out.
void add_step(std::vector<Step>& steps, Step step) {
  if (steps.empty()) {
    steps.push_back(std::move(step));
    return;
  }
  auto& last = steps.back();
  if (verb(step.full) == "scan" && verb(last.full) == "scan") {
    last = same(last.full + ", " + step.full.substr(verb("scan ").size() + 1));
  } else if (aggregates(step.full) && aggregates(last.full)) {
    last = std::move(step);
  } else if (last.full != step.full) {
    steps.push_back(std::move(step));
  }
}

std::string joined(std::span<const Step> steps, std::string Step::*form) {
  std::vector<std::string> texts;
  for (const auto& step : steps) {
    texts.push_back(step.*form);
  }
  return join(texts, " > ");
}

}  // namespace

std::vector<Step> steps_of(const PlanPart& part, std::string_view action) {
  std::vector<Step> steps;
  for (const auto& node : part.nodes) {
    if (auto step = step_of(node, part.fills_cache)) {
      add_step(steps, std::move(*step));
    }
  }
  if (auto sink = sink_step(part, action, steps.empty() ? std::string() : steps.back().full)) {
    add_step(steps, std::move(*sink));
  }
  return steps;
}

std::string join_text(const NodeRef& join) {
  const auto text = normal_text(join.node());
  return shortened(clean_text(on_one_line(join_step(join, operator_name(join.node().name), arguments_of(text)).full)), kLongestLabel);
}

std::string make_label(std::string_view prefix, const std::vector<Step>& steps) {
  const auto head = prefix.empty() ? std::string() : shortened(prefix, kLongestPrefix) + (steps.empty() ? "" : ": ");
  auto body = joined(steps, &Step::full);
  if (head.size() + body.size() > kLongestLabel) {
    body = joined(steps, &Step::brief);
  }
  auto kept = steps;
  while (head.size() + body.size() > kLongestLabel && kept.size() > 2 && (kept.size() > 3 || kept[1].full != kCut)) {
    if (kept[1].full == kCut) {
      kept.erase(kept.begin() + 2);
    }
    kept[1] = same(std::string(kCut));
    body = joined(kept, &Step::brief);
  }
  return shortened(clean_text(on_one_line(head + body)), kLongestLabel);
}

}  // namespace stagegate
