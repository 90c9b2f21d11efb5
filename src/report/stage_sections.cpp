#include "report/stage_sections.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <numeric>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units.h"
#include "report/terminal.h"
#include "report/text_table.h"

namespace stagegate {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kMaxValueWidth = 400;
constexpr std::size_t kMaxNameWidth = 40;

// The first of CANDIDATES that fits into the width, else the last: each leaves out more than the one before.
std::string first_that_fits(const std::vector<std::function<std::string()>>& candidates, std::size_t width) {
  std::string text;
  for (const auto& candidate : candidates) {
    text = candidate();
    const auto lines = split(text, '\n');
    if (std::all_of(lines.begin(), lines.end(), [&](const std::string& line) { return display_width(clean_text(line)) <= width; })) {
      break;
    }
  }
  return text;
}

std::string section(std::string_view title, std::string_view remark, const std::string& body, Color color) {
  if (body.empty()) {
    return {};
  }
  const auto note = remark.empty() ? std::string() : paint(fmt::format("  {}", remark), Style::dim, color);
  return fmt::format("\n{}{}\n{}", paint(title, Style::bold, color), note, body);
}

// Which columns a table of metrics has. Of a single task all numbers are one.
enum class SpreadColumns : std::uint8_t { all, without_quartiles, without_min, value };

TableCell cell(std::string_view text, Color color) {
  return table_cell(text, Style::plain, color);
}

// Peaks of several tasks do not add up to anything.
std::string sum_text(const Spread& spread) {
  const bool adds_up = spread.values.count == 1 || !spread.name.starts_with("peak_");
  return adds_up ? measure_text(spread.values.sum, spread.unit) : std::string();
}

// A column whose cells are empty is left out.
std::vector<TableCell> spread_cells(const Spread& spread, SpreadColumns columns, const StageTextOptions& options) {
  const auto& values = spread.values;
  const auto shown = [&](bool wanted, auto value) { return cell(wanted ? measure_text(value, spread.unit) : "", options.color); };
  const bool quartiles = columns == SpreadColumns::all;
  const bool several = columns != SpreadColumns::value;
  const bool min = several && columns != SpreadColumns::without_min;
  return {
      cell(metric_words(spread.name), options.color),
      shown(min, values.min),
      shown(quartiles, values.p25),
      shown(several, values.median),
      shown(quartiles, values.p75),
      shown(several, values.max),
      cell(sum_text(spread), options.color),
      cell(bars(spread.buckets, options.glyphs), options.color),
  };
}

TextTable spread_columns(SpreadColumns columns) {
  TextTable table{.columns = {{"", Align::left}}, .rows = {}};
  for (const auto* heading : {"min", "p25", "median", "p75", "max", "sum"}) {
    table.columns.push_back({columns == SpreadColumns::value ? "" : heading, Align::right});
  }
  table.columns.push_back({columns == SpreadColumns::value ? "" : "min to max", Align::left});
  return table;
}

std::string spread_table(const std::vector<Spread>& spreads, SpreadColumns columns, const StageTextOptions& options) {
  auto table = spread_columns(columns);
  for (const auto& spread : spreads) {
    if (has_value(spread)) {
      table.rows.emplace_back(spread_cells(spread, columns, options));
    }
  }
  return table.rows.empty() ? std::string() : render(table, kIndent, options.color);
}

std::string number_or_nothing(const std::optional<std::int64_t>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

std::string multiple_text(std::int64_t value, Quarters median) {
  return median.quarters <= 0 ? std::string() : format_ratio(static_cast<double>(value) / median.as_double()) + "x";
}

enum class Host : std::uint8_t { shown, left_out };

std::string task_table(const LargeTasks& largest, Host host, const StageTextOptions& options) {
  const auto& by = kMetrics[index_of(largest.by)];
  const bool by_time = largest.by == Metric::duration_ms;
  TextTable table{.columns = {{"partition", Align::right},
                              {"task", Align::right},
                              {"attempt", Align::right},
                              {"executor", Align::left},
                              {"host", Align::left},
                              {metric_words(by.name), Align::right},
                              {"of median", Align::right},
                              {"records", Align::right},
                              {"duration", Align::right}},
                  .rows = {}};
  for (const auto& task : largest.tasks) {
    table.rows.emplace_back(std::vector<TableCell>{
        cell(fmt::format("{}", task.partition), options.color),
        cell(number_or_nothing(task.task_id), options.color),
        cell(number_or_nothing(task.attempt_number), options.color),
        cell(task.place == nullptr ? "" : one_line(task.place->executor), options.color),
        cell(task.place == nullptr || host == Host::left_out ? "" : one_line(task.place->host), options.color),
        cell(measure_text(task.value, detail_unit(by.unit)), options.color),
        cell(largest.tasks.size() == 1 ? "" : multiple_text(task.value, largest.median), options.color),
        cell(task.records ? format_count(*task.records) : "", options.color),
        cell(by_time || !task.duration_ms ? "" : measure_text(*task.duration_ms, DetailUnit::milliseconds), options.color),
    });
  }
  return render(table, kIndent, options.color);
}

std::string indented_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) {
    text += line.empty() ? "" : fmt::format("{:{}}{}\n", "", 2 * kIndent, line);
  }
  return text;
}

std::string failure_text(const TaskFailure& failure, const StageTextOptions& options) {
  auto head = fmt::format("{} x {}", format_count(failure.count), one_line(failure.reason));
  head += failure.error_class.empty() ? "" : ": " + one_line(failure.error_class);
  const auto first = fmt::format("first at partition {}{}", failure.first_partition,
                                 failure.first_executor.empty() ? "" : " on executor " + one_line(failure.first_executor));
  return fmt::format("{:{}}{}, {}\n", "", kIndent, paint(head, Style::red, options.color), first) +
         indented_lines(wrap(one_line(failure.message, kMaxValueWidth), options.width - 2 * kIndent));
}

std::string operator_metric_text(const OperatorMetric& metric) {
  const auto unit = metric.type == "size"       ? DetailUnit::bytes
                    : metric.type == "timing"   ? DetailUnit::milliseconds
                    : metric.type == "nsTiming" ? DetailUnit::nanoseconds
                                                : DetailUnit::count;
  return fmt::format("{} {}", one_line(metric.name), measure_text(metric.value, unit));
}

// "SortMergeJoin [a#1], [b#2]": the name, then what else the plan says of it.
std::string operator_line(const PlanNode& node, const StageTextOptions& options) {
  const auto name = one_line(node.name);
  auto line = one_line(node.simple_string);
  if (line.find(name) == std::string::npos) {
    line = line.empty() ? name : fmt::format("{} {}", name, line);
  }
  line = one_line(line, options.width - kIndent);
  const auto at = std::min(line.find(name), line.size());
  const auto head = std::min(at + name.size(), line.size());
  return line.substr(0, head) + paint(line.substr(head), Style::dim, options.color);
}

// Broken between items only, so that no number is torn from its name.
std::vector<std::string> wrap_items(const std::vector<std::string>& items, std::size_t width) {
  std::vector<std::string> lines;
  for (const auto& item : items) {
    if (!lines.empty() && display_width(lines.back()) + display_width(item) + 3 <= width) {
      lines.back() += ", " + item;
    } else {
      lines.push_back(item);
    }
  }
  return lines;
}

std::string operator_text(const StageOperator& node, const StageTextOptions& options) {
  std::vector<std::string> metrics;
  for (const auto& metric : node.metrics) {
    metrics.push_back(operator_metric_text(metric));
  }
  return fmt::format("{:{}}{}\n", "", kIndent, operator_line(*node.node, options)) +
         indented_lines(wrap_items(metrics, options.width - 2 * kIndent));
}

std::string memory_text(std::int64_t bytes) {
  return bytes > 0 ? format_bytes(bytes) : std::string();
}

}  // namespace

std::string spreads_section(const std::vector<Spread>& spreads, const StageTextOptions& options) {
  const auto tasks = std::accumulate(spreads.begin(), spreads.end(), std::size_t{0},
                                     [](std::size_t most, const Spread& spread) { return std::max(most, spread.values.count); });
  if (tasks == 1) {
    return section("metrics", "of its only task", spread_table(spreads, SpreadColumns::value, options), options.color);
  }
  const auto body = first_that_fits({[&] { return spread_table(spreads, SpreadColumns::all, options); },
                                     [&] { return spread_table(spreads, SpreadColumns::without_quartiles, options); },
                                     [&] { return spread_table(spreads, SpreadColumns::without_min, options); }},
                                    options.width);
  return section(
      "metrics",
      fmt::format("of {} tasks; the bars show how many lie where from min to max", format_count(static_cast<std::int64_t>(tasks))), body,
      options.color);
}

std::string tasks_section(const LargeTasks& largest, const StageTextOptions& options) {
  if (largest.tasks.empty()) {
    return {};
  }
  const auto body = first_that_fits(
      {[&] { return task_table(largest, Host::shown, options); }, [&] { return task_table(largest, Host::left_out, options); }},
      options.width);
  return section(largest.tasks.size() == 1 ? "its task" : "largest tasks",
                 largest.tasks.size() == 1 ? "" : "by " + metric_words(kMetrics[index_of(largest.by)].name), body, options.color);
}

std::string failures_section(const StageAttempt& attempt, const StageTextOptions& options) {
  std::string body;
  for (const auto& failure : attempt.failures) {
    body += failure_text(failure, options);
  }
  if (attempt.other_failures > 0) {
    body += fmt::format("{:{}}{} more, whose reasons were not kept\n", "", kIndent, format_count(attempt.other_failures));
  }
  return section("tasks without success", "most frequent first", body, options.color);
}

std::string operators_section(const std::vector<StageOperator>& operators, const StageTextOptions& options) {
  std::string body;
  for (const auto& node : operators) {
    body += operator_text(node, options);
  }
  return section("operators", "as rows pass through them; sums over all tasks", body, options.color);
}

std::string cached_section(const Application& application, const StageAttempt& attempt, const StageTextOptions& options) {
  TextTable table{.columns = {{"RDD", Align::right},
                              {"partitions", Align::right},
                              {"cached", Align::right},
                              {"in memory", Align::right},
                              {"on disk", Align::right},
                              {"", Align::left},
                              {"what", Align::left}},
                  .rows = {}};
  const std::set<std::int64_t> released(application.unpersisted_rdds.begin(), application.unpersisted_rdds.end());
  bool known = false;
  for (const auto& rdd : attempt.rdds) {
    if (rdd.persisted) {
      known = known || rdd.cached_partitions > 0;
      table.rows.emplace_back(std::vector<TableCell>{
          cell(format_count(rdd.id), options.color),
          cell(format_count(rdd.partitions), options.color),
          cell(rdd.cached_partitions > 0 ? format_count(rdd.cached_partitions) : "", options.color),
          cell(memory_text(rdd.memory_bytes), options.color),
          cell(memory_text(rdd.disk_bytes), options.color),
          cell(released.contains(rdd.id) ? "released later" : "", options.color),
          cell(one_line(rdd.name, kMaxNameWidth), options.color),
      });
    }
  }
  const auto body = table.rows.empty() ? std::string() : render(table, kIndent, options.color);
  return section("kept in a cache", known ? "" : "how much of it was there is not in the log", body, options.color);
}

}  // namespace stagegate
