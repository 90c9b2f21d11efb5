#include "report/spread.h"

#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units.h"

namespace stagegate {
namespace {

std::vector<std::size_t> buckets_of(const PackedColumn& column, const Distribution& values) {
  if (column.empty() || values.min == values.max) {
    return {};
  }
  std::vector<std::size_t> buckets(kBuckets, 0);
  const double first = static_cast<double>(values.min);
  const double range = static_cast<double>(values.max) - first;
  for (std::size_t row = 0; row < column.size(); ++row) {
    const auto bucket = static_cast<std::size_t>((static_cast<double>(column[row]) - first) / range * static_cast<double>(kBuckets));
    ++buckets[std::min(bucket, kBuckets - 1)];
  }
  return buckets;
}

std::string nanoseconds_text(std::int64_t ns) {
  constexpr std::int64_t kMillisecond = 1'000'000;
  if (ns >= 1000 * kMillisecond) {
    return format_duration(std::chrono::milliseconds((ns + kMillisecond / 2) / kMillisecond));
  }
  return format_ratio(static_cast<double>(ns) / kMillisecond) + " ms";
}

}  // namespace

DetailUnit detail_unit(Unit unit) {
  switch (unit) {
    case Unit::bytes:
      return DetailUnit::bytes;
    case Unit::records:
      return DetailUnit::count;
    case Unit::milliseconds:
      return DetailUnit::milliseconds;
  }
  return DetailUnit::count;
}

std::vector<Spread> spreads_of(const StageAttempt& attempt) {
  std::vector<Spread> spreads;
  for (const auto& info : kMetrics) {
    if (const auto& values = attempt.distributions[index_of(info.metric)]) {
      const auto& column = attempt.winners.metrics[index_of(info.metric)];
      spreads.push_back({.name = info.name, .unit = detail_unit(info.unit), .values = *values, .buckets = buckets_of(column, *values)});
    }
  }
  for (const auto& info : kTaskDetails) {
    if (const auto& column = attempt.winners.details[index_of(info.detail)]; !column.empty()) {
      const auto values = distribution_of(column);
      spreads.push_back({.name = info.name, .unit = info.unit, .values = values, .buckets = buckets_of(column, values)});
    }
  }
  return spreads;
}

bool has_value(const Spread& spread) {
  return spread.values.min != 0 || spread.values.max != 0;
}

std::string bars(const std::vector<std::size_t>& buckets, Glyphs glyphs) {
  constexpr std::array<std::string_view, 9> kUnicode{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::array<std::string_view, 9> kAscii{" ", ".", ":", "-", "=", "+", "*", "#", "@"};
  const auto& heights = glyphs == Glyphs::unicode ? kUnicode : kAscii;
  const auto fullest = buckets.empty() ? 0 : *std::max_element(buckets.begin(), buckets.end());
  std::string text;
  for (const auto tasks : buckets) {
    text += heights[fullest == 0 ? 0 : (tasks * 8 + fullest - 1) / fullest];
  }
  return text;
}

std::string measure_text(std::int64_t value, DetailUnit unit) {
  switch (unit) {
    case DetailUnit::bytes:
      return format_bytes(value);
    case DetailUnit::count:
      return format_count(value);
    case DetailUnit::milliseconds:
      return format_duration(std::chrono::milliseconds(value));
    case DetailUnit::nanoseconds:
      return nanoseconds_text(value);
  }
  return {};
}

// A part of a byte or of a millisecond is of no interest; half a record shows that two tasks differ.
std::string measure_text(Quarters value, DetailUnit unit) {
  if (unit == DetailUnit::count && value.quarters % 4 != 0 && value.quarters < 400) {
    return fmt::format("{}", value.as_double());
  }
  return measure_text((value.quarters + 2) / 4, unit);
}

std::string metric_words(std::string_view name) {
  auto words = split(name, '_');
  if (words.size() > 1 && (words.back() == "ms" || words.back() == "ns")) {
    words.pop_back();
  }
  for (auto& word : words) {
    word = word == "cpu" ? "CPU" : word == "gc" ? "GC" : word;
  }
  return join(words, " ");
}

}  // namespace stagegate
