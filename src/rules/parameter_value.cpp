#include "rules/parameter_value.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/units.h"

namespace stagegate {
namespace {

std::string written_text(const WrittenValue& written) {
  if (const auto* text = std::get_if<std::string>(&written)) {
    return fmt::format("the text \"{}\"", *text);
  }
  if (const auto* truth = std::get_if<bool>(&written)) {
    return *truth ? "true" : "false";
  }
  if (const auto* integer = std::get_if<std::int64_t>(&written)) {
    return fmt::format("{}", *integer);
  }
  return fmt::format("{}", std::get<double>(written));
}

Result<double> size_value(const std::string& name, const WrittenValue& written) {
  const auto* text = std::get_if<std::string>(&written);
  if (text == nullptr) {
    return fail(ErrorKind::usage,
                fmt::format("'{}' is a size: write it with a unit, such as \"1 MiB\"; {} has none", name, written_text(written)));
  }
  const auto size = parse_size(*text);
  if (!size) {
    return fail(ErrorKind::usage, fmt::format("'{}' is a size: {}", name, size.error().message));
  }
  return static_cast<double>(*size);
}

Result<double> number_value(const std::string& name, ParameterUnit unit, const WrittenValue& written) {
  double number = 0;
  if (const auto* integer = std::get_if<std::int64_t>(&written)) {
    number = static_cast<double>(*integer);
  } else if (const auto* real = std::get_if<double>(&written)) {
    number = *real;
  } else {
    return fail(ErrorKind::usage, fmt::format("'{}' must be a number, not {}", name, written_text(written)));
  }
  if (!std::isfinite(number)) {
    return fail(ErrorKind::usage, fmt::format("'{}' must be a finite number, not {}", name, written_text(written)));
  }
  if (number < 0) {
    return fail(ErrorKind::usage, fmt::format("'{}' must not be negative, but is {}", name, written_text(written)));
  }
  if (unit == ParameterUnit::count && number != std::floor(number)) {
    return fail(ErrorKind::usage, fmt::format("'{}' is a count: {} is no whole number", name, written_text(written)));
  }
  return number;
}

std::optional<WrittenValue> written_value(const DocumentValue& value) {
  if (const auto* text = std::get_if<std::string>(&value.value)) {
    return *text;
  }
  if (const auto* integer = std::get_if<std::int64_t>(&value.value)) {
    return *integer;
  }
  if (const auto* number = std::get_if<double>(&value.value)) {
    return *number;
  }
  if (const auto* truth = std::get_if<bool>(&value.value)) {
    return *truth;
  }
  return std::nullopt;
}

std::int64_t to_integer(double value) {
  constexpr double kTooLarge = 0x1p63;
  return value >= kTooLarge ? std::numeric_limits<std::int64_t>::max() : std::llround(value);
}

}  // namespace

Result<double> parameter_value(const std::string& name, ParameterUnit unit, const WrittenValue& written) {
  return unit == ParameterUnit::bytes ? size_value(name, written) : number_value(name, unit, written);
}

std::optional<double> read_parameter(const std::string& name, ParameterUnit unit, const DocumentValue& value, Problems& problems) {
  const auto written = written_value(value);
  if (!written) {
    problems.add(value.at,
                 fmt::format("'{}' must be {}, not {}", name, unit == ParameterUnit::bytes ? "a size" : "a number", type_name(value)));
    return std::nullopt;
  }
  const auto number = parameter_value(name, unit, *written);
  if (!number) {
    problems.add(value.at, number.error().message);
    return std::nullopt;
  }
  return *number;
}

std::string format_parameter(double value, ParameterUnit unit) {
  switch (unit) {
    case ParameterUnit::ratio:
      return format_ratio(value);
    case ParameterUnit::bytes:
      return format_bytes(to_integer(value));
    case ParameterUnit::count:
      return value == std::floor(value) ? format_count(to_integer(value)) : fmt::format("{:.1f}", value);
  }
  return {};
}

std::string write_parameter(double value, ParameterUnit unit) {
  if (unit != ParameterUnit::bytes) {
    return fmt::format("{}", value);
  }
  const auto bytes = to_integer(value);
  const auto rounded = format_bytes(bytes);
  const auto back = parse_size(rounded);
  return back && *back == bytes ? fmt::format("\"{}\"", rounded) : fmt::format("\"{} B\"", bytes);
}

std::string_view to_string(ParameterUnit unit) {
  switch (unit) {
    case ParameterUnit::ratio:
      return "ratio";
    case ParameterUnit::bytes:
      return "bytes";
    case ParameterUnit::count:
      return "count";
  }
  return "ratio";
}

}  // namespace stagegate
