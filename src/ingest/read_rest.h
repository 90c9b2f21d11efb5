// The other entrance to ingest/: the answers of Spark's REST API (/api/v1 of a live UI or a history server) in, an Application out, with
// the values that reading the application's event log gives, as far as the API has them.
//
// What the API does not say is absent: parents, scopes and call sites of RDDs, accumulators, details and settings of SQL executions, and
// the metrics of their plans' nodes. So stages are told apart less well than in an event log, which is to be preferred where there is one.
//
// What a server has forgotten (it keeps the newest 1000 stages and 100000 tasks of each) is a problem in Application::evidence, as is an
// application that still runs. An error (ErrorKind::evidence) means that the server did not answer, refused, or is none of Spark's.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/web_answer.h"
#include "ingest/log_choice.h"
#include "model/application.h"

namespace stagegate {

struct RestOptions {
  TaskDepth depth = TaskDepth::judged;
  int page_size = 1000;  // tasks an answer, of about 3 KB each
};

// An attempt of an application, as a server lists it.
struct ServedApplication {
  LogHead head;  // its `log` is what read_rest_application() takes: "app-1/2", or "app-1" where attempts have no numbers
  bool completed = false;
};

// Every attempt of every application, newest first; with APP, an id, those of that one alone: none where the server does not know it.
Result<std::vector<ServedApplication>> list_rest_applications(const WebGet& get, const std::optional<std::string>& app = {});

// APP: an id, or "<id>/<attempt>"; an id alone means the newest attempt. Holds one page of tasks, and about a hundred bytes for each task
// of one stage.
Result<Application> read_rest_application(const WebGet& get, std::string_view app, const RestOptions& options = {});

}  // namespace stagegate
