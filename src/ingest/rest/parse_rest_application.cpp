// Answers about the application itself: its attempts, its configuration, its executors.
#include <algorithm>
#include <utility>

#include "ingest/rest/parse_rest.h"
#include "ingest/rest/rest_json.h"

namespace stagegate {
namespace {

using rest::Fields;
using rest::ShapeError;

// A time that has not come is -1, in both forms.
std::optional<std::int64_t> time_that_came(const Fields& fields, std::string_view epoch, std::string_view written) {
  const auto exact = fields.integer(epoch);
  const auto time = exact ? exact : fields.time(written);
  return time && *time >= 0 ? time : std::nullopt;
}

RestAttempt attempt_of(const Fields& fields) {
  return {.id = fields.own_text("attemptId"),
          .start_ms = time_that_came(fields, "startTimeEpoch", "startTime"),
          .end_ms = time_that_came(fields, "endTimeEpoch", "endTime"),
          .completed = fields.boolean("completed"),
          .spark_version = fields.own_text("appSparkVersion")};
}

RestApplication application_of(const Fields& fields, ShapeError& error) {
  RestApplication application;
  application.name = fields.own_text("name");
  if (auto id = fields.own_text("id")) {
    application.id = *std::move(id);
  } else {
    error.note("its 'id' is missing");
  }
  fields.each("attempts", [&](const auto& attempt) { application.attempts.push_back(attempt_of(Fields(attempt, error))); });
  return application;
}

// [["spark.app.id","app-1"],...]
void read_pairs(const Fields& fields, std::string_view name, std::map<std::string, std::string>& pairs, ShapeError& error) {
  fields.each(name, [&](const rest::json::value& element) {
    const auto* pair = element.if_array();
    if (pair == nullptr || pair->size() != 2 || !(*pair)[0].is_string()) {
      error.note(fmt::format("its '{}' are no pairs of texts", name));
      return;
    }
    // A value may be null, as of a property that was set to it.
    const auto* value = (*pair)[1].if_string();
    pairs.insert_or_assign(std::string((*pair)[0].get_string()), value == nullptr ? std::string() : std::string(*value));
  });
}

// As the event log writes it: 4 of an executor's resource, 1.0 of a task's.
std::string amount_of(const rest::json::value* value) {
  if (value == nullptr || !value->is_number()) {
    return "";
  }
  if (value->is_double()) {
    const auto amount = value->get_double();
    return amount == std::floor(amount) ? fmt::format("{:.1f}", amount) : fmt::format("{}", amount);
  }
  return value->is_int64() ? fmt::format("{}", value->get_int64()) : fmt::format("{}", value->get_uint64());
}

void read_requests(const Fields& fields, std::map<std::string, std::string>& requests, ShapeError& error) {
  fields.each_member([&](const rest::json::value& member) {
    const Fields request(member, error);
    requests.insert_or_assign(request.own_text("resourceName").value_or(""), amount_of(request.find("amount")));
  });
}

ResourceProfile profile_of(const Fields& fields, ShapeError& error) {
  ResourceProfile profile;
  profile.id = fields.required_integer("id");
  fields.object("executorResources", [&](const Fields& requests) { read_requests(requests, profile.executor, error); });
  fields.object("taskResources", [&](const Fields& requests) { read_requests(requests, profile.task, error); });
  return profile;
}

void read_runtime(const Fields& runtime, std::map<std::string, std::string>& jvm) {
  constexpr std::pair<std::string_view, const char*> kNames[] = {
      {"javaVersion", "Java Version"}, {"javaHome", "Java Home"}, {"scalaVersion", "Scala Version"}};
  for (const auto& [name, event_name] : kNames) {
    if (auto text = runtime.own_text(name)) {
      jvm.insert_or_assign(event_name, *std::move(text));
    }
  }
}

// "192.168.1.1:38835" -> "192.168.1.1"; the port is missing where no block manager was seen.
std::string host_of(std::string_view host_port) {
  const auto colon = host_port.rfind(':');
  const bool has_port = colon != std::string_view::npos && colon + 1 < host_port.size() &&
                        host_port.find_first_not_of("0123456789", colon + 1) == std::string_view::npos &&
                        (host_port.find(':') == colon || host_port.substr(0, colon).ends_with(']'));
  return std::string(has_port ? host_port.substr(0, colon) : host_port);
}

ExecutorInfo executor_of(const Fields& fields) {
  return {.id = fields.own_text("id").value_or(""),
          .host = host_of(fields.text("hostPort").value_or("")),
          .cores = fields.integer("totalCores").value_or(0),
          .added_ms = fields.time("addTime").value_or(0),
          .removed_ms = fields.time("removeTime"),
          .removed_reason = fields.own_text("removeReason").value_or("")};
}

// Executors are numbered: 9 comes before 10.
bool starts_before(const ExecutorInfo& a, const ExecutorInfo& b) {
  return a.added_ms != b.added_ms ? a.added_ms < b.added_ms : a.id.size() != b.id.size() ? a.id.size() < b.id.size() : a.id < b.id;
}

}  // namespace

Result<std::vector<RestApplication>> parse_rest_applications(std::string_view body) {
  std::vector<RestApplication> applications;
  STAGEGATE_TRY(
      rest::read_list(body, [&](const Fields& fields, ShapeError& error) { applications.push_back(application_of(fields, error)); }));
  return applications;
}

Result<RestApplication> parse_rest_application(std::string_view body) {
  RestApplication application;
  STAGEGATE_TRY(rest::read_document(body, [&](const rest::json::value& document, ShapeError& error) {
    application = application_of(Fields(document, error), error);
    if (application.attempts.empty()) {
      error.note("its 'attempts' are missing");
    }
  }));
  return application;
}

Result<std::string> parse_rest_version(std::string_view body) {
  std::string version;
  STAGEGATE_TRY(rest::read_document(body, [&](const rest::json::value& document, ShapeError& error) {
    version = Fields(document, error).own_text("spark").value_or("");
  }));
  return version;
}

Result<RestEnvironment> parse_rest_environment(std::string_view body) {
  RestEnvironment environment;
  STAGEGATE_TRY(rest::read_document(body, [&](const rest::json::value& document, ShapeError& error) {
    const Fields fields(document, error);
    fields.object("runtime", [&](const Fields& runtime) { read_runtime(runtime, environment.properties.jvm); });
    read_pairs(fields, "sparkProperties", environment.properties.spark_properties, error);
    fields.each("resourceProfiles",
                [&](const auto& profile) { environment.profiles.push_back(profile_of(Fields(profile, error), error)); });
  }));
  return environment;
}

Result<std::vector<ExecutorInfo>> parse_rest_executors(std::string_view body) {
  std::vector<ExecutorInfo> executors;
  STAGEGATE_TRY(rest::read_list(body, [&](const Fields& fields, ShapeError&) {
    // The API counts the driver among the executors. Where it is none it has no cores, and no event of the log adds it.
    if (auto executor = executor_of(fields); executor.cores != 0) {
      executors.push_back(std::move(executor));
    }
  }));
  std::stable_sort(executors.begin(), executors.end(), starts_before);
  return executors;
}

}  // namespace stagegate
