// `stagegate report --format json`: the schema stagegate.report/1. Member names and their order are an interface.
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "report/report.h"

namespace stagegate {
namespace {

namespace json = boost::json;

template <typename T>
json::value or_null(const std::optional<T>& value) {
  return value ? json::value(*value) : json::value(nullptr);
}

json::value text_or_null(const std::string& text) {
  return text.empty() ? json::value(nullptr) : json::value(text);
}

json::array ids(const std::vector<std::int64_t>& values) {
  return json::array(values.begin(), values.end());
}

// Whole numbers stay integers; the quantiles of two neighbours may have a fraction.
json::value number(Quarters value) {
  return value.quarters % 4 == 0 ? json::value(value.quarters / 4) : json::value(value.as_double());
}

json::value number_of_thousandths(std::int64_t value) {
  return value % 1000 == 0 ? json::value(value / 1000) : json::value(static_cast<double>(value) / 1000);
}

std::string_view to_text(JobStatus status) {
  switch (status) {
    case JobStatus::succeeded:
      return "SUCCEEDED";
    case JobStatus::failed:
      return "FAILED";
    case JobStatus::running:
      return "RUNNING";
  }
  return {};
}

json::object application_of(const Application& application) {
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

json::object evidence_of(const Evidence& evidence) {
  json::array problems;
  for (const auto& problem : evidence.problems) {
    problems.push_back(json::object{{"code", problem.code}, {"message", problem.message}});
  }
  return {
      {"complete", evidence.complete()},
      {"problems", std::move(problems)},
      {"lines", evidence.lines},
      {"malformed_lines", evidence.malformed_lines},
      {"unknown_events", evidence.unknown_events},
  };
}

json::object job_of(const Job& job) {
  return {
      {"id", job.id},
      {"status", to_text(job.status)},
      {"group", or_null(job.group)},
      {"description", or_null(job.description)},
      {"sql_execution", or_null(job.sql_execution)},
      {"stages", ids(job.stages)},
  };
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
      {"min", distribution->min},         {"p25", number(distribution->p25)}, {"median", number(distribution->median)},
      {"p75", number(distribution->p75)}, {"max", distribution->max},
  };
}

json::object distributions_of(const PerMetric<Distribution>& distributions) {
  return {
      {"shuffle_read", distribution_of(distributions[index_of(Metric::shuffle_read_bytes)])},
      {"input", distribution_of(distributions[index_of(Metric::input_bytes)])},
      {"duration_ms", distribution_of(distributions[index_of(Metric::duration_ms)])},
  };
}

// The stages as they are judged, by this run's number.
using StageById = std::map<std::int32_t, const Stage*>;

json::object stage_of(const StageAttempt& attempt, const StageById& stages) {
  const auto judged = stages.find(attempt.id);
  const StageKey key = judged == stages.end() ? StageKey() : judged->second->key;
  return {
      {"id", attempt.id},
      {"attempt", attempt.attempt},
      {"name", attempt.name},
      {"label", text_or_null(key.label)},
      {"fingerprint", text_or_null(key.fingerprint)},
      {"location", nullptr},
      {"status", to_string(attempt.status)},
      {"failure_reason", or_null(attempt.failure_reason)},
      {"jobs", ids(attempt.jobs)},
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

// The attempt of a stage that a finding is shown with: the last one.
using LastAttempts = std::map<std::int32_t, std::int32_t>;

json::object finding_of(const Finding& finding, const LastAttempts& last_attempts) {
  const auto attempt = last_attempts.find(finding.stage_id);
  const bool of_stage = attempt != last_attempts.end();
  return {
      {"rule", finding.rule},
      {"level", to_string(finding.level)},
      {"stage", of_stage ? json::value(finding.stage_id) : json::value(nullptr)},
      {"attempt", of_stage ? json::value(attempt->second) : json::value(nullptr)},
      {"label", of_stage ? json::value(finding.stage_label) : json::value(nullptr)},
      {"value", number_of_thousandths(finding.value_thousandths)},
      {"message", finding.message},
  };
}

// Boost.JSON writes 1.5 as 1.5E0, which is correct and surprises people.
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
    out += json::serialize(json::string_view(key));
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
  } else if (const auto* decimal = value.if_double()) {
    out += fmt::format("{}", *decimal);
  } else {
    out += json::serialize(value);
  }
}

// A line a member and a line an element of a list, so that it can be read, searched and compared.
std::string write_document(const json::object& document) {
  std::string out = "{";
  std::string_view separator = "\n";
  for (const auto& [key, value] : document) {
    out += separator;
    out += fmt::format("\"{}\": ", std::string_view(key));
    separator = ",\n";
    const auto* list = value.if_array();
    if (list == nullptr || list->empty()) {
      write(value, out);
      continue;
    }
    std::string_view element_separator = "[\n  ";
    for (const auto& element : *list) {
      out += element_separator;
      write(element, out);
      element_separator = ",\n  ";
    }
    out += "\n]";
  }
  return out + "\n}\n";
}

}  // namespace

std::string render_report_json(const Application& application, std::span<const Stage> stages, std::span<const Finding> findings) {
  StageById by_id;
  for (const auto& stage : stages) {
    by_id.emplace(stage.id, &stage);
  }
  LastAttempts last_attempts;
  json::array jobs;
  for (const auto& job : application.jobs) {
    jobs.push_back(job_of(job));
  }
  json::array attempts;
  for (const auto& attempt : application.stages) {
    attempts.push_back(stage_of(attempt, by_id));
    last_attempts[attempt.id] = attempt.attempt;
  }
  json::array found;
  for (const auto& finding : findings) {
    found.push_back(finding_of(finding, last_attempts));
  }
  return write_document({
      {"schema", "stagegate.report/1"},
      {"application", application_of(application)},
      {"evidence", evidence_of(application.evidence)},
      {"cores", or_null(application.cores)},
      {"jobs", std::move(jobs)},
      {"stages", std::move(attempts)},
      {"findings", std::move(found)},
  });
}

}  // namespace stagegate
