#include "identity/stable_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/text.h"
#include "identity/characters.h"

namespace stagegate {
namespace {

// The moving parts: each takes the rest of a text at the start of a word and says how many bytes of it are such a part, or 0.

std::size_t uuid_length(std::string_view text) {
  constexpr std::array<std::size_t, 5> groups{8, 4, 4, 4, 12};
  std::size_t at = 0;
  for (const auto group : groups) {
    if (at > 0) {
      if (at >= text.size() || text[at] != '-') {
        return 0;
      }
      ++at;
    }
    if (run_length(text.substr(at, group), is_hex_digit) != group) {
      return 0;
    }
    at += group;
  }
  return at;
}

bool is_year(std::string_view digits) {
  return digits.starts_with("19") || digits.starts_with("20");
}

// 2026-11-29, 2026_11_29, 2026.11.29, 2026/11/29; digits without separators are a matter of number_length().
std::size_t date_length(std::string_view text) {
  if (text.size() < 10 || !is_year(text) || run_length(text, is_digit) != 4) {
    return 0;
  }
  const char separator = text[4];
  const bool is_date = std::string_view("-_./").find(separator) != std::string_view::npos && run_length(text.substr(5), is_digit) == 2 &&
                       text[7] == separator && run_length(text.substr(8), is_digit) == 2;
  return is_date ? 10 : 0;
}

// 17:45, 17:45:13, 17:45:13.123
std::size_t time_length(std::string_view text) {
  if (run_length(text, is_digit) != 2 || text.size() < 5 || text[2] != ':' || run_length(text.substr(3), is_digit) != 2) {
    return 0;
  }
  std::size_t at = 5;
  while (at + 1 < text.size() && (text[at] == ':' || text[at] == '.') && is_digit(text[at + 1])) {
    at += 1 + run_length(text.substr(at + 1), is_digit);
  }
  return at;
}

// 20261129, 20261129174513, 1795980023777, 3bd0a3bf3bd0a3bf3bd0a3bf3bd0a3bf: digits that nobody writes for their value.
std::size_t number_length(std::string_view text) {
  const auto digits = run_length(text, is_digit);
  if ((digits == 8 && is_year(text)) || digits > 8) {
    return digits;
  }
  const auto hex = run_length(text, is_hex_digit);
  return hex >= 32 ? hex : 0;
}

std::size_t moving_length(std::string_view text) {
  for (auto* const length_of : {uuid_length, date_length, time_length, number_length}) {
    const auto length = length_of(text);
    if (length > 0 && (length == text.size() || !is_digit(text[length]))) {
      return length;
    }
  }
  return 0;
}

std::string_view trim_any(std::string_view text, std::string_view bytes) {
  const auto first = text.find_first_not_of(bytes);
  return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(bytes) - first + 1);
}

// What mkdtemp, Python's tempfile and Java make: tmp.Ab12Cd, tmpk3j2l1m0.
bool is_temporary(std::string_view part) {
  return part.starts_with("_temporary") || (part.starts_with("tmp") && part.size() >= 9);
}

// The part of a path without what moves; "" where all of it moves.
std::string stable_part(std::string_view part) {
  if (part.find('=') != std::string_view::npos || part.starts_with("part-") || is_temporary(part)) {
    return {};
  }
  const auto text = without_moving_parts(part);
  const auto stable = trim_any(text, "-_.*");
  return std::any_of(stable.begin(), stable.end(), [](char byte) { return !is_digit(byte); }) ? std::string(stable) : std::string();
}

bool ends_path(char byte) {
  return std::string_view(" \t\n,;()[]{}\"'").find(byte) != std::string_view::npos;
}

// A word that may be a path, with the key of an option ("path=/a/b") left in front.
std::string with_place_name(std::string_view word) {
  const auto slash = word.find('/');
  if (slash == std::string_view::npos || word.size() == 1) {
    return std::string(word);
  }
  const auto key = word.substr(0, slash).rfind('=');
  const auto begin = key == std::string_view::npos ? 0 : key + 1;
  return std::string(word.substr(0, begin)) + place_name(word.substr(begin));
}

// Files of the JDK from which Spark's threads and Py4J's calls come, and shells.
bool says_nothing(std::string_view file) {
  constexpr std::array<std::string_view, 11> files{
      "NativeMethodAccessorImpl.java",
      "DirectMethodHandleAccessor.java",
      "CompletableFuture.java",
      "FutureTask.java",
      "Executors.java",
      "ThreadPoolExecutor.java",
      "ForkJoinTask.java",
      "Method.java",
      "Thread.java",
      "<console>",
      "<unknown>",
  };
  return std::find(files.begin(), files.end(), file) != files.end();
}

std::string method_name(std::string_view method) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> names{{
      {"collectToPython", "collect"},
      {"collectAsArrowToPython", "toPandas"},
      {"showString", "show"},
      {"getRowsToPython", "show"},
  }};
  if (method.find('$') != std::string_view::npos) {
    return {};
  }
  const auto* const name = std::find_if(names.begin(), names.end(), [&](const auto& pair) { return pair.first == method; });
  return std::string(name == names.end() ? method : name->second);
}

// "load at job.py:12" -> "load at job.py"
std::string without_line_numbers(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digits = text[i] == ':' && i > 0 && is_letter(text[i - 1]) ? run_length(text.substr(i + 1), is_digit) : 0;
    if (digits > 0 && (i + 1 + digits == text.size() || !is_word(text[i + 1 + digits]))) {
      i += digits;
    } else {
      result += text[i];
    }
  }
  return result;
}

// What a UUID or a date leaves behind: "load ()" -> "load "
std::string without_empty_brackets(std::string text) {
  for (const std::string_view brackets : {"()", "[]"}) {
    for (auto at = text.find(brackets); at != std::string::npos; at = text.find(brackets, at)) {
      text.erase(at, brackets.size());
    }
  }
  return text;
}

bool is_made_by_spark(std::string_view line) {
  constexpr std::array<std::string_view, 4> beginnings{"broadcast exchange", "listing leaf files", "id = ", "runid = "};
  const auto lower = to_lower_ascii(line.substr(0, 32));
  return parse_call_site(line) ||
         std::any_of(beginnings.begin(), beginnings.end(), [&](std::string_view beginning) { return lower.starts_with(beginning); });
}

}  // namespace

std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char byte : text) {
    const bool blank = static_cast<unsigned char>(byte) <= ' ' || byte == 0x7f;
    if (!blank) {
      line += byte;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  return std::string(trim(line));
}

std::string without_moving_parts(std::string_view text) {
  std::string result;
  std::size_t at = 0;
  while (at < text.size()) {
    const bool starts_word = at == 0 || (!is_digit(text[at - 1]) && !is_letter(text[at - 1]));
    if (const auto length = starts_word ? moving_length(text.substr(at)) : 0; length > 0) {
      at += length;
    } else {
      result += text[at++];
    }
  }
  return result;
}

std::string place_name(std::string_view path) {
  const auto parts = split(path.substr(0, path.find('?')), '/');
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (auto stable = stable_part(*part); !stable.empty() && !part->ends_with(':')) {
      return stable;
    }
  }
  return "files";
}

bool begins_path(std::string_view text) {
  const auto scheme =
      run_length(text, [](char byte) { return is_letter(byte) || is_digit(byte) || byte == '+' || byte == '-' || byte == '.'; });
  return text.starts_with('/') || (scheme > 0 && text.substr(scheme).starts_with(":/"));
}

std::string_view first_path(std::string_view list) {
  constexpr std::string_view separator = ", ";
  for (auto at = list.find(separator); at != std::string_view::npos; at = list.find(separator, at + 1)) {
    const auto next = list.substr(at + separator.size());
    if (begins_path(next) || next.starts_with("...")) {
      return list.substr(0, at);
    }
  }
  return list;
}

std::string with_place_names(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto word = run_length(text, [](char byte) { return !ends_path(byte); });
    result += with_place_name(text.substr(0, word));
    const auto gap = run_length(text.substr(word), ends_path);
    result += text.substr(word, gap);
    text.remove_prefix(word + gap);
  }
  return result;
}

std::optional<CallSite> parse_call_site(std::string_view text) {
  const auto at = text.find(" at ");
  const auto colon = text.rfind(':');
  const bool has_parts = at != std::string_view::npos && at > 0 && colon != std::string_view::npos && colon > at + 4;
  if (!has_parts || text.substr(0, at).find(' ') != std::string_view::npos || colon + 1 == text.size() ||
      run_length(text.substr(colon + 1), is_digit) != text.size() - colon - 1) {
    return std::nullopt;
  }
  auto file = text.substr(at + 4, colon - at - 4);
  file = file.substr(file.find_last_of("/\\") + 1);
  return CallSite{.method = method_name(text.substr(0, at)), .file = says_nothing(file) ? std::string() : std::string(file)};
}

std::string to_string(const CallSite& call_site) {
  if (call_site.method.empty() || call_site.file.empty()) {
    return call_site.method.empty() ? call_site.file : call_site.method;
  }
  return call_site.method + " at " + call_site.file;
}

std::string authored_text(std::string_view text) {
  text = trim(text);
  const auto line = trim(text.substr(0, std::min(text.find('\n'), text.find("<br"))));
  if (is_made_by_spark(line)) {
    return {};
  }
  const auto stable = on_one_line(without_empty_brackets(without_line_numbers(without_moving_parts(line))));
  const auto words = trim_any(stable, " -_:;,./=");
  return std::any_of(words.begin(), words.end(), [](char byte) { return !is_digit(byte); }) ? std::string(words) : std::string();
}

}  // namespace stagegate
