#include "run/find_evidence.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "ingest/read_log.h"
#include "run/command_line.h"
#include "sys/file.h"

namespace stagegate {
namespace {

// More are counted, not named.
constexpr std::size_t kMostNamed = 4;

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

}  // namespace

Result<Application> read_evidence(const JobRun& run) {
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

}  // namespace stagegate
