// The events of the application itself: its start and end, its configuration, its executors.
#include "base/text.h"
#include "ingest/parse_events.h"

namespace stagegate {

bool parse_log_start(json::ondemand::object fields, Event& event) {
  auto& start = event.emplace<LogStart>();
  return json::for_each_field(
      fields, [&](json::Key key, json::Value value) { return key == "Spark Version" ? json::read(value, start.spark_version) : true; });
}

bool parse_application_start(json::ondemand::object fields, Event& event) {
  auto& start = event.emplace<ApplicationStart>();
  return json::for_each_field(fields, [&](json::Key key, json::Value value) {
    if (key == "App Name") {
      return json::read(value, start.name);
    }
    if (key == "App ID") {
      return json::read(value, start.id);
    }
    if (key == "App Attempt ID") {
      return json::read(value, start.attempt);
    }
    if (key == "Timestamp") {
      return json::read(value, start.time_ms);
    }
    return true;
  });
}

bool parse_application_end(json::ondemand::object fields, Event& event) {
  auto& end = event.emplace<ApplicationEnd>();
  return json::for_each_field(fields,
                              [&](json::Key key, json::Value value) { return key == "Timestamp" ? json::read(value, end.time_ms) : true; });
}

bool parse_environment_update(json::ondemand::object fields, Event& event) {
  auto& environment = event.emplace<EnvironmentUpdate>();
  return json::for_each_field(fields, [&](json::Key key, json::Value value) {
    if (key == "Spark Properties") {
      return json::read(value, environment.spark_properties);
    }
    return key == "JVM Information" ? json::read(value, environment.jvm) : true;
  });
}

namespace {

// {"cores":{"Resource Name":"cores","Amount":4,...},...}
bool read_requests(json::Value object, std::map<std::string, std::string>& requests) {
  return json::for_each_field(object, [&](json::Key, json::Value request) {
    std::string name;
    std::string amount;
    const bool good = json::for_each_field(request, [&](json::Key key, json::Value value) {
      if (key == "Resource Name") {
        return json::read(value, name);
      }
      if (key == "Amount") {
        amount = trim(std::string_view(value.raw_json_token()));
      }
      return true;
    });
    requests.insert_or_assign(std::move(name), std::move(amount));
    return good;
  });
}

}  // namespace

bool parse_resource_profile_added(json::ondemand::object fields, Event& event) {
  auto& profile = event.emplace<ResourceProfileAdded>().profile;
  return json::for_each_field(fields, [&](json::Key key, json::Value value) {
    if (key == "Resource Profile Id") {
      return json::read(value, profile.id);
    }
    if (key == "Executor Resource Requests") {
      return read_requests(value, profile.executor);
    }
    return key == "Task Resource Requests" ? read_requests(value, profile.task) : true;
  });
}

bool parse_executor_added(json::ondemand::object fields, Event& event) {
  auto& executor = event.emplace<ExecutorAdded>().executor;
  const auto read_info = [&](json::Key key, json::Value value) {
    if (key == "Host") {
      return json::read(value, executor.host);
    }
    if (key == "Total Cores") {
      return json::read(value, executor.cores);
    }
    return true;
  };
  return json::for_each_field(fields, [&](json::Key key, json::Value value) {
    if (key == "Timestamp") {
      return json::read(value, executor.added_ms);
    }
    if (key == "Executor ID") {
      return json::read(value, executor.id);
    }
    if (key == "Executor Info") {
      return json::for_each_field(value, read_info);
    }
    return true;
  });
}

bool parse_executor_removed(json::ondemand::object fields, Event& event) {
  auto& removed = event.emplace<ExecutorRemoved>();
  return json::for_each_field(fields, [&](json::Key key, json::Value value) {
    if (key == "Timestamp") {
      return json::read(value, removed.time_ms);
    }
    if (key == "Executor ID") {
      return json::read(value, removed.id);
    }
    if (key == "Removed Reason") {
      return json::read(value, removed.reason);
    }
    return true;
  });
}

}  // namespace stagegate
