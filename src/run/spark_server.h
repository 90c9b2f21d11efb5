// A live UI or a history server as a source: which applications it has, and one of them read.
//
// A history server hands out the event log (`/logs`, a zip), which is read as it comes, for it is the whole truth and is not subject to the
// server's limits on what it keeps. Where it does not, and on a live UI, the REST API is asked.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_source.h"
#include "base/result.h"
#include "ingest/read_rest.h"
#include "ingest/spark_address.h"
#include "model/application.h"
#include "sys/http_client.h"

namespace stagegate {

enum class ServerRoute { log_first, rest_only };

struct ServerReading {
  TaskDepth depth = TaskDepth::judged;
  int threads = 1;
  ServerRoute route = ServerRoute::log_first;
  // Given the log as it comes, gives what is read instead: for a progress line.
  std::function<std::unique_ptr<ByteSource>(std::unique_ptr<ByteSource>)> watch = {};
};

class SparkServer {
 public:
  SparkServer(SparkAddress address, HttpSettings settings);

  const SparkAddress& address() const { return address_; }
  // "the history server http://host:18080" or "the Spark UI http://host:4040", as far as it is known.
  std::string description() const;

  // Those that the address means: all, or the attempts of the one that it names, newest first; none where the server does not know it
  // (yet). Kind evidence: nothing answers there, or what does is not Spark's REST API; then the error says what it is.
  Result<std::vector<ServedApplication>> applications();

  // Whether it keeps the logs of applications that have ended, and is not the UI of one that runs.
  Result<bool> is_history_server();

  // Its Spark properties, as the REST API has them.
  Result<std::map<std::string, std::string>> spark_properties(const ServedApplication& application);

  // Kind evidence: the server does not know it any more, or ends while it is read.
  Result<Application> read(const ServedApplication& application, const ServerReading& reading);

 private:
  WebGet get();
  Error why_not(Error error);
  Result<std::unique_ptr<ByteSource>> open_log(const ServedApplication& application);
  Result<Application> read_log(std::unique_ptr<ByteSource> log, const ServedApplication& application, const ServerReading& reading);

  SparkAddress address_;
  std::unique_ptr<HttpClient> client_;
  std::optional<bool> is_history_server_;
};

}  // namespace stagegate
