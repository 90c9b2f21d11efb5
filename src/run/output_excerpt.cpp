#include "run/output_excerpt.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace stagegate {
namespace {

constexpr std::string_view kTraceback = "Traceback (most recent call last):";

using Lines = std::vector<std::string>;

bool begins_with_one_of(std::string_view line, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [line](std::string_view begin) { return line.starts_with(begin); });
}

bool is_date_or_time(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789/-:.,TZ") == std::string_view::npos && word.front() >= '0' &&
         word.front() <= '9';
}

bool is_low_level(std::string_view word) {
  constexpr std::array<std::string_view, 5> kLevels{"INFO", "WARN", "DEBUG", "TRACE", "WARNING"};
  return std::find(kLevels.begin(), kLevels.end(), word) != kLevels.end();
}

std::string_view take_word(std::string_view& line) {
  line = trim(line);
  const auto word = line.substr(0, line.find(' '));
  line.remove_prefix(word.size());
  return word;
}

// "26/11/29 17:45:13 WARN NativeCodeLoader: ...", "2026-11-29T17:45:13,123 INFO ...": dates and times, then a level.
bool is_log_line(std::string_view line) {
  if (line.starts_with(R"({"ts":)")) {
    return line.find(R"("level":"ERROR")") == std::string_view::npos;
  }
  std::string_view word = take_word(line);
  if (!is_date_or_time(word)) {
    return false;
  }
  while (is_date_or_time(word)) {
    word = take_word(line);
  }
  return is_low_level(word);
}

bool is_library_frame(std::string_view line) {
  const auto text = trim(line);
  if (text.starts_with("... ") && text.ends_with(" more")) {
    return true;
  }
  constexpr std::string_view kAt = "at ";
  return text.starts_with(kAt) && begins_with_one_of(text.substr(kAt.size()), {"org.apache.", "java.", "scala.", "jdk.", "sun.", "py4j."});
}

bool is_start_up_line(std::string_view line) {
  return begins_with_one_of(line, {"Setting default log level to ", "To adjust logging level use ", "Using Spark's default log4j profile",
                                   "WARNING: ", "NOTE: Picked up ", "Picked up ", "Setting Spark log level to ", "[Stage ",
                                   ":: ", "Spark Web UI available at ", "Spark master: "});
}

bool is_blank(std::string_view line) {
  return trim(line).empty();
}

// One past the last line of the traceback that begins at BEGIN: indented lines, then the exception with what belongs to its message. A
// message may have several lines; it ends at a frame of Java, at an empty line or at somebody else's log line.
std::size_t traceback_end(const Lines& lines, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < lines.size() && (lines[end].starts_with(' ') || is_blank(lines[end]))) {
    ++end;
  }
  end = std::min(end + 1, lines.size());
  while (end < lines.size() && !is_blank(lines[end]) && !is_noise(lines[end]) && !trim(lines[end]).starts_with("at ")) {
    ++end;
  }
  return end;
}

// A listener that took long has its event printed, a whole plan often: "... AsyncEventQueue: Process of event SparkListenerX(...", many
// lines, "...) by listener EventLoggingListener took 1.28s.".
Lines without_event_dumps(const Lines& lines) {
  Lines kept;
  bool in_dump = false;
  for (const auto& line : lines) {
    in_dump = in_dump || line.find(" AsyncEventQueue: Process of event ") != std::string::npos;
    if (!in_dump) {
      kept.push_back(line);
    } else if (line.find("listener ") != std::string::npos && line.find(" took ") != std::string::npos) {
      in_dump = false;
    }
  }
  return in_dump ? lines : kept;
}

// Head and tail: the head of a traceback has the user's own line, the tail the exception.
Lines shortened(Lines lines, std::size_t max_lines) {
  if (lines.size() <= max_lines) {
    return lines;
  }
  const auto tail = static_cast<std::ptrdiff_t>(max_lines - max_lines / 2);
  const auto head = static_cast<std::ptrdiff_t>(max_lines) - tail - 1;
  Lines result(lines.end() - tail, lines.end());
  if (head >= 0) {
    result.insert(result.begin(), "  ...");
    result.insert(result.begin(), lines.begin(), lines.begin() + head);
  }
  return result;
}

std::vector<std::size_t> traceback_begins(const Lines& lines) {
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (trim(lines[i]) == kTraceback) {
      begins.push_back(i);
    }
  }
  return begins;
}

}  // namespace

bool is_noise(std::string_view line) {
  return is_log_line(line) || is_library_frame(line) || is_start_up_line(line);
}

std::vector<std::string> last_traceback(std::string_view text, std::size_t max_lines) {
  const auto lines = split(text, '\n');
  auto begins = traceback_begins(lines);
  if (begins.empty()) {
    return {};
  }
  auto begin = begins.back();
  const auto end = traceback_end(lines, begin);
  for (begins.pop_back(); !begins.empty() && traceback_end(lines, begins.back()) > begin; begins.pop_back()) {
    begin = begins.back();
  }
  return shortened(Lines(lines.begin() + static_cast<std::ptrdiff_t>(begin), lines.begin() + static_cast<std::ptrdiff_t>(end)), max_lines);
}

std::vector<std::string> last_telling_lines(std::string_view text, std::size_t max_lines) {
  auto lines = without_event_dumps(split(text, '\n'));
  std::erase_if(lines, [](const auto& line) { return is_blank(line) || is_noise(line); });
  const auto dropped = lines.size() - std::min(lines.size(), max_lines);
  lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(dropped));
  return lines;
}

}  // namespace stagegate
