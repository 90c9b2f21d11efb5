#include "report/json_parts.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/work_together.h"

namespace stagegate {
namespace {

json::value number_of_thousandths(std::int64_t value) {
  return value % 1000 == 0 ? json::value(value / 1000) : json::value(static_cast<double>(value) / 1000);
}

json::object tasks_of(const TaskCounts& tasks) {
  return {
      {"declared", tasks.declared}, {"succeeded", tasks.succeeded},     {"failed", tasks.failed},
      {"killed", tasks.killed},     {"speculative", tasks.speculative},
  };
}

json::object bytes_of(const PerMetric<std::int64_t>& sums) {
  json::object bytes;
  for (const auto& info : kMetrics) {
    if (info.unit == Unit::bytes) {
      bytes[info.name] = or_null(sums[index_of(info.metric)]);
    }
  }
  return bytes;
}

// "input_records" is "input" here.
json::object records_of(const PerMetric<std::int64_t>& sums) {
  constexpr std::string_view kSuffix = "_records";
  json::object records;
  for (const auto& info : kMetrics) {
    if (info.unit == Unit::records) {
      records[info.name.substr(0, info.name.size() - kSuffix.size())] = or_null(sums[index_of(info.metric)]);
    }
  }
  return records;
}

json::value distribution_of(const std::optional<Distribution>& distribution) {
  if (!distribution) {
    return nullptr;
  }
  return json::object{
      {"min", distribution->min},
      {"p25", number_json(distribution->p25)},
      {"median", number_json(distribution->median)},
      {"p75", number_json(distribution->p75)},
      {"max", distribution->max},
  };
}

json::object distributions_of(const PerMetric<Distribution>& distributions) {
  return {
      {"shuffle_read", distribution_of(distributions[index_of(Metric::shuffle_read_bytes)])},
      {"input", distribution_of(distributions[index_of(Metric::input_bytes)])},
      {"duration_ms", distribution_of(distributions[index_of(Metric::duration_ms)])},
  };
}

bool needs_escapes(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '"' || c == '\\' || c == '\x7F'; });
}

// To make a serializer ready takes longer than to write most texts.
void write_text(std::string_view text, std::string& out) {
  if (needs_escapes(text)) {
    out += json::serialize(json::string_view(text));
    return;
  }
  out += '"';
  out += text;
  out += '"';
}

void write(const json::value& value, std::string& out);

void write_array(const json::array& array, std::string& out) {
  out += '[';
  for (std::size_t i = 0; i < array.size(); ++i) {
    out += i == 0 ? "" : ",";
    write(array[i], out);
  }
  out += ']';
}

void write_object(const json::object& object, std::string& out) {
  out += '{';
  for (const auto& [key, value] : object) {
    out += out.back() == '{' ? "" : ",";
    write_text(key, out);
    out += ':';
    write(value, out);
  }
  out += '}';
}

void write(const json::value& value, std::string& out) {
  if (const auto* array = value.if_array()) {
    write_array(*array, out);
  } else if (const auto* object = value.if_object()) {
    write_object(*object, out);
  } else if (const auto* text = value.if_string()) {
    write_text(*text, out);
  } else if (const auto* number = value.if_int64()) {
    out += fmt::format_int(*number).c_str();
  } else if (const auto* decimal = value.if_double()) {
    // Boost.JSON writes 1.5 as 1.5E0, which is correct and surprises people.
    out += fmt::format("{}", *decimal);
  } else {
    out += json::serialize(value);
  }
}

// JSON may hold U+0080 to U+009F as they are, and a terminal takes some of them for commands. They are in strings only.
std::string without_c1(std::string text) {
  constexpr char kLead = '\xC2';  // of their two bytes
  for (auto at = text.find(kLead); at != std::string::npos; at = text.find(kLead, at + 1)) {
    const auto next = at + 1 < text.size() ? static_cast<unsigned char>(text[at + 1]) : 0U;
    if (next >= 0x80U && next < 0xA0U) {
      text.replace(at, 2, fmt::format("\\u{:04x}", next));
    }
  }
  return text;
}

}  // namespace

json::value text_or_null(std::string_view text) {
  return text.empty() ? json::value(nullptr) : json::value(text);
}

json::array ids_json(const std::vector<std::int64_t>& ids) {
  return json::array(ids.begin(), ids.end());
}

json::value number_json(Quarters value) {
  return value.quarters % 4 == 0 ? json::value(value.quarters / 4) : json::value(value.as_double());
}

json::object application_json(const Application& application) {
  return {
      {"id", or_null(application.id)},
      {"name", or_null(application.name)},
      {"attempt", or_null(application.attempt)},
      {"spark_version", or_null(application.spark_version)},
      {"start_ms", or_null(application.start_ms)},
      {"end_ms", or_null(application.end_ms)},
      {"complete", application.end_ms.has_value()},
  };
}

json::object evidence_json(const Evidence& evidence) {
  json::array problems;
  for (const auto& problem : evidence.problems) {
    problems.push_back(json::object{{"code", problem.code}, {"message", problem.message}, {"advice", problem.advice}});
  }
  const auto count = [&](std::int64_t LineCounts::*of) { return evidence.lines ? json::value((*evidence.lines).*of) : json::value(); };
  return {
      {"complete", evidence.complete()},
      {"problems", std::move(problems)},
      {"lines", count(&LineCounts::all)},
      {"malformed_lines", count(&LineCounts::malformed)},
      {"unknown_events", count(&LineCounts::unknown_events)},
  };
}

json::object attempt_json(const StageAttempt& attempt, const StageKey& key) {
  return {
      {"id", attempt.id},
      {"attempt", attempt.attempt},
      {"name", attempt.name},
      {"label", text_or_null(key.label)},
      {"fingerprint", text_or_null(key.fingerprint)},
      {"location", nullptr},
      {"status", to_string(attempt.status)},
      {"failure_reason", or_null(attempt.failure_reason)},
      {"jobs", ids_json(attempt.jobs)},
      {"group", or_null(attempt.group)},
      {"description", or_null(attempt.description)},
      {"sql_execution", or_null(attempt.sql_execution)},
      {"tasks", tasks_of(attempt.tasks)},
      {"bytes", bytes_of(attempt.totals)},
      {"records", records_of(attempt.totals)},
      {"wasted", bytes_of(attempt.wasted)},
      {"distribution", distributions_of(attempt.distributions)},
  };
}

json::object finding_json(const Finding& finding, const std::optional<std::int32_t>& attempt) {
  return {
      {"rule", finding.rule},
      {"level", to_string(finding.level)},
      {"stage", attempt ? json::value(finding.stage_id) : json::value(nullptr)},
      {"attempt", or_null(attempt)},
      {"label", attempt ? json::value(finding.stage_label) : json::value(nullptr)},
      {"value", number_of_thousandths(finding.value_thousandths)},
      {"message", finding.message},
  };
}

void DocumentWriter::begin_member(std::string_view key) {
  text_ += text_.size() == 1 ? "\n" : ",\n";
  write_text(key, text_);
  text_ += ": ";
}

void DocumentWriter::member(std::string_view key, const json::value& value) {
  begin_member(key);
  write(value, text_);
}

void DocumentWriter::list(std::string_view key, std::size_t count, const std::function<json::value(std::size_t)>& element, int threads) {
  write_list(
      key, count, [&](std::size_t i, std::string& out) { write(element(i), out); }, threads);
}

void DocumentWriter::list(std::string_view key, const json::array& elements) {
  write_list(
      key, elements.size(), [&](std::size_t i, std::string& out) { write(elements[i], out); }, 1);
}

void DocumentWriter::write_list(std::string_view key, std::size_t count,
                                const std::function<void(std::size_t, std::string&)>& write_element, int threads) {
  begin_member(key);
  if (count == 0) {
    text_ += "[]";
    return;
  }
  constexpr std::size_t kElementsAtATime = 32;
  std::vector<std::string> pieces((count + kElementsAtATime - 1) / kElementsAtATime);
  work_together(pieces.size(), threads, [&](std::size_t piece) {
    const auto end = std::min(count, (piece + 1) * kElementsAtATime);
    for (auto i = piece * kElementsAtATime; i < end; ++i) {
      pieces[piece] += i == 0 ? "[\n  " : ",\n  ";
      write_element(i, pieces[piece]);
    }
  });
  for (const auto& piece : pieces) {
    text_ += piece;
  }
  text_ += "\n]";
}

std::string DocumentWriter::finish() && {
  text_ += "\n}\n";
  return without_c1(std::move(text_));
}

std::string write_document(const json::object& document) {
  DocumentWriter writer;
  for (const auto& [key, value] : document) {
    if (const auto* list = value.if_array()) {
      writer.list(key, *list);
    } else {
      writer.member(key, value);
    }
  }
  return std::move(writer).finish();
}

}  // namespace stagegate
