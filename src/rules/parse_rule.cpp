#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "model/baseline.h"
#include "rules/document.h"
#include "rules/expression.h"
#include "rules/expression_check.h"
#include "rules/message_template.h"
#include "rules/names.h"
#include "rules/parameter_value.h"
#include "rules/parse_tests.h"
#include "rules/problems.h"
#include "rules/rule.h"
#include "rules/table_reader.h"
#include "rules/text_names.h"

namespace stagegate {
namespace {

constexpr std::string_view kLowercase = "abcdefghijklmnopqrstuvwxyz";

// Lower-case letters, digits and SEPARATOR, a letter first.
bool is_identifier(std::string_view text, char separator) {
  const auto allowed = [&](char c) { return kLowercase.find(c) != std::string_view::npos || (c >= '0' && c <= '9') || c == separator; };
  return !text.empty() && kLowercase.find(text.front()) != std::string_view::npos && std::all_of(text.begin(), text.end(), allowed);
}

// Names of a stage that a run does not have, times, and metrics that no baseline keeps get an answer of their own.
std::string why_no_name(std::string_view name, RuleScope scope) {
  if (name.find("duration_ms") != std::string_view::npos) {
    return fmt::format("'{}' is a time; rules judge bytes and counts, never seconds", name);
  }
  if (scope == RuleScope::run && find_name(RuleScope::stage, name) != nullptr) {
    return fmt::format("'{}' is a name of a stage; a rule of scope \"run\" has the sums over all stages", name);
  }
  for (const auto& info : kMetrics) {
    if (name == fmt::format("baseline.{}.sum", info.name) && !is_kept_in_baseline(info.metric)) {
      return fmt::format("'{}' is never known: baselines do not keep {}", name, info.name);
    }
    if (name.starts_with(fmt::format("runs.{}.", info.name)) && !is_kept_in_baseline(info.metric)) {
      return fmt::format("'{}' is never known: runs are held against each other by what baselines keep", name);
    }
  }
  return {};
}

// What has been shown about a rule when stagegate was built, and need not be shown again.
enum class Shown : std::uint8_t {
  nothing,
  by_its_tests,  // which are left out, and for which its expressions have been compiled
};

class RuleParser {
 public:
  RuleParser(std::string_view text, const DocumentTable& document, const std::string& file, Shown shown)
      : text_(text), shown_(shown), problems_(file), reader_(document, Place{}, "", problems_) {
    rule_.file = file;
  }

  Result<Rule> parse() && {
    parse_head();
    parse_texts();
    if (const auto* entry = reader_.table("parameters", Need::optional)) {
      parse_parameters(std::get<DocumentTable>(entry->value.value));
    }
    parse_expression("when", rule_.when);
    parse_expression("value", rule_.value);
    check_parameters_are_used();
    parse_message();
    if (const auto* entry = reader_.array("test", shown_ == Shown::nothing ? Need::required : Need::optional)) {
      rule_.tests = parse_tests(*entry, rule_, problems_);
      check_tests(entry->at);
    }
    reader_.refuse_others();
    if (!problems_.empty()) {
      return tl::unexpected<Error>(problems_.error());
    }
    return std::move(rule_);
  }

 private:
  void parse_head() {
    if (const auto* entry = reader_.entry_of<std::string>("id", Need::required, "a string")) {
      rule_.id = std::get<std::string>(entry->value.value);
      rule_.at = entry->value.at;
      if (!is_identifier(rule_.id, '-')) {
        problems_.add(rule_.at, fmt::format("'{}' is no id: lower-case letters, digits and '-', a letter first", rule_.id));
      }
    }
    constexpr std::array<Level, 3> kLevels{Level::error, Level::warning, Level::off};
    constexpr std::array<ValueUnit, 4> kUnits{ValueUnit::ratio, ValueUnit::bytes, ValueUnit::count, ValueUnit::percent};
    rule_.scope = reader_.choice("scope", Need::optional, {"stage", "run"}) == 1 ? RuleScope::run : RuleScope::stage;
    rule_.level = kLevels.at(reader_.choice("level", Need::optional, {"error", "warning", "off"}).value_or(0));
    rule_.unit = kUnits.at(reader_.choice("unit", Need::required, {"ratio", "bytes", "count", "percent"}).value_or(0));
    parse_tolerance();
    parse_first_only();
    if (const auto* entry = reader_.array("unless", Need::optional)) {
      parse_unless(*entry);
    }
  }

  void parse_first_only() {
    rule_.first_only = reader_.truth("first_only", Need::optional).value_or(false);
    if (rule_.first_only && rule_.scope == RuleScope::run) {
      problems_.add(reader_.entry("first_only", Need::optional)->value.at, "'first_only' is for rules of stages: a run rests on nothing");
    }
  }

  void parse_tolerance() {
    constexpr double kLargest = 1000;
    const auto tolerance = reader_.number("tolerance", Need::optional).value_or(0);
    if (tolerance > kLargest) {
      problems_.add(reader_.entry("tolerance", Need::optional)->value.at,
                    fmt::format("'tolerance' is a fraction, 0.1 for a tenth more; {} is too large", tolerance));
      return;
    }
    rule_.tolerance_thousandths = std::llround(tolerance * 1000);
  }

  void parse_unless(const DocumentEntry& entry) {
    for (const auto& value : std::get<DocumentArray>(entry.value.value)) {
      const auto* id = std::get_if<std::string>(&value.value);
      if (id == nullptr) {
        problems_.add(value.at, fmt::format("'unless' must hold ids of rules, not {}", type_name(value)));
        continue;
      }
      if (*id == rule_.id) {
        problems_.add(value.at, "a rule cannot silence itself");
      }
      rule_.unless.push_back(*id);
      rule_.unless_at.push_back(value.at);
    }
  }

  void parse_texts() {
    rule_.title = reader_.text("title", Need::required).value_or("");
    rule_.summary = reader_.text("summary", Need::required).value_or("");
    rule_.why = reader_.text("why", Need::required).value_or("");
    rule_.hint = reader_.text("hint", Need::optional).value_or("");
    std::replace(rule_.hint.begin(), rule_.hint.end(), '\n', ' ');
    rule_.advice = reader_.text("advice", Need::required).value_or("");
  }

  void parse_parameters(const DocumentTable& table) {
    for (const auto& entry : table) {
      const auto* settings = std::get_if<DocumentTable>(&entry.value.value);
      if (settings == nullptr) {
        problems_.add(entry.value.at,
                      fmt::format("parameter '{0}' must be a table, [parameters.{0}], not {1}", entry.key, type_name(entry.value)));
        continue;
      }
      check_parameter_name(entry);
      parse_parameter(entry, *settings);
      parameter_places_.push_back(entry.at);
    }
  }

  void check_parameter_name(const DocumentEntry& entry) {
    const auto& name = entry.key;
    if (!is_identifier(name, '_')) {
      problems_.add(entry.at, fmt::format("'{}' is no name for a parameter: lower-case letters, digits and '_', a letter first", name));
    } else if (name == "level" || name == "override") {
      problems_.add(entry.at, fmt::format("a parameter cannot be called '{}': [rules.ID] of the manifest has a key of that name", name));
    } else if (name == "min" || name == "max" || name == "value" || find_name(rule_.scope, name) != nullptr ||
               find_text_name(rule_.scope, name)) {
      problems_.add(entry.at, fmt::format("a parameter cannot be called '{}': the name is taken", name));
    }
  }

  void parse_parameter(const DocumentEntry& entry, const DocumentTable& settings) {
    constexpr std::array<ParameterUnit, 3> kUnits{ParameterUnit::ratio, ParameterUnit::bytes, ParameterUnit::count};
    TableReader reader(settings, entry.at, fmt::format("[parameters.{}]", entry.key), problems_);
    RuleParameter parameter;
    parameter.name = entry.key;
    const auto unit = reader.choice("unit", Need::required, {"ratio", "bytes", "count"});
    parameter.unit = kUnits.at(unit.value_or(0));
    const auto* value = reader.entry("default", Need::required);
    if (value != nullptr && unit) {
      parameter.value = read_parameter("default", parameter.unit, value->value, problems_).value_or(0);
    }
    parameter.help = reader.text("help", Need::required).value_or("");
    reader.refuse_others();
    rule_.parameters.push_back(std::move(parameter));
  }

  enum class Where : std::uint8_t { expression, message };

  // A message may quote the value and texts, too.
  std::string name_problem(std::string_view name, Where where) const {
    const auto is_parameter = [&](const RuleParameter& parameter) { return parameter.name == name; };
    const bool is_text = find_text_name(rule_.scope, name).has_value();
    if (find_name(rule_.scope, name) != nullptr || (where == Where::message && (is_text || name == "value")) ||
        std::any_of(rule_.parameters.begin(), rule_.parameters.end(), is_parameter)) {
      return {};
    }
    if (is_text) {
      return fmt::format("'{}' is a text: only the message can quote it", name);
    }
    if (auto why = why_no_name(name, rule_.scope); !why.empty()) {
      return why;
    }
    std::vector<std::string> known;
    for (const auto& parameter : rule_.parameters) {
      known.push_back(parameter.name);
    }
    for (const auto& info : names_of(rule_.scope)) {
      known.push_back(info.name);
    }
    if (where == Where::message) {
      const auto texts = text_names_of(rule_.scope);
      known.insert(known.end(), texts.begin(), texts.end());
    }
    return fmt::format("unknown name '{}'{}", name, did_you_mean(name, known));
  }

  void parse_expression(std::string_view key, std::string& target) {
    const auto* entry = reader_.entry_of<std::string>(key, Need::required, "a string");
    if (entry == nullptr) {
      return;
    }
    const auto& text = std::get<std::string>(entry->value.value);
    const auto mistakes = check_expression(text, [&](std::string_view name) { return name_problem(name, Where::expression); });
    for (const auto& mistake : mistakes) {
      problems_.add(place_in_string(text_, entry->value, mistake.offset), fmt::format("'{}': {}", key, mistake.message));
    }
    if (mistakes.empty() && shown_ == Shown::nothing) {
      check_grammar(key, text, entry->value.at);
    }
    target = trim(text);
  }

  void check_grammar(std::string_view key, std::string_view text, Place at) {
    if (const auto compiled = Expression::compile(text); !compiled) {
      problems_.add(at, fmt::format("'{}': {}", key, compiled.error().message));
    }
  }

  void check_parameters_are_used() {
    auto used = names_in_expression(rule_.when);
    const auto in_value = names_in_expression(rule_.value);
    used.insert(used.end(), in_value.begin(), in_value.end());
    for (std::size_t i = 0; i < rule_.parameters.size(); ++i) {
      const auto& name = rule_.parameters[i].name;
      if (std::find(used.begin(), used.end(), name) == used.end()) {
        problems_.add(parameter_places_[i], fmt::format("parameter '{}' is used neither in 'when' nor in 'value'", name));
      }
    }
  }

  void parse_message() {
    const auto* entry = reader_.entry_of<std::string>("message", Need::required, "a string");
    if (entry == nullptr) {
      return;
    }
    const auto& text = std::get<std::string>(entry->value.value);
    rule_.message = trim(text);
    if (rule_.message.empty()) {
      problems_.add(entry->value.at, "'message' is empty");
    } else if (rule_.message.find('\n') != std::string::npos) {
      problems_.add(entry->value.at, "'message' must be one line");
    }
    for (const auto& mistake : parse_template(text, [&](std::string_view name) { return name_problem(name, Where::message); }).problems) {
      problems_.add(place_in_string(text_, entry->value, mistake.offset), "'message': " + mistake.message);
    }
  }

  void check_tests(Place at) {
    const auto fires = [](const RuleTest& test) { return test.fires; };
    if (std::none_of(rule_.tests.begin(), rule_.tests.end(), fires)) {
      problems_.add(at, "there is no test in which the rule fires");
    }
    if (std::all_of(rule_.tests.begin(), rule_.tests.end(), fires)) {
      problems_.add(at, "there is no test in which the rule does not fire");
    }
  }

  std::string_view text_;
  Shown shown_;
  Problems problems_;
  TableReader reader_;
  Rule rule_;
  std::vector<Place> parameter_places_;
};

}  // namespace

Result<Rule> parse_rule(std::string_view text, const std::string& file) {
  STAGEGATE_TRY_ASSIGN(document, parse_document(text, file));
  return RuleParser(text, document, file, Shown::nothing).parse();
}

Result<Rule> parse_builtin_rule(std::string_view text, const std::string& file) {
  // They come last in these files.
  const auto rule = text.substr(0, text.find("\n[[test]]\n"));
  STAGEGATE_TRY_ASSIGN(document, parse_document(rule, file));
  return RuleParser(rule, document, file, Shown::by_its_tests).parse();
}

}  // namespace stagegate
