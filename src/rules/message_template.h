// A rule's message with places for numbers: "one task reads {shuffle_read.max}, {value} the median".
//
//   {name}    a name of the rule's scope, a text of it (rules/text_names.h), a parameter, or `value`; what is unknown is printed as
//   "unknown" [ ... ]   is left out where every name in it is unknown or 0
//   {{ }} [[ ]]   the brackets themselves
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/expression_check.h"

namespace stagegate {

struct TemplatePart {
  std::string text;  // a name or literal text
  bool is_name = false;
};

struct TemplateSection {
  bool optional = false;  // written in [ ]
  std::vector<TemplatePart> parts;
};

using MessageTemplate = std::vector<TemplateSection>;

struct TemplateProblem {
  std::size_t offset = 0;  // in bytes, into the template
  std::string message;
};

struct ParsedTemplate {
  MessageTemplate sections;
  std::vector<TemplateProblem> problems;  // the sections are of use only where there are none
};

ParsedTemplate parse_template(std::string_view text, const NameCheck& name_problem);

struct PrintedValue {
  double value = 0;  // NaN: unknown
  std::string text;
};

std::string fill_template(const MessageTemplate& sections, const std::function<PrintedValue(const std::string& name)>& print);

}  // namespace stagegate
