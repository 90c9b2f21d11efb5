#include "app/served_evidence.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/read_address.h"
#include "app/web_settings.h"
#include "run/command_line.h"
#include "run/find_evidence.h"

namespace stagegate {
namespace {

SourceOptions source_of(const EvidencePlace& place) {
  SourceOptions source;
  source.source = *place.history_server;
  source.web.user = place.user;
  source.web.token_variable = place.token_variable;
  source.web.ca_file = place.ca_file;
  return source;
}

class MarkedApplication {
 public:
  MarkedApplication(SparkServer& server, const JobRun& run) : server_(server), run_(run) {}

  Result<Application> look() {
    STAGEGATE_TRY_ASSIGN(all, server_.applications());
    std::vector<ServedApplication> marked;
    for (auto& one : all) {
      if (one.head.start_ms.value_or(0) + kClockDifference.count() >= run_.started_ms.value_or(0) && carries_marker(one)) {
        marked.push_back(std::move(one));
      }
    }
    if (marked.size() == 1) {
      return server_.read(marked.front(), {});
    }
    return fail(
        ErrorKind::evidence,
        marked.empty()
            ? fmt::format("no application on {} carries the {} of this run. Either the job started no SparkContext, or its log does not "
                          "go where that server looks (spark.eventLog.dir), or it comes later than [evidence] wait allows",
                          server_.address().root, kMarkerProperty)
            : fmt::format("the run left {} applications on {}. A job is one Spark application; make each of them a job of its own",
                          marked.size(), server_.address().root));
  }

 private:
  // What a server cannot say of another's application is not our concern.
  bool carries_marker(const ServedApplication& application) {
    const auto properties = server_.spark_properties(application);
    const auto marker = properties ? properties->find(kMarkerProperty) : std::map<std::string, std::string>::const_iterator();
    return properties && marker != properties->end() && marker->second == run_.marker;
  }

  SparkServer& server_;
  const JobRun& run_;
};

}  // namespace

Result<Application> read_served_evidence(const JobRun& run, const EvidencePlace& place) {
  STAGEGATE_TRY_ASSIGN(server, open_server(source_of(place)));
  MarkedApplication marked(*server, run);
  return wait_for_evidence(place.wait, [&] { return marked.look(); });
}

}  // namespace stagegate
