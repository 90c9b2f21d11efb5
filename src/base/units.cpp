#include "base/units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <span>
#include <string>

#include <fmt/format.h>

#include "base/text.h"

namespace stagegate {
namespace {

struct UnitName {
  std::string_view name;
  double factor;
};

constexpr std::array<UnitName, 9> kSizes{{
    {"B", 1},
    {"kB", 1e3},
    {"MB", 1e6},
    {"GB", 1e9},
    {"TB", 1e12},
    {"KiB", 1024.0},
    {"MiB", 1024.0 * 1024},
    {"GiB", 1024.0 * 1024 * 1024},
    {"TiB", 1024.0 * 1024 * 1024 * 1024},
}};

constexpr std::array<UnitName, 4> kDurations{{{"ms", 1}, {"s", 1e3}, {"min", 60e3}, {"h", 3600e3}}};

struct Quantity {
  double number;
  std::string_view unit;
};

// Splits "1.5 MiB" into 1.5 and "MiB"; only digits and one decimal point make a number: no sign, no exponent, no "inf".
Result<Quantity> split_quantity(std::string_view text, std::string_view what, std::string_view units) {
  const auto trimmed = trim(text);
  const auto end = trimmed.find_first_not_of("0123456789.");
  const auto digits = std::string(trimmed.substr(0, end));
  const auto points = std::count(digits.begin(), digits.end(), '.');
  if (digits.empty() || digits == "." || points > 1) {
    return fail(ErrorKind::usage, fmt::format("'{}' is not a {}; write a number and a unit ({})", text, what, units));
  }
  const auto unit = end == std::string_view::npos ? std::string_view{} : trim(trimmed.substr(end));
  if (unit.empty()) {
    return fail(ErrorKind::usage, fmt::format("'{}' has no unit; write one of {} behind the number", text, units));
  }
  return Quantity{std::strtod(digits.c_str(), nullptr), unit};
}

Result<double> parse_quantity(std::string_view text, std::span<const UnitName> table, std::string_view what, std::string_view units) {
  STAGEGATE_TRY_ASSIGN(quantity, split_quantity(text, what, units));
  for (const auto& known : table) {
    if (to_lower_ascii(known.name) == to_lower_ascii(quantity.unit)) {
      const double value = std::round(quantity.number * known.factor);
      if (value >= static_cast<double>(std::numeric_limits<std::int64_t>::max())) {
        return fail(ErrorKind::usage, fmt::format("'{}' is too large", text));
      }
      return value;
    }
  }
  return fail(ErrorKind::usage, fmt::format("'{}' has the unknown unit '{}'; known are {}", text, quantity.unit, units));
}

// At most 3 significant digits, no trailing zeros, no exponent.
std::string three_digits(double value) {
  const int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  auto text = fmt::format("{:.{}f}", value, decimals);
  if (decimals > 0) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') {
      text.pop_back();
    }
  }
  return text;
}

}  // namespace

Result<std::int64_t> parse_size(std::string_view text) {
  const auto value = parse_quantity(text, kSizes, "size", "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB");
  return value.map([](double bytes) { return static_cast<std::int64_t>(bytes); });
}

Result<std::chrono::milliseconds> parse_duration(std::string_view text) {
  const auto value = parse_quantity(text, kDurations, "duration", "ms, s, min, h");
  return value.map([](double ms) { return std::chrono::milliseconds(static_cast<std::int64_t>(ms)); });
}

std::string format_bytes(std::int64_t bytes) {
  constexpr std::array<std::string_view, 7> kNames{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  // 1023.5 and more would be printed as 1024 of the smaller unit.
  while (std::abs(value) >= (unit == 0 ? 1024.0 : 1023.5) && unit + 1 < kNames.size()) {
    value /= 1024.0;
    ++unit;
  }
  const std::string_view sign = value < 0 ? "-" : "";
  return fmt::format("{}{} {}", sign, three_digits(std::abs(value)), kNames[unit]);
}

std::string format_bytes_exact(std::int64_t bytes) {
  return format_count(bytes) + " B";
}

std::string format_count(std::int64_t count) {
  auto digits = fmt::format("{}", count);
  const std::size_t first = count < 0 ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3; i -= 3) {
    digits.insert(i - 3, ",");
  }
  return digits;
}

std::string format_duration(std::chrono::milliseconds duration) {
  const std::int64_t ms = duration.count();
  if (ms < 1000) {
    return fmt::format("{} ms", ms);
  }
  const std::int64_t tenths = (ms + 50) / 100;
  if (tenths < 600) {
    return fmt::format("{}.{} s", tenths / 10, tenths % 10);
  }
  const std::int64_t seconds = (ms + 500) / 1000;
  if (seconds < 3600) {
    return fmt::format("{} min {:02} s", seconds / 60, seconds % 60);
  }
  const std::int64_t minutes = (seconds + 30) / 60;
  return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}

std::string format_ratio(double ratio) {
  return three_digits(ratio);
}

std::string format_utc(std::int64_t epoch_ms) {
  const auto seconds = static_cast<std::time_t>(epoch_ms / 1000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour,
                     parts.tm_min, parts.tm_sec);
}

}  // namespace stagegate
