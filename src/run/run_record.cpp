#include "run/run_record.h"

#include <fmt/format.h>
#include <boost/json.hpp>

#include "base/text.h"
#include "base/units.h"
#include "run/redaction.h"

namespace stagegate {
namespace {

namespace json = boost::json;

std::string_view name_of(RunEnd end) {
  switch (end) {
    case RunEnd::exited:
      return "exited";
    case RunEnd::signalled:
      return "signalled";
    case RunEnd::timed_out:
      return "timed_out";
    case RunEnd::interrupted:
      return "interrupted";
    case RunEnd::not_started:
      return "not_started";
  }
  return "";
}

json::value or_null(const std::optional<std::int64_t>& number) {
  return number ? json::value(*number) : json::value(nullptr);
}

json::array command_of(const PlannedProcess& process, const Redaction& redaction) {
  json::array command;
  for (const auto& argument : process.argv) {
    command.emplace_back(redaction.text(argument));
  }
  return command;
}

json::object environment_of(const PlannedProcess& process, const Redaction& redaction) {
  json::object environment;
  for (const auto& [name, value] : process.environment) {
    environment[name] = redaction.value(name, value);
  }
  return environment;
}

json::object conf_of(const PlannedProcess& process, const Redaction& redaction) {
  json::object conf;
  for (const auto& [key, value] : process.conf) {
    conf[key] = json::object{{"value", redaction.value(key, value.value)}, {"origin", value.origin}};
  }
  return conf;
}

std::string one_key_a_line(const json::object& object) {
  std::string text = "{";
  for (const auto& [key, value] : object) {
    text += fmt::format("{}\n  {}: {}", text.size() == 1 ? "" : ",", json::serialize(json::string(key)), json::serialize(value));
  }
  return text + "\n}\n";
}

}  // namespace

std::string run_record(const JobVariant& job_variant, const PlannedProcess& process, const SparkInstallation& spark, const JobRun& run) {
  const Redaction redaction(process);
  json::object record;
  record["schema"] = "stagegate.run/1";
  record["job"] = job_variant.job;
  record["variant"] = job_variant.variant;
  record["command"] = command_of(process, redaction);
  record["working_dir"] = process.working_dir;
  record["environment"] = environment_of(process, redaction);
  record["conf"] = conf_of(process, redaction);
  record["spark"] = json::object{{"home", spark.home}, {"version", spark.version}, {"python", spark.python}, {"found_by", spark.found_by}};
  record["marker"] = run.marker;
  record["end"] = json::string(name_of(run.end));
  record["exit_status"] = run.end == RunEnd::exited ? json::value(run.exit_status) : json::value(nullptr);
  record["signal"] = run.end == RunEnd::signalled ? json::value(run.signal) : json::value(nullptr);
  record["problem"] = redaction.text(run.problem);
  record["started"] = run.started_ms ? json::value(format_utc(*run.started_ms)) : json::value(nullptr);
  record["started_ms"] = or_null(run.started_ms);
  record["duration_ms"] = or_null(run.duration_ms);
  return one_key_a_line(record);
}

}  // namespace stagegate
