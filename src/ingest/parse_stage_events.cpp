// The events of jobs and stages.
#include <algorithm>
#include <charconv>

#include "ingest/parse_events.h"
#include "ingest/scope_name.h"

namespace stagegate {
namespace {

bool read_storage_level(json::Value object, bool& persisted) {
  return json::for_each_field(object, [&](json::Key key, json::Value value) {
    if (!(key == "Use Disk" || key == "Use Memory" || key == "Use Off Heap")) {
      return true;
    }
    bool uses = false;
    const bool good = json::read(value, uses);
    persisted = persisted || uses;
    return good;
  });
}

bool read_rdd(json::Value object, RddInfo& rdd) {
  return json::for_each_field(object, [&](json::Key key, json::Value value) {
    if (key == "RDD ID") {
      return json::read(value, rdd.id);
    }
    if (key == "Name") {
      return json::read(value, rdd.name);
    }
    if (key == "Scope") {
      std::string_view scope;
      const bool good = json::read(value, scope);
      rdd.scope_name = scope_name(scope);
      return good;
    }
    if (key == "Callsite") {
      return json::read(value, rdd.call_site);
    }
    if (key == "Parent IDs") {
      return json::read(value, rdd.parents);
    }
    if (key == "Storage Level") {
      return read_storage_level(value, rdd.persisted);
    }
    if (key == "Number of Partitions") {
      return json::read(value, rdd.partitions);
    }
    if (key == "Number of Cached Partitions") {
      return json::read(value, rdd.cached_partitions);
    }
    if (key == "Memory Size") {
      return json::read(value, rdd.memory_bytes);
    }
    if (key == "Disk Size") {
      return json::read(value, rdd.disk_bytes);
    }
    return true;
  });
}

// The first is the stage's own; Spark takes the others out of a hash set.
bool read_rdds(json::Value array, std::vector<RddInfo>& rdds) {
  const bool good = json::for_each_element(array, [&](json::Value element) { return read_rdd(element, rdds.emplace_back()); });
  if (rdds.size() > 2) {
    std::sort(rdds.begin() + 1, rdds.end(), [](const RddInfo& a, const RddInfo& b) { return a.id < b.id; });
  }
  return good;
}

// The value of a SQL metric is a text that holds an integer.
std::optional<std::int64_t> value_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// Spark's internal metrics (`internal.metrics.*`) are left out: which of them appear depends on whether they were above zero.
bool read_accumulator(json::Value object, StageInfo& stage) {
  std::optional<std::int64_t> id;
  std::optional<std::int64_t> number;
  bool internal = false;
  bool sql = false;
  const bool good = json::for_each_field(object, [&](json::Key key, json::Value value) {
    std::string_view text;
    if (key == "ID") {
      return json::read(value, id);
    }
    if (key == "Name") {
      const bool name_good = json::read(value, text);
      internal = text.starts_with("internal.");
      return name_good;
    }
    if (key == "Value") {
      // Of accumulators of the user's it may be anything.
      auto type = json::ondemand::json_type::null;
      if (value.type().get(type) == simdjson::SUCCESS && type == json::ondemand::json_type::string) {
        const bool text_good = json::read(value, text);
        number = value_in(text);
        return text_good;
      }
      return true;
    }
    if (key == "Metadata") {
      const bool metadata_good = json::read(value, text);
      sql = text == "sql";
      return metadata_good;
    }
    return true;
  });
  if (id && !internal) {
    stage.accumulators.push_back(*id);
  }
  if (id && sql && number) {
    stage.values.push_back({*id, *number});
  }
  return good;
}

bool read_accumulators(json::Value array, StageInfo& stage) {
  return json::for_each_element(array, [&](json::Value element) { return read_accumulator(element, stage); });
}

bool read_stage_info(json::Value object, StageInfo& stage) {
  bool has_id = false;
  const bool good = json::for_each_field(object, [&](json::Key key, json::Value value) {
    if (key == "Stage ID") {
      has_id = true;
      return json::read(value, stage.id);
    }
    if (key == "Stage Attempt ID") {
      return json::read(value, stage.attempt);
    }
    if (key == "Stage Name") {
      return json::read(value, stage.name);
    }
    if (key == "Number of Tasks") {
      return json::read(value, stage.declared_tasks);
    }
    if (key == "RDD Info") {
      return read_rdds(value, stage.rdds);
    }
    if (key == "Parent IDs") {
      return json::read(value, stage.parents);
    }
    if (key == "Details") {
      return json::read(value, stage.details);
    }
    if (key == "Submission Time") {
      return json::read(value, stage.submitted_ms);
    }
    if (key == "Completion Time") {
      return json::read(value, stage.completed_ms);
    }
    if (key == "Failure Reason") {
      return json::read(value, stage.failure_reason);
    }
    if (key == "Accumulables") {
      return read_accumulators(value, stage);
    }
    if (key == "Resource Profile Id") {
      return json::read(value, stage.resource_profile);
    }
    return true;
  });
  return good && has_id;
}

// The properties of a job or a stage: every SQL setting of the session is among them, few are wanted.
bool read_labels(json::Value object, Labels& labels) {
  return json::for_each_field(object, [&](json::Key key, json::Value value) {
    if (key == "spark.jobGroup.id") {
      return json::read(value, labels.group);
    }
    if (key == "spark.job.description") {
      return json::read(value, labels.description);
    }
    if (key == "spark.sql.execution.id") {
      std::string_view text;
      const bool good = json::read(value, text);
      labels.sql_execution = value_in(text);
      return good;
    }
    return true;
  });
}

}  // namespace

bool parse_job_start(json::ondemand::object fields, Event& event) {
  auto& job = event.emplace<JobStart>();
  bool has_id = false;
  const bool good = json::for_each_field(fields, [&](json::Key key, json::Value value) {
    if (key == "Job ID") {
      has_id = true;
      return json::read(value, job.id);
    }
    if (key == "Submission Time") {
      return json::read(value, job.time_ms);
    }
    if (key == "Stage Infos") {
      return json::for_each_element(value, [&](json::Value stage) { return read_stage_info(stage, job.stage_infos.emplace_back()); });
    }
    if (key == "Stage IDs") {
      return json::read(value, job.stage_ids);
    }
    if (key == "Properties") {
      return read_labels(value, job.labels);
    }
    return true;
  });
  return good && has_id;
}

bool parse_job_end(json::ondemand::object fields, Event& event) {
  auto& job = event.emplace<JobEnd>();
  bool has_id = false;
  const auto read_exception = [&](json::Key key, json::Value value) {
    return key == "Message" ? json::read_error_line(value, job.error) : true;
  };
  const auto read_result = [&](json::Key key, json::Value value) {
    if (key == "Exception") {
      return json::for_each_field(value, read_exception);
    }
    if (!(key == "Result")) {
      return true;
    }
    std::string_view result;
    const bool good = json::read(value, result);
    job.succeeded = result == "JobSucceeded";
    return good;
  };
  const bool good = json::for_each_field(fields, [&](json::Key key, json::Value value) {
    if (key == "Job ID") {
      has_id = true;
      return json::read(value, job.id);
    }
    if (key == "Completion Time") {
      return json::read(value, job.time_ms);
    }
    return key == "Job Result" ? json::for_each_field(value, read_result) : true;
  });
  return good && has_id;
}

bool parse_stage_submitted(json::ondemand::object fields, Event& event) {
  auto& submitted = event.emplace<StageSubmitted>();
  bool has_stage = false;
  const bool good = json::for_each_field(fields, [&](json::Key key, json::Value value) {
    if (key == "Stage Info") {
      has_stage = true;
      return read_stage_info(value, submitted.stage);
    }
    return key == "Properties" ? read_labels(value, submitted.labels) : true;
  });
  return good && has_stage;
}

bool parse_stage_completed(json::ondemand::object fields, Event& event) {
  auto& completed = event.emplace<StageCompleted>();
  bool has_stage = false;
  const bool good = json::for_each_field(fields, [&](json::Key key, json::Value value) {
    if (key == "Stage Info") {
      has_stage = true;
      return read_stage_info(value, completed.stage);
    }
    return true;
  });
  return good && has_stage;
}

bool parse_unpersist_rdd(json::ondemand::object fields, Event& event) {
  auto& unpersisted = event.emplace<UnpersistRdd>();
  return json::for_each_field(fields,
                              [&](json::Key key, json::Value value) { return key == "RDD ID" ? json::read(value, unpersisted.id) : true; });
}

}  // namespace stagegate
