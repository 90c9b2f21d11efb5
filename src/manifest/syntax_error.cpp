#include "manifest/syntax_error.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "base/text.h"

namespace stagegate::manifest {
namespace {

constexpr std::string_view kQuoteTheKeys =
    "a key cannot have a value and be the beginning of other keys too; put quotes around such keys: \"spark.speculation\" = true, "
    "\"spark.speculation.interval\" = 1";
constexpr std::string_view kQuoteTheText = "a string needs quotes around it";
constexpr std::string_view kBackslash = "a '\\' in \"...\" begins an escape sequence; write '...' around a string with backslashes";
constexpr std::string_view kOneLine =
    "an inline table { ... } must stand on one line; write a table with a header of its own instead, such as [defaults.conf]";

struct Sentence {
  std::string_view part;       // of the description
  std::string_view more_part;  // of it too
  std::string_view sentence;
};

// The first row that fits is taken.
constexpr std::array<Sentence, 20> kSentences{{
    {"cannot redefine existing boolean ", "as dotted", kQuoteTheKeys},
    {"cannot redefine existing integer ", "as dotted", kQuoteTheKeys},
    {"cannot redefine existing floating-point ", "as dotted", kQuoteTheKeys},
    {"cannot redefine existing string ", "as dotted", kQuoteTheKeys},
    {"cannot redefine existing boolean ", "as table", kQuoteTheKeys},
    {"cannot redefine existing integer ", "as table", kQuoteTheKeys},
    {"cannot redefine existing floating-point ", "as table", kQuoteTheKeys},
    {"cannot redefine existing string ", "as table", kQuoteTheKeys},
    {"key-value pair: cannot redefine existing table '", "", kQuoteTheKeys},
    {"inline table: ", "saw '\\n'", kOneLine},
    {"inline table: ", "saw '\\r'", kOneLine},
    {"inline table: ", "saw '#'", kOneLine},
    {"dangling comma", "", "an inline table { ... } must not end in a comma"},
    {"could not determine value type", "", kQuoteTheText},
    {"expected a comment or whitespace", "key-value pair", "one value may stand behind '=', and a string needs quotes around it"},
    {"parsing boolean: ", "", "a string needs quotes around it, and true and false are written in small letters"},
    {"unknown escape sequence", "", kBackslash},
    {"unicode scalar sequence", "", kBackslash},
    {"invalid utf-8", "", "bytes that are not UTF-8 at or behind this place; save the file as UTF-8"},
    {"leading zeroes", "", "a number must not begin with a zero; put quotes around it if it is a string"},
}};

bool is_conflict_marker(std::string_view line) {
  constexpr std::array<std::string_view, 4> kMarkers{"<<<<<<<", "=======", ">>>>>>>", "|||||||"};
  return std::any_of(kMarkers.begin(), kMarkers.end(), [&](std::string_view marker) { return line.starts_with(marker); });
}

std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & '\xC0') != '\x80'; }));
}

// toml++ stops behind the line's last character where a string goes on over the end of the line.
bool is_unclosed_string(std::string_view description, std::string_view line, std::uint32_t column) {
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  return description.find("control characters") != std::string_view::npos && column > code_points(line);
}

// The name in "... cannot redefine existing table 'jobs.a'", where that is all that is said.
std::optional<std::string_view> written_twice(std::string_view description) {
  const auto begin = description.find("cannot redefine existing ");
  const auto quote = description.find('\'', begin);
  if (begin == std::string_view::npos || quote == std::string_view::npos || !description.ends_with('\'')) {
    return std::nullopt;
  }
  return description.substr(quote, description.size() - quote);
}

std::optional<std::string> known_sentence(std::string_view description) {
  for (const auto& row : kSentences) {
    if (description.find(row.part) != std::string_view::npos && description.find(row.more_part) != std::string_view::npos) {
      return std::string(row.sentence);
    }
  }
  if (const auto name = written_twice(description)) {
    return fmt::format("{} is written twice", *name);
  }
  return std::nullopt;
}

// "Error while parsing array: expected comma, saw '\n'" -> "array: expected comma, saw the end of the line"
std::string in_their_words(std::string_view description) {
  constexpr std::string_view kPrefix = "Error while parsing ";
  if (description.starts_with(kPrefix)) {
    description.remove_prefix(kPrefix.size());
  }
  std::string words(description);
  for (const std::string_view end_of_line : {"'\\n'", "'\\r'"}) {
    if (const auto at = words.find(end_of_line); at != std::string::npos) {
      words.replace(at, end_of_line.size(), "the end of the line");
    }
  }
  return words;
}

}  // namespace

std::string describe_syntax_error(std::string_view description, std::string_view line, std::uint32_t column) {
  if (is_conflict_marker(line)) {
    return "a git conflict marker; resolve the conflict in this file first";
  }
  if (is_unclosed_string(description, line, column)) {
    return "not TOML: a string must be closed on the line where it begins";
  }
  return fmt::format("not TOML: {}", known_sentence(description).value_or(in_their_words(description)));
}

}  // namespace stagegate::manifest
