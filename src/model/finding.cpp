#include "model/finding.h"

#include <fmt/format.h>

#include "base/units.h"

namespace stagegate {

std::string_view to_string(Level level) {
  switch (level) {
    case Level::off:
      return "off";
    case Level::warning:
      return "warning";
    case Level::error:
      return "error";
  }
  return "error";
}

// Both sides times 1000, so that a tolerance is never rounded.
Moved moved(std::int64_t accepted, std::int64_t now, std::int64_t tolerance_thousandths) {
  __extension__ using Wide = __int128;
  const auto difference = (static_cast<Wide>(now) - accepted) * 1000;
  const auto allowed = static_cast<Wide>(accepted) * tolerance_thousandths;
  if (difference > allowed) {
    return Moved::worse;
  }
  return -difference > allowed ? Moved::better : Moved::within;
}

std::string format_value(std::int64_t thousandths, ValueUnit unit) {
  const double value = static_cast<double>(thousandths) / 1000.0;
  switch (unit) {
    case ValueUnit::ratio:
      return format_ratio(value) + "x";
    case ValueUnit::bytes:
      return format_bytes(thousandths / 1000);
    case ValueUnit::count:
      return thousandths % 1000 == 0 ? format_count(thousandths / 1000) : fmt::format("{:.1f}", value);
    case ValueUnit::percent:
      return format_ratio(value) + " %";
  }
  return {};
}

bool can_be_accepted(const Finding& finding) {
  return !finding.compares_with_baseline && !finding.compares_runs;
}

}  // namespace stagegate
