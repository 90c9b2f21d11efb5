// One function an event that is used: from the fields of its line to its values. Private to ingest/, for event_parser.cpp.
//
// Each returns false where the line is malformed: a field of a wrong type, a number that does not fit, a field missing without which the
// event says nothing.
#pragma once

#include "ingest/events.h"
#include "ingest/json_fields.h"

namespace stagegate {

using ParseEvent = bool (*)(json::ondemand::object fields, Event& event);

// parse_task_end.cpp
bool parse_task_end(json::ondemand::object fields, Event& event);         // TaskDepth::judged
bool parse_task_end_wholly(json::ondemand::object fields, Event& event);  // TaskDepth::all

// parse_core_events.cpp
bool parse_log_start(json::ondemand::object fields, Event& event);
bool parse_application_start(json::ondemand::object fields, Event& event);
bool parse_application_end(json::ondemand::object fields, Event& event);
bool parse_environment_update(json::ondemand::object fields, Event& event);
bool parse_resource_profile_added(json::ondemand::object fields, Event& event);
bool parse_executor_added(json::ondemand::object fields, Event& event);
bool parse_executor_removed(json::ondemand::object fields, Event& event);

// parse_stage_events.cpp
bool parse_job_start(json::ondemand::object fields, Event& event);
bool parse_job_end(json::ondemand::object fields, Event& event);
bool parse_stage_submitted(json::ondemand::object fields, Event& event);
bool parse_stage_completed(json::ondemand::object fields, Event& event);
bool parse_unpersist_rdd(json::ondemand::object fields, Event& event);

// parse_sql_events.cpp
bool parse_sql_execution_start(json::ondemand::object fields, Event& event);
bool parse_sql_adaptive_update(json::ondemand::object fields, Event& event);
bool parse_sql_adaptive_metrics(json::ondemand::object fields, Event& event);
bool parse_driver_accumulator_updates(json::ondemand::object fields, Event& event);
bool parse_sql_execution_end(json::ondemand::object fields, Event& event);

}  // namespace stagegate
