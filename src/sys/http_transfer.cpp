#include "sys/http_transfer.h"

#include <algorithm>
#include <utility>

#include "sys/curl_handle.h"
#include "sys/curl_library.h"

namespace stagegate {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kMaxHeaderBytes = 256U << 10U;
constexpr std::size_t kMaxAhead = 1U << 20U;  // of a streamed body, in memory
constexpr milliseconds kLongestPoll{1000};

// "HTTP/1.1 100 Continue": more headers follow, those of the answer.
bool is_interim(std::string_view status_line) {
  const auto blank = status_line.find(' ');
  return blank != std::string_view::npos && status_line.substr(blank + 1).starts_with('1');
}

}  // namespace

struct HttpTransfer::State {
  State(std::shared_ptr<ConnectionPool> connections, const WebAddress& address, const HttpSettings& settings, BodyUse body_use,
        const std::vector<std::string>* private_lines)
      : pool(std::move(connections)),
        easy(address, settings, body_use, private_lines),
        use(body_use),
        idle_timeout(settings.idle_timeout),
        max_body_bytes(settings.max_body_bytes) {
    register_callbacks();
    if (curl().multi_add_handle(pool->handle(), easy.handle()) != CURLM_OK) {
      end(WebFailure{WebTrouble::other, "libcurl could not begin", {}});
    }
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { end(std::nullopt); }

  void register_callbacks();
  static int on_connected(void* self, char* their_ip, char* our_ip, int their_port, int our_port);
  static std::size_t on_header(char* line, std::size_t one, std::size_t size, void* self);
  static std::size_t on_body(char* bytes, std::size_t one, std::size_t size, void* self);
  std::size_t take_header(std::string_view line);
  std::size_t take_body(std::string_view bytes);

  // Moves bytes until REACHED() or the end.
  template <typename Reached>
  void pump(Reached reached);
  void perform();
  void wait();
  void resume();
  void end(std::optional<WebFailure> why);
  std::size_t waiting() const { return body.size() - begin; }

  std::shared_ptr<ConnectionPool> pool;
  EasyHandle easy;
  BodyUse use;
  milliseconds idle_timeout;
  std::uint64_t max_body_bytes;

  Clock::time_point last_sign;  // of life, or since when we wait
  bool connected = false;
  bool interim = false;
  bool head_complete = false;
  bool paused = false;
  bool ended = false;
  std::optional<WebTrouble> own_trouble;  // for which a callback stopped the transfer
  std::optional<WebFailure> failure;
  std::size_t header_bytes = 0;
  std::string body;
  std::size_t begin = 0;  // of what was not read
};

void HttpTransfer::State::register_callbacks() {
  auto* const handle = easy.handle();
  curl().easy_setopt(handle, CURLOPT_PREREQFUNCTION, &State::on_connected);
  curl().easy_setopt(handle, CURLOPT_PREREQDATA, this);
  curl().easy_setopt(handle, CURLOPT_HEADERFUNCTION, &State::on_header);
  curl().easy_setopt(handle, CURLOPT_HEADERDATA, this);
  curl().easy_setopt(handle, CURLOPT_WRITEFUNCTION, &State::on_body);
  curl().easy_setopt(handle, CURLOPT_WRITEDATA, this);
}

int HttpTransfer::State::on_connected(void* self, char* /*their_ip*/, char* /*our_ip*/, int /*their_port*/, int /*our_port*/) {
  auto& state = *static_cast<State*>(self);
  state.connected = true;
  state.last_sign = Clock::now();
  return CURL_PREREQFUNC_OK;
}

std::size_t HttpTransfer::State::on_header(char* line, std::size_t one, std::size_t size, void* self) {
  return static_cast<State*>(self)->take_header({line, one * size});
}

std::size_t HttpTransfer::State::on_body(char* bytes, std::size_t one, std::size_t size, void* self) {
  return static_cast<State*>(self)->take_body({bytes, one * size});
}

// Lines are no sign of life, only all of them are: whoever sends one now and then would keep us forever.
std::size_t HttpTransfer::State::take_header(std::string_view line) {
  header_bytes += line.size();
  if (header_bytes > kMaxHeaderBytes) {
    own_trouble = WebTrouble::endless_headers;
    return 0;
  }
  if (!head_complete && line.starts_with("HTTP/")) {
    interim = is_interim(line);
  } else if (!head_complete && !interim && (line == "\r\n" || line == "\n")) {
    head_complete = true;
    last_sign = Clock::now();
  }
  return line.size();
}

std::size_t HttpTransfer::State::take_body(std::string_view bytes) {
  if (use == BodyUse::streamed && waiting() >= kMaxAhead) {
    paused = true;
    return CURL_WRITEFUNC_PAUSE;
  }
  if (use == BodyUse::held && bytes.size() > max_body_bytes - body.size()) {
    own_trouble = WebTrouble::too_large;
    return 0;
  }
  last_sign = Clock::now();
  body.append(bytes);
  return bytes.size();
}

template <typename Reached>
void HttpTransfer::State::pump(Reached reached) {
  last_sign = Clock::now();
  while (!ended && !reached()) {
    perform();
    if (!ended && !reached()) {
      wait();
    }
  }
}

void HttpTransfer::State::perform() {
  int running = 0;
  if (const auto code = curl().multi_perform(pool->handle(), &running); code != CURLM_OK) {
    end(WebFailure{WebTrouble::other, curl().multi_strerror(code), {}});
  }
  int left = 0;
  while (const CURLMsg* message = curl().multi_info_read(pool->handle(), &left)) {
    if (message->msg != CURLMSG_DONE || message->easy_handle != easy.handle()) {
      continue;
    }
    const auto code = message->data.result;
    if (own_trouble) {
      end(WebFailure{*own_trouble, {}, {}});
    } else if (code != CURLE_OK) {
      end(easy.failure(code, connected, head_complete));
    } else {
      end(head_complete ? std::nullopt : std::optional(WebFailure{WebTrouble::cut_answer, {}, {}}));
    }
    return;
  }
}

// While a connection is made, libcurl watches over the time.
void HttpTransfer::State::wait() {
  const auto left = connected ? idle_timeout - std::chrono::ceil<milliseconds>(Clock::now() - last_sign) : kLongestPoll;
  if (left <= milliseconds(0)) {
    end(WebFailure{WebTrouble::idle_timeout, {}, {}});
    return;
  }
  curl().multi_poll(pool->handle(), nullptr, 0, static_cast<int>(std::min(left, kLongestPoll).count()), nullptr);
}

void HttpTransfer::State::resume() {
  if (paused && !ended) {
    paused = false;
    if (const auto code = curl().easy_pause(easy.handle(), CURLPAUSE_CONT); code != CURLE_OK) {
      end(easy.failure(code, connected, head_complete));
    }
  }
}

void HttpTransfer::State::end(std::optional<WebFailure> why) {
  if (!ended) {
    ended = true;
    failure = std::move(why);
    curl().multi_remove_handle(pool->handle(), easy.handle());
  }
}

HttpTransfer::HttpTransfer(std::shared_ptr<ConnectionPool> pool, const WebAddress& address, const HttpSettings& settings, BodyUse use,
                           const std::vector<std::string>* private_lines)
    : state_(std::make_unique<State>(std::move(pool), address, settings, use, private_lines)) {}

HttpTransfer::~HttpTransfer() = default;

Transferred<AnswerHead> HttpTransfer::head() {
  state_->pump([this] { return state_->head_complete; });
  if (state_->failure && !state_->head_complete) {
    return tl::unexpected(*state_->failure);
  }
  return state_->easy.head();
}

Transferred<void> HttpTransfer::fill(std::size_t bytes) {
  if (state_->waiting() < bytes) {
    state_->resume();
    state_->pump([this, bytes] { return state_->waiting() >= bytes; });
  }
  if (state_->failure && state_->waiting() < bytes) {
    return tl::unexpected(*state_->failure);
  }
  return {};
}

std::string_view HttpTransfer::waiting() const {
  return std::string_view(state_->body).substr(state_->begin);
}

std::string HttpTransfer::take_body() {
  return std::exchange(state_->body, {});
}

Transferred<std::size_t> HttpTransfer::read(std::span<char> buffer) {
  if (buffer.empty()) {
    return 0U;
  }
  if (auto filled = fill(1); !filled) {
    return tl::unexpected(std::move(filled).error());
  }
  const auto count = waiting().copy(buffer.data(), buffer.size());
  state_->begin += count;
  if (state_->begin == state_->body.size()) {
    state_->body.clear();
    state_->begin = 0;
  }
  return count;
}

}  // namespace stagegate
