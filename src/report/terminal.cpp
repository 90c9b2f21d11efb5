#include "report/terminal.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include <fmt/format.h>

#include "base/text.h"

namespace stagegate {
namespace {

constexpr std::string_view kReset = "\x1b[0m";

std::string_view escape_of(Style style) {
  switch (style) {
    case Style::plain:
      return "";
    case Style::bold:
      return "\x1b[1m";
    case Style::dim:
      return "\x1b[2m";
    case Style::red:
      return "\x1b[31m";
    case Style::yellow:
      return "\x1b[33m";
    case Style::green:
      return "\x1b[32m";
  }
  return "";
}

bool begins_code_point(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

// The first WIDTH code points.
std::string_view prefix(std::string_view text, std::size_t width) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (begins_code_point(text[i]) && seen++ == width) {
      return text.substr(0, i);
    }
  }
  return text;
}

std::string cut(std::string text, std::size_t max_width) {
  constexpr std::string_view kDots = "...";
  if (max_width == kNoLimit || display_width(text) <= max_width) {
    return text;
  }
  const auto kept = prefix(text, max_width - std::min(max_width, kDots.size()));
  return fmt::format("{}{}", trim(kept), kDots);
}

std::vector<std::string> words_of(std::string_view line) {
  auto words = split(line, ' ');
  std::erase(words, "");
  return words;
}

void wrap_line(std::string_view line, std::size_t width, std::vector<std::string>& lines) {
  std::string current;
  for (const auto& word : words_of(line)) {
    if (!current.empty() && display_width(current) + 1 + display_width(word) > width) {
      lines.push_back(std::move(current));
      current.clear();
    }
    current += current.empty() ? word : " " + word;
  }
  lines.push_back(std::move(current));
}

// Without what paint() puts around it.
std::string without_paint(std::string_view text) {
  std::string bare;
  while (!text.empty()) {
    const auto escape = text.find("\x1b[");
    bare += text.substr(0, escape);
    text = escape == std::string_view::npos ? std::string_view() : text.substr(std::min(text.find('m', escape), text.size() - 1) + 1);
  }
  return bare;
}

}  // namespace

std::string paint(std::string_view text, Style style, Color color) {
  if (color == Color::off || style == Style::plain || text.empty()) {
    return std::string(text);
  }
  return fmt::format("{}{}{}", escape_of(style), text, kReset);
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_code_point));
}

std::string one_line(std::string_view text, std::size_t max_width) {
  auto clean = clean_text(text);
  std::replace(clean.begin(), clean.end(), '\n', ' ');
  std::replace(clean.begin(), clean.end(), '\t', ' ');
  return cut(join(words_of(clean), " "), max_width);
}

std::string first_line(std::string_view text, std::size_t max_width) {
  for (const auto& line : split(text, '\n')) {
    if (auto clean = one_line(line, max_width); !clean.empty()) {
      return clean;
    }
  }
  return {};
}

std::vector<std::string> clean_lines(std::string_view text) {
  auto lines = split(clean_text(text), '\n');
  while (!lines.empty() && trim(lines.back()).empty()) {
    lines.pop_back();
  }
  return lines;
}

std::string without_ci_commands(std::string_view line) {
  std::string safe = trim(line).starts_with("::") ? fmt::format("| {}", line) : std::string(line);
  for (const std::string_view command : {"##[", "##vso["}) {
    for (auto at = safe.find(command); at != std::string::npos; at = safe.find(command, at + command.size())) {
      safe.insert(at + 2, " ");
    }
  }
  return safe;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  for (const auto& line : clean_lines(text)) {
    wrap_line(line, width, lines);
  }
  return lines;
}

std::string fit_to_window(std::string_view text, std::size_t rows, std::size_t columns) {
  const auto lines = split(text.ends_with('\n') ? text.substr(0, text.size() - 1) : text, '\n');
  std::vector<std::size_t> heights;
  std::transform(lines.begin(), lines.end(), std::back_inserter(heights), [&](const std::string& line) {
    return std::max<std::size_t>((display_width(without_paint(line)) + columns - 1) / std::max<std::size_t>(columns, 1), 1);
  });
  if (std::accumulate(heights.begin(), heights.end(), std::size_t{0}) <= rows) {
    return std::string(text);
  }
  auto left = std::max<std::size_t>(rows, 1) - 1;  // one says what is left out
  const auto left_behind = left - left / 3;
  std::string front;
  std::size_t begin = 0;
  for (; heights[begin] + left_behind <= left; ++begin) {
    left -= heights[begin];
    front += lines[begin] + "\n";
  }
  std::string behind;
  auto end = lines.size();
  for (; heights[end - 1] <= left; --end) {
    left -= heights[end - 1];
    behind.insert(0, lines[end - 1] + "\n");
  }
  return fmt::format("{}... {} for which the window is too small ...\n{}", front, counted(end - begin, "line"), behind);
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace stagegate
