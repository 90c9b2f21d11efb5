#include "unit/ingest/recorded_server.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace stagegate {
namespace {

constexpr std::string_view kMark = "=== ";

std::string_view take(std::string_view& text, std::string_view separator) {
  const auto part = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), part.size() + separator.size()));
  return part;
}

}  // namespace

RecordedServer RecordedServer::from_text(std::string_view text) {
  RecordedServer server;
  if (!text.starts_with(kMark)) {
    take(text, "\n=== ");
  } else {
    text.remove_prefix(kMark.size());
  }
  while (!text.empty()) {
    auto answer = take(text, "\n=== ");
    auto head = take(answer, "\n");
    const auto status_text = take(head, " ");
    int status = 0;
    std::from_chars(status_text.data(), status_text.data() + status_text.size(), status);
    const auto content_type = take(head, " ");
    server.answer(std::string(head), std::string(answer), status, std::string(content_type));
  }
  return server;
}

RecordedServer& RecordedServer::answer(std::string path, std::string body, int status, std::string content_type) {
  const auto url = "http://host:18080" + path;
  answers_.insert_or_assign(std::move(path),
                            WebAnswer{.status = status, .content_type = std::move(content_type), .url = url, .body = std::move(body)});
  return *this;
}

RecordedServer& RecordedServer::goes_after(std::size_t answers) {
  goes_after_ = answers;
  return *this;
}

WebGet RecordedServer::get() {
  return [this](std::string_view path) -> Result<WebAnswer> {
    asked_.emplace_back(path);
    if (asked_.size() > goes_after_) {
      return fail(ErrorKind::evidence, "http://host:18080" + std::string(path) + ": connection refused");
    }
    const auto known = answers_.find(path);
    const auto url = "http://host:18080" + std::string(path);
    return known != answers_.end() ? known->second
                                   : WebAnswer{.status = 404, .content_type = "text/html", .url = url, .body = "<html>404</html>"};
  };
}

}  // namespace stagegate
