#include "rules/parse_tests.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units.h"
#include "model/distribution.h"
#include "model/metric.h"
#include "rules/names.h"
#include "rules/parameter_value.h"
#include "rules/table_reader.h"

namespace stagegate {
namespace {

// One number of a test: a count, or, for a metric in bytes, a size with its unit.
std::optional<std::int64_t> whole_number(const std::string& key, Unit unit, const DocumentValue& value, Problems& problems) {
  if (const auto* integer = std::get_if<std::int64_t>(&value.value)) {
    if (*integer >= 0) {
      return *integer;
    }
    problems.add(value.at, fmt::format("'{}' must be 0 or more, not {}", key, *integer));
    return std::nullopt;
  }
  const auto* text = std::get_if<std::string>(&value.value);
  if (text == nullptr || unit != Unit::bytes) {
    const auto* wanted = unit == Unit::bytes ? "a number of bytes or a size" : "an integer";
    problems.add(value.at, fmt::format("'{}' must be {}, not {}", key, wanted, type_name(value)));
    return std::nullopt;
  }
  const auto size = parse_size(*text);
  if (!size) {
    problems.add(value.at, fmt::format("'{}': {}", key, size.error().message));
    return std::nullopt;
  }
  return *size;
}

// The values of a metric, one a task; absent where one of them is a mistake.
std::optional<std::vector<std::int64_t>> task_values(const std::string& key, Unit unit, const DocumentValue& value, Problems& problems) {
  const auto& array = std::get<DocumentArray>(value.value);
  if (array.empty()) {
    problems.add(value.at, fmt::format("'{}' has no value; leave it out where the metric is missing", key));
    return std::nullopt;
  }
  std::vector<std::int64_t> values;
  for (const auto& one : array) {
    if (const auto number = whole_number(key, unit, one, problems)) {
      values.push_back(*number);
    }
  }
  return values.size() == array.size() ? std::optional(std::move(values)) : std::nullopt;
}

double statistic_of(const Distribution& distribution, const NameInfo& name) {
  Stage stage;
  stage.metrics[index_of(name.metric)] = distribution;
  return value_of(name, {.stage = &stage});
}

// Fills in the names of one written-out stage, run or accepted stage.
class SubjectParser {
 public:
  SubjectParser(const DocumentEntry& table, std::string where, const Rule& rule, std::map<std::string, double>& names, Problems& problems)
      : reader_(std::get<DocumentTable>(table.value.value), table.at, std::move(where), problems),
        at_(table.at),
        rule_(rule),
        names_(names),
        problems_(problems) {}

  void parse_stage() {
    for (const auto& info : kMetrics) {
      if (is_judged(info.metric)) {
        parse_metric(info);
      }
    }
    count("tasks", "tasks", task_count());
    count("failed", "failed", 0);
    count("killed", "killed", 0);
    count("attempts", "attempts", 1);
    if (rule_.scope == RuleScope::stage) {
      count("cores", "cores", std::nullopt);
    } else {
      count("stages", "stages", 1);
      count("left_group_actions", "left_group_actions", std::nullopt);
    }
    parse_plan("", NameKind::plan_count);
    parse_wasted();
    reader_.refuse_others();
  }

  void parse_accepted() {
    for (const auto& info : kMetrics) {
      if (is_judged(info.metric) && is_kept_in_baseline(info.metric)) {
        parse_sum(info, "baseline.");
      }
    }
    count("tasks", "baseline.tasks", task_count());
    parse_plan("baseline.", NameKind::baseline_plan_count);
    reader_.refuse_others();
  }

  // PREFIX: "run." or "baseline.run."
  void parse_sums(const std::string& prefix) {
    for (const auto& info : kMetrics) {
      if (is_judged(info.metric) && is_kept_in_baseline(info.metric)) {
        parse_sum(info, prefix);
      }
    }
    parse_plan(prefix, NameKind::run_plan_count);
    reader_.refuse_others();
  }

  // The sums of a metric, one a run.
  void parse_runs() {
    for (const auto& info : kMetrics) {
      if (is_judged(info.metric) && is_kept_in_baseline(info.metric)) {
        parse_sums(info);
      }
    }
    if (lengths_.size() != 1 || *lengths_.begin() < 2) {
      problems_.add(at_, fmt::format("the arrays of {} must all have the same length, of two and more: one value a run", reader_.where()));
    } else {
      names_["runs"] = static_cast<double>(*lengths_.begin());
    }
    reader_.refuse_others();
  }

 private:
  void parse_sums(const MetricInfo& info) {
    const std::string key(info.name);
    const auto* entry = reader_.array(key, Need::optional);
    const auto sums = entry == nullptr ? std::nullopt : task_values(key, info.unit, entry->value, problems_);
    if (!sums) {
      return;
    }
    lengths_.insert(sums->size());
    const auto [least, most] = std::minmax_element(sums->begin(), sums->end());
    Stage stage;
    auto repeats = std::make_shared<StageRepeats>();
    repeats->totals[index_of(info.metric)] = Seen(*least, *most);
    stage.repeats = std::move(repeats);
    for (const auto& name : names_of(rule_.scope)) {
      if (is_of_runs(name.kind) && name.kind != NameKind::runs && name.metric == info.metric) {
        names_[name.name] = value_of(name, {.stage = &stage});
      }
    }
  }

  void parse_metric(const MetricInfo& info) {
    const auto* entry = reader_.entry(info.name, Need::optional);
    if (entry == nullptr) {
      return;
    }
    const std::string key(info.name);
    if (!std::holds_alternative<DocumentArray>(entry->value.value)) {
      if (const auto sum = whole_number(key, info.unit, entry->value, problems_)) {
        names_[key + ".sum"] = static_cast<double>(*sum);
      }
      return;
    }
    auto values = task_values(key, info.unit, entry->value, problems_);
    if (!values) {
      return;
    }
    lengths_.insert(values->size());
    const auto distribution = distribution_of(*std::move(values));
    for (const auto& name : names_of(rule_.scope)) {
      if (name.kind == NameKind::statistic && name.metric == info.metric) {
        names_[name.name] = statistic_of(distribution, name);
      }
    }
  }

  void parse_plan(const std::string& prefix, NameKind kind) {
    for (const auto& info : kPlanCounts) {
      if (info.kept || kind == NameKind::plan_count) {
        count(std::string(info.name), fmt::format("{}{}", prefix, info.name), std::nullopt);
      }
    }
  }

  void parse_sum(const MetricInfo& info, const std::string& prefix) {
    const auto* entry = reader_.entry(info.name, Need::optional);
    if (entry == nullptr) {
      return;
    }
    const std::string key(info.name);
    std::optional<std::int64_t> sum;
    if (std::holds_alternative<DocumentArray>(entry->value.value)) {
      if (auto values = task_values(key, info.unit, entry->value, problems_)) {
        lengths_.insert(values->size());
        sum = distribution_of(*std::move(values)).sum;
      }
    } else {
      sum = whole_number(key, info.unit, entry->value, problems_);
    }
    if (sum) {
      names_[fmt::format("{}{}.sum", prefix, key)] = static_cast<double>(*sum);
    }
  }

  void parse_wasted() {
    const auto* entry = reader_.table("wasted", Need::optional);
    if (entry == nullptr) {
      return;
    }
    TableReader reader(std::get<DocumentTable>(entry->value.value), entry->at, "wasted", problems_);
    for (const auto& info : kMetrics) {
      const auto* metric = is_judged(info.metric) ? reader.entry(info.name, Need::optional) : nullptr;
      if (metric == nullptr) {
        continue;
      }
      if (const auto sum = whole_number(std::string(info.name), info.unit, metric->value, problems_)) {
        names_[fmt::format("wasted.{}", info.name)] = static_cast<double>(*sum);
      }
    }
    reader.refuse_others();
  }

  void count(const std::string& key, const std::string& name, std::optional<std::int64_t> otherwise) {
    const auto* entry = reader_.entry(key, Need::optional);
    const auto value = entry == nullptr ? otherwise : whole_number(key, Unit::records, entry->value, problems_);
    if (value) {
      names_[name] = static_cast<double>(*value);
    }
  }

  // As many as the arrays are long; a stage without any has one.
  std::int64_t task_count() {
    if (lengths_.size() > 1 && reader_.entry("tasks", Need::optional) == nullptr) {
      problems_.add(at_, fmt::format("the arrays of {} differ in length; say how many tasks there are", reader_.where()));
    }
    return lengths_.empty() ? 1 : static_cast<std::int64_t>(*lengths_.begin());
  }

  TableReader reader_;
  Place at_;
  const Rule& rule_;
  std::map<std::string, double>& names_;
  Problems& problems_;
  std::set<std::size_t> lengths_;
};

void parse_parameter_overrides(const DocumentEntry& table, const Rule& rule, RuleTest& test, Problems& problems) {
  TableReader reader(std::get<DocumentTable>(table.value.value), table.at, "parameters", problems);
  for (const auto& parameter : rule.parameters) {
    const auto* entry = reader.entry(parameter.name, Need::optional);
    if (entry == nullptr) {
      continue;
    }
    if (const auto value = read_parameter(parameter.name, parameter.unit, entry->value, problems)) {
      test.parameters[parameter.name] = *value;
    }
  }
  reader.refuse_others();
}

// The expected value: a number, or, for a value in bytes, a size.
std::optional<double> expected_value(TableReader& reader, const Rule& rule, Problems& problems) {
  const auto* entry = reader.entry("value", Need::optional);
  if (entry == nullptr) {
    return std::nullopt;
  }
  if (rule.unit == ValueUnit::bytes && std::holds_alternative<std::string>(entry->value.value)) {
    const auto size = whole_number("value", Unit::bytes, entry->value, problems);
    return size ? std::optional(static_cast<double>(*size)) : std::nullopt;
  }
  return reader.number("value", Need::optional);
}

// The accepted stage and the sums of both runs. An accepted run without an accepted stage: the stage is new.
void parse_comparison(TableReader& reader, const Rule& rule, RuleTest& test, Problems& problems) {
  const auto* accepted = reader.table("baseline", Need::optional);
  if (accepted != nullptr) {
    SubjectParser(*accepted, "'baseline'", rule, test.names, problems).parse_accepted();
  }
  if (const auto* run = reader.table("run", Need::optional)) {
    SubjectParser(*run, "'run'", rule, test.names, problems).parse_sums("run.");
  }
  const auto* accepted_run = reader.table("baseline_run", Need::optional);
  if (accepted_run != nullptr) {
    SubjectParser(*accepted_run, "'baseline_run'", rule, test.names, problems).parse_sums("baseline.run.");
  }
  if (accepted != nullptr || accepted_run != nullptr) {
    test.names["is_new"] = accepted == nullptr ? 1 : 0;
  }
}

RuleTest parse_test(const DocumentValue& value, const Rule& rule, Problems& problems) {
  TableReader reader(std::get<DocumentTable>(value.value), value.at, "[[test]]", problems);
  RuleTest test;
  test.line = value.at.line;
  test.name = reader.text("name", Need::required).value_or("");
  const auto fires = reader.truth("fires", Need::required);
  test.fires = fires.value_or(false);
  test.value = expected_value(reader, rule, problems);
  if (test.value && fires == false) {
    problems.add(value.at, "a test in which the rule does not fire has no 'value'");
  }
  const auto* subject = rule.scope == RuleScope::stage ? "stage" : "run";
  if (const auto* entry = reader.table(subject, Need::required)) {
    SubjectParser(*entry, fmt::format("'{}'", subject), rule, test.names, problems).parse_stage();
  }
  if (rule.scope == RuleScope::stage) {
    parse_comparison(reader, rule, test, problems);
  }
  const auto* runs = rule.scope == RuleScope::stage ? reader.table("runs", Need::optional) : nullptr;
  if (runs != nullptr) {
    SubjectParser(*runs, "'runs'", rule, test.names, problems).parse_runs();
  }
  if (const auto* entry = reader.table("parameters", Need::optional)) {
    parse_parameter_overrides(*entry, rule, test, problems);
  }
  reader.refuse_others();
  return test;
}

}  // namespace

std::vector<RuleTest> parse_tests(const DocumentEntry& tests, const Rule& rule, Problems& problems) {
  std::vector<RuleTest> parsed;
  for (const auto& value : std::get<DocumentArray>(tests.value.value)) {
    if (!std::holds_alternative<DocumentTable>(value.value)) {
      problems.add(value.at, fmt::format("a test must be a table, [[test]], not {}", type_name(value)));
      continue;
    }
    parsed.push_back(parse_test(value, rule, problems));
  }
  return parsed;
}

}  // namespace stagegate
