#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "base/text.h"
#include "report/report.h"
#include "report/terminal.h"

namespace stagegate {
namespace {

namespace json = boost::json;

json::value text(std::string_view value) {
  return json::value(clean_text(value));
}

json::value text_or_null(std::string_view value) {
  return value.empty() ? json::value(nullptr) : text(value);
}

template <typename T>
json::value or_null(const std::optional<T>& value) {
  return value ? json::value(*value) : json::value(nullptr);
}

// A whole number stays one.
json::value number(std::int64_t thousandths) {
  return thousandths % 1000 == 0 ? json::value(thousandths / 1000) : json::value(static_cast<double>(thousandths) / 1000.0);
}

std::string_view name_of(ValueUnit unit) {
  switch (unit) {
    case ValueUnit::ratio:
      return "ratio";
    case ValueUnit::bytes:
      return "bytes";
    case ValueUnit::count:
      return "count";
    case ValueUnit::percent:
      return "percent";
  }
  return "ratio";
}

json::object finding_object(const JudgedFinding& judged) {
  const auto& finding = judged.finding;
  return {
      {"rule", text(finding.rule)},
      {"level", to_string(finding.level)},
      {"state", to_string(judged.state)},
      {"fails", fails(judged)},
      {"stage", text_or_null(finding.stage_label)},
      {"fingerprint", text_or_null(finding.stage_fingerprint)},
      {"stage_id", finding.stage_id < 0 ? json::value(nullptr) : json::value(finding.stage_id)},
      {"unit", name_of(finding.unit)},
      {"value", number(finding.value_thousandths)},
      {"accepted", judged.accepted_thousandths ? number(*judged.accepted_thousandths) : json::value(nullptr)},
      {"suppression", text_or_null(judged.suppression_reason)},
      {"message", text(finding.message)},
      {"found_in_runs", finding.fired_runs},
      {"smallest_value", number(finding.runs > 1 ? finding.least_thousandths : finding.value_thousandths)},
  };
}

json::object gone_object(const GoneFinding& gone) {
  return {
      {"rule", text(gone.rule)},
      {"stage", text_or_null(gone.stage_label)},
      {"unit", name_of(gone.unit)},
      {"accepted", number(gone.accepted_thousandths)},
  };
}

json::array pair_of(const Seen& seen) {
  return {seen.least, seen.most};
}

json::object unstable_object(const UnstableStage& stage) {
  json::object values;
  if (stage.repeats.tasks.varies()) {
    values["tasks"] = pair_of(stage.repeats.tasks);
  }
  for (const auto& info : kMetrics) {
    if (const auto& total = stage.repeats.totals[index_of(info.metric)]; total && total->varies()) {
      values[info.name] = pair_of(*total);
    }
  }
  return {
      {"stage", text(stage.stage_label)},
      {"fingerprint", text(stage.stage_fingerprint)},
      {"stage_id", stage.stage_id < 0 ? json::value(nullptr) : json::value(stage.stage_id)},
      {"in_runs", stage.repeats.present},
      {"values", std::move(values)},
      {"cause", text_or_null(stage.repeats.reason)},
  };
}

json::array lines(const std::vector<std::string>& messages) {
  json::array array;
  for (const auto& message : messages) {
    array.emplace_back(text(message));
  }
  return array;
}

json::object variant_object(const VariantResult& variant) {
  json::array findings;
  for (const auto& judged : variant.findings) {
    findings.emplace_back(finding_object(judged));
  }
  json::array gone;
  for (const auto& finding : variant.gone) {
    gone.emplace_back(gone_object(finding));
  }
  json::array unstable;
  for (const auto& stage : variant.unstable) {
    unstable.emplace_back(unstable_object(stage));
  }
  return {
      {"job", text(variant.job)},
      {"variant", text(variant.variant)},
      {"state", to_string(variant.state)},
      {"reason", text_or_null(variant.reason)},
      {"detail", lines(clean_lines(variant.detail))},
      {"owner", text_or_null(variant.owner)},
      {"baseline", text_or_null(variant.baseline_file)},
      {"run_dir", text_or_null(variant.run_dir)},
      {"duration_ms", or_null(variant.duration_ms)},
      {"findings", std::move(findings)},
      {"gone", std::move(gone)},
      {"runs", variant.runs},
      {"unstable", std::move(unstable)},
  };
}

json::object verdict_object(const RunResult& result) {
  const auto code = exit_code_of(result);
  json::array variants;
  for (const auto& variant : result.variants) {
    variants.emplace_back(variant_object(variant));
  }
  return {
      {"schema", "stagegate.verdict/1"}, {"exit_code", static_cast<int>(code)},
      {"verdict", to_string(code)},      {"interrupted", result.interrupt_signal.has_value()},
      {"variants", std::move(variants)}, {"notices", lines(result.notices)},
      {"errors", lines(result.errors)},
  };
}

// Boost.JSON writes a document as one line and 8.04 as 8.04E0; people look into this file too.
void write(std::string& out, const json::value& value, const std::string& line);

void write_member(std::string& out, const json::value& value, const std::string& line) {
  write(out, value, line);
}

void write_member(std::string& out, const json::key_value_pair& member, const std::string& line) {
  out += json::serialize(json::string(member.key())) + ": ";
  write(out, member.value(), line);
}

// LINE is a line feed and the indentation of the container itself.
template <typename Container>
void write_container(std::string& out, const Container& container, char open, char close, const std::string& line) {
  out += open;
  bool first = true;
  for (const auto& member : container) {
    out += (first ? "" : ",") + line + "  ";
    write_member(out, member, line + "  ");
    first = false;
  }
  out += (first ? "" : line) + close;
}

void write(std::string& out, const json::value& value, const std::string& line) {
  if (const auto* object = value.if_object()) {
    write_container(out, *object, '{', '}', line);
  } else if (const auto* array = value.if_array()) {
    write_container(out, *array, '[', ']', line);
  } else if (const auto* number = value.if_double()) {
    out += fmt::format("{}", *number);
  } else {
    out += json::serialize(value);
  }
}

}  // namespace

std::string render_verdict_json(const RunResult& result) {
  std::string out;
  write(out, verdict_object(result), "\n");
  return out + '\n';
}

}  // namespace stagegate
