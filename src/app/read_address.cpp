#include "app/read_address.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "app/console.h"
#include "app/read_source.h"
#include "app/reading_progress.h"
#include "app/web_settings.h"
#include "base/units.h"

namespace stagegate {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kAskAgain = std::chrono::milliseconds(1000);

// "app-1" of "app-1/2".
std::string_view id_in(std::string_view app) {
  return app.substr(0, app.find('/'));
}

// --app may repeat what the address says, or say which attempt of it.
Status check_app(const SparkAddress& address, const SourceOptions& source) {
  if (address.app && source.app && id_in(*source.app) != *address.app && *source.app != "latest") {
    return fail(ErrorKind::usage, fmt::format("the address is that of the application '{}', and --app names '{}'; leave one of them out",
                                              *address.app, *source.app));
  }
  return {};
}

tl::unexpected<Error> knows_none(const SparkServer& server) {
  const auto& address = server.address();
  constexpr auto advice =
      "a history server shows an application after its next scan (spark.history.fs.update.interval) of its folder "
      "(spark.history.fs.logDirectory): --wait asks again until then";
  if (address.app) {
    return fail(ErrorKind::evidence, fmt::format("{} knows no application '{}'{}; {}", server.description(), *address.app,
                                                 address.attempt ? fmt::format(" with an attempt '{}'", *address.attempt) : "", advice));
  }
  return fail(ErrorKind::evidence, fmt::format("{} knows no application yet; {}", server.description(), advice));
}

// Of an application that the address names the newest attempt is meant, as Spark's own pages have it.
Result<ServedApplication> choose_served(const SparkServer& server, const std::vector<ServedApplication>& all, const SourceOptions& source) {
  if (all.empty()) {
    return knows_none(server);
  }
  if (server.address().app && (!source.app || *source.app == *server.address().app)) {
    return all.front();
  }
  std::vector<LogHead> heads;
  std::transform(all.begin(), all.end(), std::back_inserter(heads), [](const ServedApplication& one) { return one.head; });
  STAGEGATE_TRY_ASSIGN(chosen, choose(heads, {.app = source.app, .log = {}}, server.description()));
  return all[chosen];
}

Result<ServedApplication> find_once(SparkServer& server, const SourceOptions& source) {
  STAGEGATE_TRY_ASSIGN(all, server.applications());
  return choose_served(server, all, source);
}

// Several applications of one name do not become one by waiting; one that is not there may come.
bool may_come(const Result<ServedApplication>& found, const SourceOptions& source) {
  return !found && (found.error().kind == ErrorKind::evidence || source.app);
}

Result<ServedApplication> find_with_patience(SparkServer& server, const SourceOptions& source) {
  const auto until = Clock::now() + *source.web.wait;
  STAGEGATE_TRY_ASSIGN(keeps_logs, server.is_history_server());
  if (!keeps_logs) {
    return fail(ErrorKind::usage, fmt::format("--wait waits for a history server to know an application, and {} is the UI of one; --watch "
                                              "follows it while it runs",
                                              server.address().root));
  }
  for (;;) {
    auto found = find_once(server, source);
    const bool done = found ? found->completed : !may_come(found, source);
    const auto left = until - Clock::now();
    if (done || left <= Clock::duration::zero()) {
      return found;
    }
    std::this_thread::sleep_for(std::min<Clock::duration>(left, kAskAgain));
  }
}

ServerReading reading_of(const SourceOptions& source, TaskDepth depth, ReadingProgress& progress) {
  return {.depth = depth,
          .threads = threads_for(source),
          .route = source.web.rest ? ServerRoute::rest_only : ServerRoute::log_first,
          .watch = [&progress](std::unique_ptr<ByteSource> log) { return progress.watch(std::move(log)); }};
}

Result<Application> read_served(SparkServer& server, const ServedApplication& served, const SourceOptions& source, TaskDepth depth) {
  ReadingProgress progress(0);
  return server.read(served, reading_of(source, depth, progress));
}

}  // namespace

Result<std::unique_ptr<SparkServer>> open_server(const SourceOptions& source) {
  STAGEGATE_TRY_ASSIGN(address, parse_spark_address(source.source));
  STAGEGATE_TRY(check_app(address, source));
  STAGEGATE_TRY_ASSIGN(settings, web_settings(source.web, address.user));
  if (settings.insecure) {
    print_message(fmt::format(
        "WARNING: --insecure: nothing proves that {} is who it says; what it answers, and who reads what it is sent, is anybody's guess",
        address.root));
  }
  return std::make_unique<SparkServer>(std::move(address), std::move(settings));
}

Result<ServedApplication> find_served(SparkServer& server, const SourceOptions& source) {
  return source.web.wait ? find_with_patience(server, source) : find_once(server, source);
}

Result<Application> read_address(const SourceOptions& source, TaskDepth depth) {
  STAGEGATE_TRY_ASSIGN(server, open_server(source));
  STAGEGATE_TRY_ASSIGN(served, find_served(*server, source));
  return read_served(*server, served, source, depth);
}

Status read_all_of_address(const SourceOptions& source, TaskDepth depth,
                           const std::function<void(const Result<Application>&)>& on_application) {
  STAGEGATE_TRY_ASSIGN(server, open_server(source));
  STAGEGATE_TRY_ASSIGN(all, server->applications());
  if (all.empty()) {
    return knows_none(*server);
  }
  for (const auto& served : all) {
    on_application(read_served(*server, served, source, depth).map_error([&](Error error) {
      error.message = fmt::format("{}: {}", served.head.log, error.message);
      return error;
    }));
  }
  return {};
}

}  // namespace stagegate
