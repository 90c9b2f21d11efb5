#include "sys/curl_handle.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <limits>
#include <new>
#include <optional>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "base/text.h"
#include "sys/curl_library.h"

namespace stagegate {
namespace {

constexpr long kReceiveBuffer = 128L << 10;

// Once in the life of the process, whichever thread comes first.
bool libcurl_is_ready() {
  static const bool ready = curl().global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  return ready;
}

template <typename Value>
Value info(void* handle, CURLINFO what) {
  Value value{};
  curl().easy_getinfo(handle, what, &value);
  return value;
}

std::string media_type(const char* content_type) {
  const std::string_view text(content_type == nullptr ? "" : content_type);
  return to_lower_ascii(trim(text.substr(0, text.find(';'))));
}

std::optional<std::string> header_of(void* handle, const char* name) {
  curl_header* header = nullptr;
  return curl().easy_header(handle, name, 0, CURLH_HEADER, -1, &header) == CURLHE_OK ? std::optional<std::string>(header->value)
                                                                                     : std::nullopt;
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// The variable that names a proxy for the scheme, as libcurl looks for it, or "". Whether no_proxy takes the host out is not looked at.
std::string proxy_variable(const std::string& scheme) {
  for (const char* name : {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}) {
    const std::string lower = to_lower_ascii(name);
    if ((lower == "all_proxy" || lower == scheme + "_proxy") && is_set(name)) {
      return name;
    }
  }
  return {};
}

// Whose cause may be a proxy that was not meant.
bool may_be_the_proxy(WebTrouble trouble) {
  return trouble == WebTrouble::unknown_proxy || trouble == WebTrouble::refused || trouble == WebTrouble::unreachable ||
         trouble == WebTrouble::connect_timeout || trouble == WebTrouble::proxy_refused;
}

}  // namespace

ConnectionPool::ConnectionPool() : handle_(libcurl_is_ready() ? curl().multi_init() : nullptr) {
  if (handle_ == nullptr) {
    throw std::bad_alloc();
  }
}

ConnectionPool::~ConnectionPool() {
  curl().multi_cleanup(handle_);
}

Result<std::shared_ptr<ConnectionPool>> new_connection_pool() {
  STAGEGATE_TRY(load_curl());
  return std::make_shared<ConnectionPool>();
}

EasyHandle::EasyHandle(const WebAddress& address, const HttpSettings& settings, BodyUse use, const std::vector<std::string>* private_lines)
    : handle_(curl().easy_init()), scheme_(address.scheme) {
  if (handle_ == nullptr) {
    throw std::bad_alloc();
  }
  set(CURLOPT_URL, address.url.c_str());
  set_up_transfer(settings, use);
  set_up_trust(settings);
  if (private_lines != nullptr) {
    set_up_credentials(settings, *private_lines);
  }
}

EasyHandle::~EasyHandle() {
  curl().easy_cleanup(handle_);
  curl().slist_free_all(static_cast<curl_slist*>(header_list_));
}

// A setting that was not taken must never be passed over: it may be one that keeps a secret or mistrusts a server.
template <typename Value>
void EasyHandle::set(int option, Value value) {
  const auto code = curl().easy_setopt(handle_, static_cast<CURLoption>(option), value);
  if (code != CURLE_OK) {
    throw std::runtime_error(fmt::format("libcurl does not take option {}: {}", option, curl().easy_strerror(code)));
  }
}

void EasyHandle::set_up_transfer(const HttpSettings& settings, BodyUse use) {
  static_assert(std::tuple_size_v<decltype(error_text_)> >= CURL_ERROR_SIZE);
  set(CURLOPT_ERRORBUFFER, error_text_.data());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
  set(CURLOPT_FOLLOWLOCATION, 0L);
  // HTTP/2 would take megabytes ahead of a reader that pauses.
  set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  set(CURLOPT_USERAGENT, "stagegate");
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(settings.connect_timeout.count()));
  // Time-outs without SIGALRM, and without waiting for a name server that hangs.
  set(CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075700
  set(CURLOPT_QUICK_EXIT, 1L);
#endif
  set(CURLOPT_BUFFERSIZE, kReceiveBuffer);
  if (use == BodyUse::held) {
    set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
  }
}

void EasyHandle::set_up_trust(const HttpSettings& settings) {
  set(CURLOPT_SSL_VERIFYPEER, settings.insecure ? 0L : 1L);
  set(CURLOPT_SSL_VERIFYHOST, settings.insecure ? 0L : 2L);
  if (settings.ca_file) {
    set(CURLOPT_CAINFO, settings.ca_file->c_str());
    set(CURLOPT_CAPATH, static_cast<const char*>(nullptr));
  }
}

void EasyHandle::set_up_credentials(const HttpSettings& settings, const std::vector<std::string>& private_lines) {
  for (const auto& line : private_lines) {
    header_list_ = curl().slist_append(static_cast<curl_slist*>(header_list_), line.c_str());
  }
  set(CURLOPT_HTTPHEADER, static_cast<curl_slist*>(header_list_));
  set(CURLOPT_HEADEROPT, static_cast<long>(CURLHEADER_SEPARATE));
  set(CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BASIC));
  if (settings.user) {
    const auto colon = std::min(settings.user->find(':'), settings.user->size());
    set(CURLOPT_USERNAME, settings.user->substr(0, colon).c_str());
    set(CURLOPT_PASSWORD, settings.user->substr(std::min(colon + 1, settings.user->size())).c_str());
  }
  if (settings.netrc) {
    set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_OPTIONAL));
    if (is_set("NETRC")) {
      set(CURLOPT_NETRC_FILE, static_cast<const char*>(std::getenv("NETRC")));
    }
  }
}

AnswerHead EasyHandle::head() const {
  AnswerHead head;
  head.status = static_cast<int>(info<long>(handle_, CURLINFO_RESPONSE_CODE));
  head.content_type = media_type(info<char*>(handle_, CURLINFO_CONTENT_TYPE));
  head.location = header_of(handle_, "Location");
  if (header_of(handle_, "Retry-After")) {
    head.retry_after = std::chrono::seconds(info<curl_off_t>(handle_, CURLINFO_RETRY_AFTER));
  }
  const auto bytes = info<curl_off_t>(handle_, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T);
  head.bytes = bytes < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(bytes));
  return head;
}

WebTrouble EasyHandle::trouble(int code, bool connected, bool head_complete) const {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return WebTrouble::unknown_host;
    case CURLE_COULDNT_RESOLVE_PROXY:
      return WebTrouble::unknown_proxy;
    case CURLE_COULDNT_CONNECT:
      return info<long>(handle_, CURLINFO_OS_ERRNO) == ECONNREFUSED ? WebTrouble::refused : WebTrouble::unreachable;
    case CURLE_OPERATION_TIMEDOUT:
      return connected ? WebTrouble::idle_timeout : WebTrouble::connect_timeout;
    case CURLE_GOT_NOTHING:
      return WebTrouble::empty_answer;
    case CURLE_PARTIAL_FILE:
      return WebTrouble::cut_answer;
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
      return !connected && info<long>(handle_, CURLINFO_HTTP_CONNECTCODE) != 0 ? WebTrouble::proxy_refused : WebTrouble::broken_off;
    case CURLE_PROXY:
      return WebTrouble::proxy_refused;
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_HTTP2:
      return WebTrouble::not_http;
    case CURLE_SSL_CONNECT_ERROR:
      return WebTrouble::tls_failed;
    case CURLE_PEER_FAILED_VERIFICATION:
      return WebTrouble::untrusted;
    case CURLE_SSL_CACERT_BADFILE:
      return WebTrouble::no_ca_file;
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_WRITE_ERROR:  // ours are named before it comes to this
      return WebTrouble::bad_packing;
    case CURLE_OUT_OF_MEMORY:  // what libcurl says of a header line that is too long for it
      return head_complete ? WebTrouble::other : WebTrouble::endless_headers;
    default:
      return WebTrouble::other;
  }
}

WebFailure EasyHandle::failure(int code, bool connected, bool head_complete) const {
  WebFailure failure;
  failure.trouble = trouble(code, connected, head_complete);
  // libcurl's own words may repeat what a server sent, so they are taken where they are needed only.
  if (failure.trouble == WebTrouble::tls_failed || failure.trouble == WebTrouble::untrusted) {
    failure.detail = error_text_.data();
  } else if (failure.trouble == WebTrouble::other) {
    failure.detail = curl().easy_strerror(static_cast<CURLcode>(code));
  }
  const auto status = info<long>(handle_, CURLINFO_HTTP_CONNECTCODE);
  if (failure.trouble == WebTrouble::proxy_refused && status != 0) {
    failure.detail = fmt::format("its status is {}", status);
  }
  if (may_be_the_proxy(failure.trouble)) {
    failure.proxy_variable = proxy_variable(scheme_);
  }
  return failure;
}

}  // namespace stagegate
