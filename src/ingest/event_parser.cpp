#include "ingest/event_parser.h"

#include <algorithm>
#include <array>
#include <utility>

#include "ingest/line_splitter.h"
#include "ingest/parse_events.h"
#include "ingest/plain_json.h"
#include "ingest/plan_reader.h"

namespace stagegate {
namespace {

static_assert(kLinePadding >= simdjson::SIMDJSON_PADDING);

constexpr std::string_view kTaskEnd = R"({"Event":"SparkListenerTaskEnd",)";

// Plans nest two levels of JSON a node.
constexpr std::size_t kMaxJsonDepth = 2048;

struct EventClass {
  std::string_view name;
  ParseEvent parse;  // null: not used
};

// The most frequent ones first, the end of a task at the head. Of Spark's events, those that are neither here nor under its package are
// younger than this list.
constexpr std::array kEventClasses{
    EventClass{"SparkListenerTaskEnd", parse_task_end},
    EventClass{"SparkListenerTaskStart", nullptr},
    EventClass{"SparkListenerStageSubmitted", parse_stage_submitted},
    EventClass{"SparkListenerStageCompleted", parse_stage_completed},
    EventClass{"SparkListenerJobStart", parse_job_start},
    EventClass{"SparkListenerJobEnd", parse_job_end},
    EventClass{"SparkListenerSQLAdaptiveExecutionUpdate", parse_sql_adaptive_update},
    EventClass{"SparkListenerSQLAdaptiveSQLMetricUpdates", parse_sql_adaptive_metrics},
    EventClass{"SparkListenerSQLExecutionStart", parse_sql_execution_start},
    EventClass{"SparkListenerSQLExecutionEnd", parse_sql_execution_end},
    EventClass{"SparkListenerExecutorAdded", parse_executor_added},
    EventClass{"SparkListenerExecutorRemoved", parse_executor_removed},
    EventClass{"SparkListenerLogStart", parse_log_start},
    EventClass{"SparkListenerApplicationStart", parse_application_start},
    EventClass{"SparkListenerApplicationEnd", parse_application_end},
    EventClass{"SparkListenerEnvironmentUpdate", parse_environment_update},
    EventClass{"SparkListenerDriverAccumUpdates", parse_driver_accumulator_updates},
    EventClass{"SparkListenerResourceProfileAdded", parse_resource_profile_added},
    EventClass{"SparkListenerUnpersistRDD", parse_unpersist_rdd},
};

const EventClass* find_class(std::string_view full_name) {
  const auto name = full_name.substr(full_name.rfind('.') + 1);
  const auto* found = std::find_if(kEventClasses.begin(), kEventClasses.end(), [&](const EventClass& known) { return known.name == name; });
  return found == kEventClasses.end() ? nullptr : found;
}

bool is_sparks_own(std::string_view full_name) {
  return full_name.starts_with("SparkListener") || full_name.starts_with("org.apache.spark.");
}

// The class as Spark writes it, in front of everything else; "" where the line begins otherwise.
std::string_view class_from_prefix(std::string_view line) {
  constexpr std::string_view kPrefix = R"({"Event":")";
  if (!line.starts_with(kPrefix)) {
    return {};
  }
  const auto name = line.substr(kPrefix.size());
  const auto end = name.find_first_of("\"\\");
  return end == std::string_view::npos || name[end] == '\\' ? std::string_view{} : name.substr(0, end);
}

bool skip_all(json::ondemand::object fields, Event&) {
  return json::for_each_field(fields, [](json::Key, json::Value) { return true; });
}

}  // namespace

struct EventParser::Json {
  simdjson::ondemand::parser parser;

  // A parser for lines of this length, with room for longer ones.
  bool fits(std::size_t bytes) {
    return bytes <= parser.capacity() ||
           parser.allocate(std::max<std::size_t>(bytes + bytes / 4, 65536), kMaxJsonDepth) == simdjson::SUCCESS;
  }
};

EventParser::EventParser(TaskDepth depth) : depth_(depth), task_end_line_(depth), json_(std::make_unique<Json>()) {}
EventParser::~EventParser() = default;

LineKind EventParser::parse(std::string_view line, Event& event) {
  if (line.starts_with(R"({"Event":"SparkListenerTaskStart",)") && line.ends_with('}') && is_plain_json(line)) {
    return LineKind::ignored;
  }
  if (line.starts_with(kTaskEnd) && task_end_line_.parse(line, event.emplace<TaskEnd>())) {
    return LineKind::event;
  }
  if (auto update = read_usual_update(line)) {
    event = *std::move(update);
    return LineKind::event;
  }
  return parse_json(line, event);
}

std::size_t EventParser::parse_first(std::string_view lines, Event& event) {
  return lines.starts_with(kTaskEnd) ? task_end_line_.parse_first(lines, event.emplace<TaskEnd>()) : 0;
}

LineKind EventParser::parse_json(std::string_view line, Event& event) {
  json::ondemand::document document;
  json::ondemand::object fields;
  const simdjson::padded_string_view padded(line.data(), line.size(), line.size() + kLinePadding);
  if (!json_->fits(line.size()) || json_->parser.iterate(padded).get(document) != simdjson::SUCCESS ||
      document.get_object().get(fields) != simdjson::SUCCESS) {
    return LineKind::malformed;
  }
  auto name = class_from_prefix(line);
  if (name.empty() &&
      (fields.find_field_unordered("Event").get_string().get(name) != simdjson::SUCCESS || fields.reset().error() != simdjson::SUCCESS)) {
    return LineKind::malformed;
  }
  const auto* known = find_class(name);
  const bool used = known != nullptr && known->parse != nullptr;
  const auto read_fields = known == kEventClasses.data() && depth_ == TaskDepth::all ? parse_task_end_wholly
                           : used                                                    ? known->parse
                                                                                     : skip_all;
  const bool good = read_fields(fields, event);
  if (!good || document.current_location().error() != simdjson::OUT_OF_BOUNDS) {
    return LineKind::malformed;
  }
  return used ? LineKind::event : known != nullptr || is_sparks_own(name) ? LineKind::ignored : LineKind::unknown;
}

}  // namespace stagegate
