#include "sys/http_client.h"

#include <utility>

#include "sys/http_request.h"
#include "sys/request_headers.h"

namespace stagegate {
namespace {

class WebBody : public ByteSource {
 public:
  WebBody(std::unique_ptr<HttpTransfer> transfer, WebErrors errors) : transfer_(std::move(transfer)), errors_(std::move(errors)) {}

  Result<std::size_t> read(std::span<char> buffer) override { return transfer_->read(buffer).map_error(errors_); }

 private:
  std::unique_ptr<HttpTransfer> transfer_;
  WebErrors errors_;
};

}  // namespace

struct HttpClient::State {
  HttpSettings settings;
  std::shared_ptr<ConnectionPool> pool;  // from the first question on
};

HttpClient::HttpClient(HttpSettings settings) : state_(std::make_unique<State>()) {
  state_->settings = std::move(settings);
}

HttpClient::~HttpClient() = default;

Result<WebAnswer> HttpClient::get(const std::string& url) {
  if (state_->pool == nullptr) {
    STAGEGATE_TRY_ASSIGN(pool, new_connection_pool());
    state_->pool = std::move(pool);
  }
  HttpRequest request(state_->settings, state_->pool, BodyUse::held);
  STAGEGATE_TRY_ASSIGN(reply, request.ask(url));
  return WebAnswer{reply.head.status, std::move(reply.head.content_type), std::move(reply.address.url), reply.transfer->take_body()};
}

std::string HttpClient::without_secrets(std::string_view text) const {
  return SecretMask(state_->settings).hide(text);
}

// The body may be read by another thread than asks for the next one, so its connection is its own.
Result<HttpStream> HttpClient::open(const std::string& url) {
  STAGEGATE_TRY_ASSIGN(pool, new_connection_pool());
  HttpRequest request(state_->settings, std::move(pool), BodyUse::streamed);
  STAGEGATE_TRY_ASSIGN(reply, request.ask(url));
  auto body = std::make_unique<WebBody>(std::move(reply.transfer), std::move(reply.errors));
  return HttpStream{reply.head.status, std::move(reply.head.content_type), std::move(reply.address.url), reply.head.bytes, std::move(body)};
}

}  // namespace stagegate
