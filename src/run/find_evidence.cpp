#include "run/find_evidence.h"

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "ingest/log_property.h"
#include "ingest/read_log.h"
#include "run/command_line.h"
#include "sys/file.h"
#include "sys/interrupt.h"

namespace stagegate {
namespace {

// More are counted, not named.
constexpr std::size_t kMostNamed = 4;

constexpr std::chrono::milliseconds kLookAgain = std::chrono::seconds(1);

Result<Application> read_log(const std::string& folder, const std::string& name) {
  const auto path = folder + "/" + name;
  if (is_folder(path)) {
    const auto log = open_folder(path);
    return read_log_folder(*log, name);
  }
  STAGEGATE_TRY_ASSIGN(bytes, open_file(path));
  return read_log_file(std::move(bytes), name);
}

tl::unexpected<Error> no_log(const std::string& folder) {
  return fail(ErrorKind::evidence,
              fmt::format("the run left no event log in {}. Either the job started no SparkContext, or its own code sets "
                          "spark.eventLog.enabled or spark.eventLog.dir: take that out, stagegate sets both. A Spark Connect client and a "
                          "driver on another machine (cluster deploy mode) leave none here either",
                          folder));
}

std::string described(const std::string& folder, const std::string& name) {
  const auto application = read_log(folder, name);
  if (!application) {
    return name;
  }
  return fmt::format("{} '{}'", application->id.value_or(name), application->name.value_or(""));
}

tl::unexpected<Error> several_logs(const std::string& folder, const std::vector<std::string>& names) {
  std::vector<std::string> applications;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i) {
    applications.push_back(described(folder, names[i]));
  }
  if (names.size() > kMostNamed) {
    applications.push_back(fmt::format("{} more", names.size() - kMostNamed));
  }
  return fail(ErrorKind::evidence,
              fmt::format("the run left {} event logs in {}: {}. A job is one Spark application; make each of them a job of its own",
                          names.size(), folder, join(applications, ", ")));
}

// A log that broke off before the environment event has no properties: that it is incomplete is said elsewhere.
bool is_of_another_run(const Application& application, const JobRun& run) {
  const auto marker = application.spark_properties.find(kMarkerProperty);
  return !application.spark_properties.empty() && (marker == application.spark_properties.end() || marker->second != run.marker);
}

Result<Application> read_own_folder(const JobRun& run) {
  const auto folder = run.run_dir + "/eventlog";
  STAGEGATE_TRY_ASSIGN(names, list_folder(folder));
  // Hadoop leaves checksums such as .app-1.crc beside some files.
  std::erase_if(names, [](const auto& name) { return name.starts_with('.'); });
  if (names.empty()) {
    return no_log(folder);
  }
  if (names.size() > 1) {
    return several_logs(folder, names);
  }
  STAGEGATE_TRY_ASSIGN(application, read_log(folder, names.front()));
  if (is_of_another_run(application, run)) {
    return fail(ErrorKind::evidence, fmt::format("{}/{} is the log of another run: it does not carry the {} of this one", folder,
                                                 names.front(), kMarkerProperty));
  }
  return application;
}

// Those of a shared folder that were written to since the run began and carry its marker. What cannot be read is somebody else's.
Result<std::vector<std::string>> logs_with_marker(const std::string& path, const JobRun& run) {
  STAGEGATE_TRY_ASSIGN(names, list_folder(path));
  const auto folder = open_folder(path);
  std::vector<std::string> found;
  for (const auto& name : names) {
    const auto written_ms = look_at_tree(fmt::format("{}/{}", path, name)).last_write_epoch_ms;
    if (name.starts_with('.') || !written_ms || *written_ms + kClockDifference.count() < run.started_ms.value_or(0)) {
      continue;
    }
    const auto marker =
        spark_property_of(*folder, {.name = name, .is_folder = is_folder(fmt::format("{}/{}", path, name))}, kMarkerProperty);
    if (marker && *marker == run.marker) {
      found.push_back(name);
    }
  }
  return found;
}

Result<Application> look_into(const std::string& folder, const JobRun& run) {
  STAGEGATE_TRY_ASSIGN(names, logs_with_marker(folder, run));
  if (names.size() > 1) {
    return several_logs(folder, names);
  }
  if (names.empty()) {
    return fail(ErrorKind::evidence,
                fmt::format("no event log in {} carries the {} of this run. Either the job started no SparkContext, or its own code sets "
                            "spark.eventLog.enabled or spark.eventLog.dir, or its log comes later than [evidence] wait allows",
                            folder, kMarkerProperty));
  }
  return read_log(folder, names.front());
}

}  // namespace

Result<Application> wait_for_evidence(std::chrono::milliseconds patience, const std::function<Result<Application>()>& look) {
  const auto until = std::chrono::steady_clock::now() + patience;
  for (;;) {
    auto application = look();
    const bool whole = application && application->end_ms;
    if (whole || std::chrono::steady_clock::now() >= until || interrupt_signal()) {
      return application;
    }
    std::this_thread::sleep_for(std::min(patience, kLookAgain));
  }
}

Result<Application> read_evidence(const JobRun& run, const EvidencePlace& place) {
  if (!place.elsewhere()) {
    return read_own_folder(run);
  }
  return wait_for_evidence(place.wait, [&] { return look_into(*place.log_dir, run); });
}

}  // namespace stagegate
