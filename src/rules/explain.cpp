#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/text.h"
#include "rules/parameter_value.h"
#include "rules/rule.h"

namespace stagegate {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kIndent = 2;

// In characters, not bytes.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// Words of TEXT on lines of at most kWidth; the first line begins with FIRST, the others with as many spaces.
std::string wrap(const std::string& first, std::string_view text) {
  const std::string hanging(width_of(first), ' ');
  std::string lines;
  std::string line = first;
  bool line_has_word = false;
  for (const auto& word : split(text, ' ')) {
    if (word.empty()) {
      continue;
    }
    if (line_has_word && width_of(line) + 1 + width_of(word) > kWidth) {
      lines += line + "\n";
      line = hanging;
      line_has_word = false;
    }
    line += line_has_word ? " " + word : word;
    line_has_word = true;
  }
  return lines + line + "\n";
}

// Lines that belong together: a paragraph, or an item that begins with "- ".
std::vector<std::string> blocks_of(std::string_view text) {
  std::vector<std::string> blocks{""};
  for (const auto& raw : split(text, '\n')) {
    const std::string line(trim(raw));
    const bool begins = line.empty() || line.starts_with("- ");
    if (begins && !blocks.back().empty()) {
      blocks.emplace_back();
    }
    blocks.back() += (blocks.back().empty() || line.empty() ? "" : " ") + line;
  }
  std::erase(blocks, "");
  return blocks;
}

std::string prose(std::string_view text) {
  const std::string indent(kIndent, ' ');
  std::string lines;
  for (const auto& block : blocks_of(text)) {
    const bool item = block.starts_with("- ");
    lines += item ? wrap(indent + "- ", std::string_view(block).substr(2)) : wrap(indent, block);
  }
  return lines;
}

// As it was written, indented.
std::string verbatim(std::string_view text) {
  std::string lines;
  for (const auto& line : split(text, '\n')) {
    lines += fmt::format("{:{}}{}\n", "", kIndent, line);
  }
  return lines;
}

std::string section(std::string_view heading, const std::string& body) {
  return fmt::format("\n{}\n{}", heading, body);
}

std::string_view describe(ValueUnit unit) {
  switch (unit) {
    case ValueUnit::ratio:
      return "A ratio";
    case ValueUnit::bytes:
      return "Bytes";
    case ValueUnit::count:
      return "A count";
    case ValueUnit::percent:
      return "A percentage";
  }
  return "A ratio";
}

std::string value_section(const Rule& rule) {
  const auto tolerance = static_cast<double>(rule.tolerance_thousandths) / 10;
  const auto margin = rule.tolerance_thousandths == 0 ? std::string() : fmt::format("more than {} % ", tolerance);
  return verbatim(rule.value) +
         prose(fmt::format("{}; larger is worse. An accepted finding is worse where it is {}above its accepted value.", describe(rule.unit),
                           margin));
}

std::string parameters_section(const Rule& rule) {
  std::size_t name_width = 0;
  std::size_t value_width = 0;
  for (const auto& parameter : rule.parameters) {
    name_width = std::max(name_width, parameter.name.size());
    value_width = std::max(value_width, format_parameter(parameter.value, parameter.unit).size());
  }
  std::string lines;
  for (const auto& parameter : rule.parameters) {
    const auto first = fmt::format("{:{}}{:<{}}  {:<{}}  ", "", kIndent, parameter.name, name_width,
                                   format_parameter(parameter.value, parameter.unit), value_width);
    lines += wrap(first, join(blocks_of(parameter.help), " "));
  }
  return lines;
}

std::string level_text(Level level) {
  switch (level) {
    case Level::off:
      return "off: it is not looked at unless stagegate.toml gives it a level.";
    case Level::warning:
      return "warning: it is shown, and never fails a run.";
    case Level::error:
      return "error: a new finding, or a known one that is worse, fails the run.";
  }
  return {};
}

std::string level_section(const Rule& rule) {
  auto text = prose(level_text(rule.level));
  if (rule.first_only) {
    text += prose("It speaks of the stages where it starts: it is silent where one that the stage rests on fires it too.");
  }
  if (!rule.unless.empty()) {
    text += prose(fmt::format("It is silent where one of these speaks of the same stage: {}.", join(rule.unless, ", ")));
  }
  return text;
}

std::string settings_section(const Rule& rule) {
  std::string lines = fmt::format("  [rules.{}]\n  level = \"{}\"    # error, warning or off\n", rule.id, to_string(rule.level));
  for (const auto& parameter : rule.parameters) {
    lines += fmt::format("  {} = {}\n", parameter.name, write_parameter(parameter.value, parameter.unit));
  }
  lines += "\n  # for some jobs or variants; the first one that fits wins\n";
  lines += fmt::format("  [[rules.{}.override]]\n", rule.id);
  lines += "  job = \"nightly-*\"\n  variant = \"*\"\n  level = \"warning\"\n";
  return lines;
}

}  // namespace

std::string explain(const Rule& rule) {
  std::string text = wrap("", fmt::format("{}: {}", rule.id, rule.title)) + "\n" + prose(rule.summary);
  text += section(rule.scope == RuleScope::stage ? "Fires on a stage when" : "Fires on a run when", verbatim(rule.when));
  text += section("How bad it is", value_section(rule));
  if (!rule.parameters.empty()) {
    text += section("Parameters", parameters_section(rule));
  }
  text += section("Why it matters", prose(rule.why));
  text += section("What to do", prose(rule.advice));
  text += section("Level", level_section(rule));
  text += section("To change it, in stagegate.toml", settings_section(rule));
  return text + fmt::format("\nFrom {}\n", rule.file);
}

}  // namespace stagegate
