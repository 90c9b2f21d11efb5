#include "ingest/rest/rest_client.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"

namespace stagegate {
namespace {

constexpr std::string_view kVersion = "/api/v1/version";
constexpr int kGood = 200;
constexpr int kUnauthorized = 401;
constexpr int kForbidden = 403;
constexpr int kNotFound = 404;
constexpr int kServerErrors = 500;

constexpr std::size_t kMostBytes = 200;

bool is_html(const WebAnswer& answer) {
  const auto begin = to_lower_ascii(trim(std::string_view(answer.body).substr(0, 512)));
  return answer.content_type == "text/html" || begin.starts_with("<!doctype html") || begin.starts_with("<html");
}

// What the server says, on one line: Spark's own refusals are a line of text.
std::string words_of(const WebAnswer& answer) {
  if (is_html(answer)) {
    return "an HTML page";
  }
  const auto body = trim(answer.body);
  const auto line = body.substr(0, body.find_first_of("\r\n"));
  auto text = clean_text(line.substr(0, kMostBytes));
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text.empty() ? "nothing else" : text;
}

Error evidence(const WebAnswer& answer, std::string_view message) {
  return {ErrorKind::evidence, fmt::format("{}: {}", answer.url, message)};
}

}  // namespace

Result<WebAnswer> RestClient::ask(const std::string& path) {
  auto answer = get_(path);
  if (!answer) {
    auto error = std::move(answer).error();
    // A server that still answers has not gone.
    if (answered_ && !get_(kVersion)) {
      error.message += "; the application ended or the server went away while it was read: read its event log instead";
    }
    return tl::unexpected<Error>(std::move(error));
  }
  if (answer->url.empty()) {
    answer->url = path;
  }
  answered_ = answered_ || answer->status == kGood;
  return answer;
}

Result<WebAnswer> RestClient::ask_for(const std::string& path) {
  auto answer = ask(path);
  if (answer && answer->status != kGood) {
    return tl::unexpected<Error>(refusal(*answer));
  }
  return answer;
}

Result<std::optional<WebAnswer>> RestClient::ask_if_there(const std::string& path) {
  STAGEGATE_TRY_ASSIGN(answer, ask(path));
  if (answer.status == kNotFound && !knows_no_application(answer)) {
    return std::nullopt;
  }
  if (answer.status != kGood) {
    return tl::unexpected<Error>(refusal(answer));
  }
  return answer;
}

Error refusal(const WebAnswer& answer) {
  const auto words = words_of(answer);
  if (answer.status == kUnauthorized) {
    return evidence(answer, fmt::format("the server wants to know who asks (401: {}): give it a user or a token", words));
  }
  if (answer.status == kForbidden && is_html(answer)) {
    return evidence(answer,
                    "the server refuses with an HTML page (403): something in front of Spark wants a user, a token or another header");
  }
  if (answer.status == kForbidden) {
    return evidence(answer, fmt::format("the server refuses (403): {}", words));
  }
  if (answer.status == kNotFound && is_html(answer)) {
    return evidence(answer, "there is nothing at this address (404, an HTML page): it is no address of Spark's REST API");
  }
  if (answer.status == kNotFound) {
    return evidence(answer, fmt::format("the server does not know it (404): {}", words));
  }
  if (answer.status >= kServerErrors) {
    return evidence(answer, fmt::format("the server failed ({}): {}", answer.status, words));
  }
  return evidence(answer, fmt::format("the server answers with status {}: {}", answer.status, words));
}

Error unreadable(const WebAnswer& answer, const Error& problem) {
  if (trim(answer.body).empty()) {
    return evidence(answer, "the answer is empty: it is none of Spark's REST API");
  }
  if (is_html(answer)) {
    return evidence(answer, "the answer is an HTML page, not JSON: the address is none of Spark's REST API, or wants a login");
  }
  return evidence(answer, fmt::format("the answer is none of Spark's REST API: {}", problem.message));
}

bool knows_no_application(const WebAnswer& answer) {
  return answer.status == kNotFound && (answer.body.starts_with("no such app") || answer.body.starts_with("unknown app"));
}

bool knows_no_stage(const WebAnswer& answer) {
  return answer.status == kNotFound && (answer.body.starts_with("unknown stage") || answer.body.starts_with("unknown attempt"));
}

std::string path_part(std::string_view text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
  std::string part;
  for (const char c : text) {
    part += kPlain.find(c) != std::string_view::npos ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return part;
}

}  // namespace stagegate
