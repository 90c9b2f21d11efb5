#include "sys/http_request.h"

#include <limits>
#include <optional>
#include <random>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "sys/redirect_rules.h"

namespace stagegate {
namespace {

// Waits for as much of the body as has to be there before anything is decided.
Transferred<void> fill(HttpTransfer& transfer, const AnswerHead& head, BodyUse use, const HttpSettings& settings) {
  if (head.location && is_redirect(head.status)) {
    return {};
  }
  if (use == BodyUse::streamed) {
    return transfer.fill(may_pass(head.status) ? kBodyForRetry : 0);
  }
  if (head.bytes > settings.max_body_bytes) {
    return tl::unexpected(WebFailure{WebTrouble::too_large, {}, {}});
  }
  return transfer.fill(std::numeric_limits<std::size_t>::max());
}

}  // namespace

HttpRequest::HttpRequest(const HttpSettings& settings, std::shared_ptr<ConnectionPool> pool, BodyUse use)
    : settings_(settings),
      mask_(settings),
      pool_(std::move(pool)),
      use_(use),
      retries_(settings.retries, settings.first_back_off, std::random_device()()) {}

Result<WebReply> HttpRequest::ask(const std::string& url) {
  STAGEGATE_TRY_ASSIGN(first, parse_web_address(url).map_error([this](const Error& error) {
    return Error{error.kind, mask_.hide(error.message)};
  }));
  STAGEGATE_TRY_ASSIGN(headers, private_headers(settings_));
  first_ = std::move(first);
  current_ = first_;
  private_headers_ = std::move(headers);
  for (;;) {
    auto exchanged = exchange_with_retries();
    if (!exchanged) {
      return tl::unexpected(errors()(exchanged.error()));
    }
    auto& [head, transfer] = *exchanged;
    if (!head.location || !is_redirect(head.status)) {
      return WebReply{std::move(head), current_, std::move(transfer), errors()};
    }
    STAGEGATE_TRY(go_on_to(*head.location));
  }
}

Transferred<HttpRequest::Exchange> HttpRequest::exchange() {
  auto transfer =
      std::make_unique<HttpTransfer>(pool_, current_, settings_, use_, keeps_credentials(first_, current_) ? &private_headers_ : nullptr);
  auto head = transfer->head();
  if (!head) {
    return tl::unexpected(std::move(head).error());
  }
  if (auto filled = fill(*transfer, *head, use_, settings_); !filled) {
    return tl::unexpected(std::move(filled).error());
  }
  return Exchange{*std::move(head), std::move(transfer)};
}

Transferred<HttpRequest::Exchange> HttpRequest::exchange_with_retries() {
  for (;;) {
    auto exchanged = exchange();
    const bool again =
        exchanged ? is_worth_a_retry(exchanged->head.status, exchanged->transfer->waiting()) : is_worth_a_retry(exchanged.error().trouble);
    const auto wait = again ? retries_.next_wait(exchanged ? exchanged->head.retry_after : std::nullopt) : std::nullopt;
    if (!wait) {
      return exchanged;
    }
    std::this_thread::sleep_for(*wait);
  }
}

Status HttpRequest::go_on_to(const std::string& location) {
  const auto refuse = [this](std::string_view why) { return fail(ErrorKind::evidence, fmt::format("{}: {}", place(), why)); };
  const auto target = resolve_location(current_, location);
  if (!target) {
    return refuse("the answer leads to an address that is not one of http or https, which is not followed");
  }
  if (!may_follow(current_, *target)) {
    return refuse("the answer leads from https to http, which is not followed; ask the address of http if that is what is meant");
  }
  seen_.insert(current_.url);
  if (seen_.contains(target->url)) {
    return refuse("the answers lead in a circle; perhaps the server wants a login that it keeps in a cookie: see --header");
  }
  if (seen_.size() > kMaxRedirects) {
    return refuse(fmt::format("the answers lead from one address to the next, {} times; look which one is meant", kMaxRedirects));
  }
  current_ = *target;
  return {};
}

WebErrors HttpRequest::errors() const {
  return [place = place(), settings = settings_, mask = mask_](const WebFailure& failure) {
    const WebFailure shown{failure.trouble, mask.hide(failure.detail), failure.proxy_variable};
    return Error{failure_kind(failure, settings), fmt::format("{}: {}", place, failure_text(shown, settings))};
  };
}

// Of an address that a server named only the host is shown: all else may be what it heard from us.
std::string HttpRequest::place() const {
  const auto elsewhere = current_.url == first_.url ? "" : fmt::format(" (which leads to {})", mask_.hide(origin_of(current_)));
  return fmt::format("cannot get '{}'{}", mask_.hide(shown_address(first_)), elsewhere);
}

}  // namespace stagegate
