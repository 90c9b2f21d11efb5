#include "rules/message_template.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "rules/expression.h"

namespace stagegate {
namespace {

class TemplateParser {
 public:
  TemplateParser(std::string_view text, const NameCheck& name_problem) : text_(text), name_problem_(name_problem) {}

  ParsedTemplate parse() && {
    result_.sections.emplace_back();
    while (at_ < text_.size()) {
      step();
    }
    if (section().optional) {
      problem(section_at_, "'[' has no ']'; write '[[' for the bracket itself");
    }
    std::erase_if(result_.sections, [](const TemplateSection& one) { return one.parts.empty(); });
    return std::move(result_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (std::string_view("{}[]").find(c) == std::string_view::npos) {
      add_text(c);
    } else if (at_ + 1 < text_.size() && text_[at_ + 1] == c) {
      add_text(c);
      ++at_;
    } else if (c == '{') {
      take_name();
    } else if (c == '}') {
      problem(at_, "'}' has no '{'; write '}}' for the bracket itself");
    } else if (c == '[') {
      open_section();
    } else {
      close_section();
    }
    ++at_;
  }

  // Ends on the closing bracket.
  void take_name() {
    const auto end = text_.find_first_of("{}[]", at_ + 1);
    if (end == std::string_view::npos || text_[end] != '}') {
      problem(at_, "'{' has no '}'; write '{{' for the bracket itself");
      return;
    }
    const auto name = text_.substr(at_ + 1, end - at_ - 1);
    if (auto mistake = name.empty() ? std::string("a name is missing in '{}'") : name_problem_(name); !mistake.empty()) {
      problem(at_ + 1, std::move(mistake));
    }
    section().parts.push_back({std::string(name), true});
    at_ = end;
  }

  void open_section() {
    if (section().optional) {
      problem(at_, "a '[' inside of '[ ]'; write '[[' for the bracket itself");
      return;
    }
    section_at_ = at_;
    result_.sections.push_back({.optional = true, .parts = {}});
  }

  void close_section() {
    if (!section().optional) {
      problem(at_, "']' has no '['; write ']]' for the bracket itself");
      return;
    }
    const auto& parts = section().parts;
    if (std::none_of(parts.begin(), parts.end(), [](const TemplatePart& part) { return part.is_name; })) {
      problem(section_at_, "'[ ]' has no name in it, so it would never be shown");
    }
    result_.sections.emplace_back();
  }

  void add_text(char c) {
    auto& parts = section().parts;
    if (parts.empty() || parts.back().is_name) {
      parts.emplace_back();
    }
    parts.back().text += c;
  }

  void problem(std::size_t offset, std::string message) { result_.problems.push_back({offset, std::move(message)}); }

  TemplateSection& section() { return result_.sections.back(); }

  std::string_view text_;
  const NameCheck& name_problem_;
  ParsedTemplate result_;
  std::size_t at_ = 0;
  std::size_t section_at_ = 0;
};

}  // namespace

ParsedTemplate parse_template(std::string_view text, const NameCheck& name_problem) {
  return TemplateParser(text, name_problem).parse();
}

std::string fill_template(const MessageTemplate& sections, const std::function<PrintedValue(const std::string& name)>& print) {
  std::string message;
  for (const auto& section : sections) {
    std::string text;
    bool says_something = !section.optional;
    for (const auto& part : section.parts) {
      if (!part.is_name) {
        text += part.text;
        continue;
      }
      const auto printed = print(part.text);
      says_something = says_something || is_true(printed.value);
      text += is_unknown(printed.value) ? "unknown" : printed.text;
    }
    if (says_something) {
      message += text;
    }
  }
  return message;
}

}  // namespace stagegate
