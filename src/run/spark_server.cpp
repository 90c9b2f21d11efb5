#include "run/spark_server.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "ingest/peeked_source.h"
#include "ingest/read_log.h"
#include "ingest/read_rest.h"
#include "ingest/rest/parse_rest.h"
#include "ingest/rest/rest_client.h"
#include "ingest/web_signs.h"

namespace stagegate {
namespace {

constexpr int kOk = 200;
constexpr int kNotFound = 404;
constexpr std::string_view kApplications = "/api/v1/applications";
constexpr std::string_view kZipWithEntries = "PK\x03\x04";

LogHead head_of(const RestApplication& application, const RestAttempt& attempt) {
  return {.log = rest_path_of(application.id, attempt.id),
          .id = application.id,
          .name = application.name,
          .attempt = attempt.id,
          .start_ms = attempt.start_ms};
}

void append(std::vector<ServedApplication>& all, const RestApplication& application, const std::optional<std::string>& wanted) {
  for (const auto& attempt : application.attempts) {
    if (!wanted || attempt.id == wanted) {
      all.push_back({head_of(application, attempt), attempt.completed});
    }
  }
}

bool wants_credentials(const WebAnswer& answer) {
  return answer.status == 401 || answer.status == 403 || answer.status == 407;
}

}  // namespace

SparkServer::SparkServer(SparkAddress address, HttpSettings settings)
    : address_(std::move(address)), client_(std::make_unique<HttpClient>(std::move(settings))) {}

std::string SparkServer::description() const {
  const auto what = !is_history_server_ ? "the server" : *is_history_server_ ? "the history server" : "the Spark UI";
  return fmt::format("{} {}", what, address_.root);
}

WebGet SparkServer::get() {
  return [this](std::string_view path) { return client_->get(address_.root + std::string(path)); };
}

// The page at the root tells more than an answer to a question that was not understood.
Error SparkServer::not_spark(const WebAnswer& answer) {
  auto says = web_signs(answer);
  if (!wants_credentials(answer)) {
    if (const auto root = client_->get(address_.root + "/")) {
      const auto root_says = web_signs(*root);
      says = root_says.empty() ? says : root_says;
    }
  }
  const auto what = says.empty() ? fmt::format(
                                       "it answers {} with status {}, as no Spark UI or history server does; give the address of one "
                                       "as the browser shows it",
                                       kApplications, answer.status)
                                 : "it is " + says;
  return Error{ErrorKind::evidence, fmt::format("{}: {}", address_.root, what)};
}

Result<std::vector<ServedApplication>> SparkServer::applications() {
  std::vector<ServedApplication> all;
  const auto path =
      address_.app ? fmt::format("{}/{}", kApplications, rest_path_of(*address_.app, std::nullopt)) : std::string(kApplications);
  STAGEGATE_TRY_ASSIGN(answer, client_->get(address_.root + path));
  if (address_.app && answer.status == kNotFound && knows_no_application(answer)) {
    return all;
  }
  if (answer.status != kOk) {
    return tl::unexpected(not_spark(answer));
  }
  if (address_.app) {
    const auto application = parse_rest_application(answer.body);
    if (!application) {
      return tl::unexpected(web_signs(answer).empty() ? unreadable(answer, application.error()) : not_spark(answer));
    }
    append(all, *application, address_.attempt);
    return all;
  }
  const auto applications = parse_rest_applications(answer.body);
  if (!applications) {
    return tl::unexpected(web_signs(answer).empty() ? unreadable(answer, applications.error()) : not_spark(answer));
  }
  for (const auto& application : *applications) {
    append(all, application, std::nullopt);
  }
  return all;
}

Result<bool> SparkServer::is_history_server() {
  if (!is_history_server_) {
    STAGEGATE_TRY_ASSIGN(root, client_->get(address_.root + "/"));
    is_history_server_ = root.body.find("History Server") != std::string::npos;
  }
  return *is_history_server_;
}

// Null where the server does not hand it out: a live UI sends nothing or an empty zip, a history server may refuse.
Result<std::unique_ptr<ByteSource>> SparkServer::open_log(std::string_view application) {
  STAGEGATE_TRY_ASSIGN(stream, client_->open(fmt::format("{}{}/{}/logs", address_.root, kApplications, application)));
  if (stream.status != kOk) {
    return nullptr;
  }
  auto peeked = std::make_unique<PeekedSource>(std::move(stream.body));
  STAGEGATE_TRY_ASSIGN(begin, peeked->peek(kZipWithEntries.size()));
  if (begin != kZipWithEntries) {
    return nullptr;
  }
  return peeked;
}

Result<std::map<std::string, std::string>> SparkServer::spark_properties(const ServedApplication& application) {
  STAGEGATE_TRY_ASSIGN(answer, client_->get(fmt::format("{}{}/{}/environment", address_.root, kApplications, application.head.log)));
  if (answer.status != kOk) {
    return tl::unexpected(refusal(answer));
  }
  STAGEGATE_TRY_ASSIGN(environment, read_answer(answer, parse_rest_environment));
  return std::move(environment.properties.spark_properties);
}

Result<Application> SparkServer::read(const ServedApplication& application, const ServerReading& reading) {
  if (reading.route == ServerRoute::log_first) {
    STAGEGATE_TRY_ASSIGN(log, open_log(application.head.log));
    if (log) {
      return read_log_file(reading.watch ? reading.watch(std::move(log)) : std::move(log), "logs",
                           {.depth = reading.depth, .threads = reading.threads, .choice = {}, .idle = {}});
    }
  }
  return read_rest_application(get(), application.head.log, {.depth = reading.depth});
}

}  // namespace stagegate
