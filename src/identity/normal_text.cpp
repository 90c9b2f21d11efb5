#include "identity/normal_text.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/text.h"
#include "identity/characters.h"
#include "identity/stable_text.h"

namespace stagegate {
namespace {

constexpr std::string_view kEllipsis = "...";

bool opens(char byte) {
  return byte == '(' || byte == '[' || byte == '{';
}

bool closes(char byte) {
  return byte == ')' || byte == ']' || byte == '}';
}

// Where the bracket that is open at POSITION was opened; npos where none is. Works backwards, so that an end that was cut off does no harm.
std::size_t enclosing_bracket(std::string_view text, std::size_t position, std::string_view wanted) {
  std::size_t depth = 0;
  while (position-- > 0) {
    if (closes(text[position])) {
      ++depth;
    } else if (opens(text[position]) && depth > 0) {
      --depth;
    } else if (wanted.find(text[position]) != std::string_view::npos) {
      return position;
    }
  }
  return std::string_view::npos;
}

// Where the list element that reaches up to END begins: after the last comma outside of brackets, with the comma.
std::size_t element_begin(std::string_view text, std::size_t list_begin, std::size_t end) {
  std::size_t begin = list_begin;
  std::size_t depth = 0;
  for (std::size_t i = list_begin; i < end; ++i) {
    if (opens(text[i])) {
      ++depth;
    } else if (closes(text[i]) && depth > 0) {
      --depth;
    } else if (text[i] == ',' && depth == 0) {
      begin = i;
    }
  }
  return begin;
}

// "..." and the " 3 more fields" that may follow.
std::size_t ellipsis_length(std::string_view text) {
  auto length = kEllipsis.size();
  if (text.substr(length).starts_with(' ')) {
    const auto digits = run_length(text.substr(length + 1), is_digit);
    if (text.substr(length + 1 + digits).starts_with(" more fields")) {
      length += 1 + digits + std::string_view(" more fields").size();
    }
  }
  return length;
}

// Lists that Spark cuts off are cut at a fixed length with the ids still in them: what is left of the last element moves.
std::string without_cut_elements(std::string text) {
  for (auto at = text.find(kEllipsis); at != std::string::npos; at = text.find(kEllipsis, at)) {
    const auto bracket = enclosing_bracket(text, at, "[");
    const auto begin = element_begin(text, bracket == std::string::npos ? 0 : bracket + 1, at);
    text.erase(begin, at + ellipsis_length(std::string_view(text).substr(at)) - begin);
    at = begin;
  }
  return text;
}

// "customer_id#12L" -> "customer_id"
std::string without_expression_ids(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digits = text[i] == '#' ? run_length(text.substr(i + 1), is_digit) : 0;
    if (digits == 0) {
      result += text[i];
      continue;
    }
    i += digits;
    if (i + 1 < text.size() && text[i + 1] == 'L' && (i + 2 == text.size() || !is_word(text[i + 2]))) {
      ++i;
    }
  }
  return result;
}

// ", [plan_id=54]", ", [id=]", ", [loreId=119]"
std::string without_plan_ids(std::string text) {
  for (const std::string_view key : {"[plan_id=", "[id=", "[loreId="}) {
    for (auto at = text.find(key); at != std::string::npos; at = text.find(key, at)) {
      const auto end = text.find(']', at);
      const auto begin = at >= 2 && text.compare(at - 2, 2, ", ") == 0 ? at - 2 : at;
      text.erase(begin, end == std::string::npos ? end : end + 1 - begin);
      at = begin;
    }
  }
  return text;
}

// "Serializer@3bd0a3bf" -> "Serializer", "$$Lambda$1571/993650587@7be7c052" -> "$$Lambda"
std::string without_object_numbers(std::string_view text) {
  constexpr std::string_view lambda = "$$Lambda";
  std::string result;
  std::size_t at = 0;
  while (at < text.size()) {
    const auto rest = text.substr(at);
    const auto hash = rest.front() == '@' ? run_length(rest.substr(1), is_hex_digit) : 0;
    if (hash >= 5) {
      at += 1 + hash;
    } else if (rest.starts_with(lambda)) {
      result += lambda;
      at += lambda.size() + run_length(rest.substr(lambda.size()),
                                       [](char byte) { return is_hex_digit(byte) || byte == '$' || byte == '/' || byte == 'x'; });
    } else {
      result += text[at++];
    }
  }
  return result;
}

// Removes the number that is the only or the last argument of each call of FUNCTION.
std::string without_last_number(std::string text, std::string_view function) {
  for (auto at = text.find(function); at != std::string::npos; at = text.find(function, at + function.size())) {
    const auto open = at + function.size() - 1;
    std::size_t end = open + 1;
    for (std::size_t depth = 1; end < text.size(); ++end) {
      depth += opens(text[end]) ? 1U : 0U;
      depth -= closes(text[end]) ? 1U : 0U;
      if (depth == 0) {
        break;
      }
    }
    auto begin = end;
    while (begin > open + 1 && (is_digit(text[begin - 1]) || text[begin - 1] == '-')) {
      --begin;
    }
    const bool alone = begin == open + 1;
    const bool last = begin >= 2 && text.compare(begin - 2, 2, ", ") == 0;
    if (alone || last) {
      text.erase(last ? begin - 2 : begin, end - (last ? begin - 2 : begin));
    }
  }
  return text;
}

std::string without_numbers_that_move(std::string text) {
  // Cores decide the numbers of partitions and splits; unseeded functions draw a new seed in each run.
  for (const std::string_view function : {"partitioning(", "Partitioning(", "rand(", "randn(", "uuid(", "shuffle("}) {
    text = without_last_number(std::move(text), function);
  }
  if (const auto splits = text.find(", splits="); text.starts_with("Range") && splits != std::string::npos) {
    text.erase(splits, run_length(std::string_view(text).substr(splits), [](char byte) { return byte != ')'; }));
  }
  if (text.starts_with("Sample ")) {
    text.erase(std::min(text.size(), text.rfind(", ")));
  }
  return text;
}

// 4.3 appends a flag to join nodes, 3.x had one less; "skew=true" is for adaptive execution to decide.
std::string without_join_flags(std::string text) {
  const auto name = text.substr(0, run_length(text, is_word));
  if (!name.ends_with("Join")) {
    return text;
  }
  if (const std::string_view skew = "(skew=true)"; text.compare(name.size(), skew.size(), skew) == 0) {
    text.erase(name.size(), skew.size());
  }
  while (text.ends_with(", true") || text.ends_with(", false")) {
    text.erase(text.rfind(", "));
  }
  return text;
}

std::string with_each_replaced(std::string text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

// What a write names first is its path, which may hold commas and blanks: it ends where the next argument, a flag, begins. The options
// repeat it: "InsertIntoHadoopFsRelationCommand file:/lake/a, b/out, false, Parquet, [path=/lake/a, b/out], Overwrite, [id]".
std::string with_name_of_written_place(std::string text) {
  constexpr std::string_view command = "InsertIntoHadoopFsRelationCommand ";
  const auto at = text.find(command);
  if (at == std::string::npos || !begins_path(std::string_view(text).substr(at + command.size()))) {
    return text;
  }
  const auto begin = at + command.size();
  const auto end = std::min(text.find(", false, ", begin), text.find(", true, ", begin));
  if (end == std::string::npos) {
    return text;
  }
  const auto url = text.substr(begin, end - begin);
  const auto path = url.substr(url.find('/'));
  const auto name = place_name(url);
  return path.size() < 2 ? text : with_each_replaced(with_each_replaced(std::move(text), url, name), path, name);
}

// "*(3) HashAggregate" -> "HashAggregate"
std::string_view without_codegen_mark(std::string_view text) {
  return text.starts_with("*(") && text.find(") ") != std::string_view::npos ? text.substr(text.find(") ") + 2) : text;
}

// "[a, b]", but not "[a], [b]"
bool is_one_list(std::string_view text) {
  return text.starts_with('[') && text.ends_with(']') && enclosing_bracket(text, text.size() - 1, "[") == 0;
}

}  // namespace

std::string_view without_accelerator(std::string_view name) {
  for (const std::string_view prefix : {"Gpu", "Photon"}) {
    if (name.size() > prefix.size() && name.starts_with(prefix)) {
      return name.substr(prefix.size());
    }
  }
  return name;
}

std::string normal_text(std::string_view simple_string) {
  auto text = with_name_of_written_place(std::string(without_codegen_mark(without_accelerator(simple_string))));
  text = without_cut_elements(std::move(text));
  text = without_plan_ids(without_expression_ids(text));
  text = without_numbers_that_move(without_object_numbers(text));
  return with_place_names(without_moving_parts(without_join_flags(std::move(text))));
}

std::vector<std::string> elements_of(std::string_view list) {
  if (is_one_list(list)) {
    list = list.substr(1, list.size() - 2);
  }
  std::vector<std::string> elements;
  std::size_t begin = 0;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (opens(list[i])) {
      ++depth;
    } else if (closes(list[i]) && depth > 0) {
      --depth;
    } else if (list[i] == ',' && depth == 0) {
      elements.emplace_back(trim(list.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  if (const auto last = trim(list.substr(begin)); !last.empty()) {
    elements.emplace_back(last);
  }
  return elements;
}

std::vector<std::string> arguments_of(std::string_view normal_text) {
  auto rest = normal_text.substr(run_length(normal_text, is_word));
  if (rest.starts_with('(') && rest.ends_with(')')) {
    rest = rest.substr(1, rest.size() - 2);
  }
  return elements_of(trim(rest));
}

}  // namespace stagegate
