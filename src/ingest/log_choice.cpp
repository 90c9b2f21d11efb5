#include "ingest/log_choice.h"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units.h"

namespace stagegate {
namespace {

constexpr std::string_view kLatest = "latest";
constexpr std::size_t kMostRows = 50;
constexpr std::size_t kMostBytesAColumn = 60;

std::string when(const std::optional<std::int64_t>& start_ms) {
  return start_ms ? format_utc(*start_ms) : "-";
}

// Whatever it holds: a row stays one line.
std::string on_one_line(std::string_view text) {
  auto clean = clean_text(text);
  std::replace_if(
      clean.begin(), clean.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return clean;
}

std::string cell(const std::optional<std::string>& text) {
  return text ? on_one_line(shorten_middle(*text, kMostBytesAColumn)) : "-";
}

std::string id_of(const LogHead& head) {
  return head.id && head.attempt ? fmt::format("{}/{}", *head.id, *head.attempt) : head.id.value_or("-");
}

std::string table_of(std::span<const LogHead> logs) {
  std::vector<std::vector<std::string>> rows{{"application", "name", "started", "log"}};
  for (const auto& head : logs.first(std::min(logs.size(), kMostRows))) {
    rows.push_back({cell(id_of(head)), cell(head.name), when(head.start_ms), on_one_line(head.log)});
  }
  std::vector<std::size_t> widths(3, 0);
  for (const auto& row : rows) {
    for (std::size_t column = 0; column < widths.size(); ++column) {
      widths[column] = std::max(widths[column], row[column].size());
    }
  }
  std::string table;
  for (const auto& row : rows) {
    table += fmt::format("\n  {:{}}  {:{}}  {:{}}  {}", row[0], widths[0], row[1], widths[1], row[2], widths[2], row[3]);
  }
  return logs.size() > kMostRows ? table + fmt::format("\n  and {} more", logs.size() - kMostRows) : table;
}

bool is_named(const LogHead& head, std::string_view app) {
  return head.id == app || head.name == app || head.log == app || (head.attempt && id_of(head) == app);
}

std::vector<std::size_t> matching(std::span<const LogHead> logs, const LogChoice& choice) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    const bool wanted = choice.log ? logs[i].log == *choice.log : !choice.app || is_named(logs[i], *choice.app);
    if (wanted) {
      found.push_back(i);
    }
  }
  return found;
}

std::size_t latest(std::span<const LogHead> logs) {
  const auto last = std::max_element(logs.begin(), logs.end(), [](const LogHead& a, const LogHead& b) { return a.start_ms < b.start_ms; });
  return static_cast<std::size_t>(last - logs.begin());
}

std::vector<LogHead> select(std::span<const LogHead> logs, std::span<const std::size_t> chosen) {
  std::vector<LogHead> heads;
  for (const auto index : chosen) {
    heads.push_back(logs[index]);
  }
  return heads;
}

}  // namespace

bool take_head(LogHead& head, const Event& event) {
  if (const auto* start = std::get_if<ApplicationStart>(&event)) {
    head.id = start->id;
    head.name = start->name;
    head.attempt = start->attempt;
    head.start_ms = start->time_ms;
    return head.known();
  }
  return false;
}

bool LogChoice::allows(const LogHead& head) const {
  return !head.known() || !app || *app == kLatest || is_named(head, *app);
}

Result<std::size_t> choose(std::span<const LogHead> logs, const LogChoice& choice, std::string_view source) {
  if (choice.app == kLatest && !logs.empty()) {
    return latest(logs);
  }
  const auto found = matching(logs, choice);
  if (found.size() == 1) {
    return found.front();
  }
  if (found.empty()) {
    return fail(ErrorKind::usage,
                fmt::format("{} holds no application '{}', but {}:{}", source, choice.app.value_or(choice.log.value_or("")),
                            logs.size() == 1 ? "this one" : fmt::format("these {}", logs.size()), table_of(logs)));
  }
  const auto what = choice.app ? fmt::format("{} applications named '{}'; name one by its id", found.size(), *choice.app)
                               : fmt::format(
                                     "{} applications; name one with --app (its id, its name, or latest), or show them all with "
                                     "--all-apps",
                                     found.size());
  return fail(ErrorKind::usage, fmt::format("{} holds {}:{}", source, what, table_of(select(logs, found))));
}

}  // namespace stagegate
