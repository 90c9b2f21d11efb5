#include "run/spark_server.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "ingest/peeked_source.h"
#include "ingest/read_log.h"
#include "ingest/rest/parse_rest.h"
#include "ingest/rest/rest_client.h"
#include "ingest/web_signs.h"

namespace stagegate {
namespace {

constexpr int kOk = 200;
constexpr int kTooMany = 429;
constexpr int kServerErrors = 500;
constexpr std::string_view kApplications = "/api/v1/applications";
constexpr std::string_view kZipWithEntries = "PK\x03\x04";

std::string path_of(const ServedApplication& application) {
  return fmt::format("{}/{}", kApplications, rest_path_of(application.head.id.value_or(""), application.head.attempt));
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
  return [this](std::string_view path) -> Result<WebAnswer> {
    STAGEGATE_TRY_ASSIGN(answer, client_->get(address_.root + std::string(path)));
    if (answer.status != kOk) {
      answer.body = client_->without_secrets(answer.body);  // of a refusal, words are shown
    }
    return answer;
  };
}

// ERROR is what asking for the applications came to. What the server is tells more than that it was not understood; the page at its root
// tells it best.
Error SparkServer::why_not(Error error) {
  const auto answer = client_->get(address_.root + std::string(kApplications));
  if (!answer || answer->status >= kServerErrors || answer->status == kTooMany) {
    return error;
  }
  auto says = web_signs(*answer);
  if (const auto root = wants_credentials(*answer) ? Result<WebAnswer>(*answer) : client_->get(address_.root + "/")) {
    const auto root_says = web_signs(*root);
    says = root_says.empty() ? says : root_says;
  }
  return says.empty() ? error : Error{ErrorKind::evidence, fmt::format("{}: it is {}", address_.root, says)};
}

Result<std::vector<ServedApplication>> SparkServer::applications() {
  auto all = list_rest_applications(get(), address_.app);
  if (!all) {
    return tl::unexpected(why_not(std::move(all).error()));
  }
  if (address_.attempt) {
    std::erase_if(*all, [&](const ServedApplication& one) { return one.head.attempt && one.head.attempt != address_.attempt; });
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
Result<std::unique_ptr<ByteSource>> SparkServer::open_log(const ServedApplication& application) {
  STAGEGATE_TRY_ASSIGN(stream, client_->open(address_.root + path_of(application) + "/logs"));
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

// The zip may hold whatever: what is in it has to be what was asked for.
Result<Application> SparkServer::read_log(std::unique_ptr<ByteSource> log, const ServedApplication& application,
                                          const ServerReading& reading) {
  auto read = read_log_file(reading.watch ? reading.watch(std::move(log)) : std::move(log), "logs",
                            {.depth = reading.depth, .threads = reading.threads, .choice = {}, .idle = {}});
  const auto place = address_.root + path_of(application) + "/logs";
  if (!read) {
    auto error = std::move(read).error();
    error.message = error.message.starts_with("cannot get") ? error.message : fmt::format("{}: {}", place, error.message);
    return tl::unexpected(std::move(error));
  }
  if (read->id && read->id != application.head.id) {
    return fail(ErrorKind::evidence,
                fmt::format("{}: the server hands out the log of another application, '{}', for '{}'; --rest asks its REST "
                            "API instead",
                            place, *read->id, application.head.id.value_or("")));
  }
  return read;
}

Result<std::map<std::string, std::string>> SparkServer::spark_properties(const ServedApplication& application) {
  STAGEGATE_TRY_ASSIGN(answer, client_->get(address_.root + path_of(application) + "/environment"));
  if (answer.status != kOk) {
    return tl::unexpected(refusal(answer));
  }
  STAGEGATE_TRY_ASSIGN(environment, read_answer(answer, parse_rest_environment));
  return std::move(environment.properties.spark_properties);
}

Result<Application> SparkServer::read(const ServedApplication& application, const ServerReading& reading) {
  if (reading.route == ServerRoute::log_first) {
    STAGEGATE_TRY_ASSIGN(log, open_log(application));
    if (log) {
      return read_log(std::move(log), application, reading);
    }
  }
  return read_rest_application(get(), application.head.log, {.depth = reading.depth});
}

}  // namespace stagegate
