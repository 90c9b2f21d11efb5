#include "sys/web_failure.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "base/units.h"

namespace stagegate {
namespace {

std::string size_text(std::uint64_t bytes) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return format_bytes(static_cast<std::int64_t>(std::min(bytes, kMost)));
}

std::string in_brackets(const std::string& text) {
  return text.empty() ? "" : fmt::format(" ({})", text);
}

std::string ca_file_text(const HttpSettings& settings) {
  return settings.ca_file ? fmt::format("no certificate could be read from --cacert '{}'; give a file in PEM form", *settings.ca_file)
                          : "this machine has no file of trusted certificates; install ca-certificates, or give --cacert FILE";
}

std::string proxy_hint(const WebFailure& failure) {
  return failure.proxy_variable.empty()
             ? ""
             : fmt::format("; {} names a proxy: where none is to be asked, name the host in no_proxy", failure.proxy_variable);
}

std::string what_happened(const WebFailure& failure, const HttpSettings& settings) {
  switch (failure.trouble) {
    case WebTrouble::unknown_host:
      return "no host of this name is known; look at the name, and whether this machine can look names up";
    case WebTrouble::unknown_proxy:
      return "no host of the proxy's name is known";
    case WebTrouble::refused:
      return "nothing listens there (connection refused); look at the port, and whether the application or the server still runs";
    case WebTrouble::unreachable:
      return "it cannot be reached; look at the address, and at the network between here and there";
    case WebTrouble::connect_timeout:
      return fmt::format("no connection within {}; look at the address and for firewalls, or raise --connect-timeout",
                         format_duration(settings.connect_timeout));
    case WebTrouble::idle_timeout:
      return fmt::format("nothing came for {}; the server hangs or has too much to do; ask again later, or raise --idle-timeout",
                         format_duration(settings.idle_timeout));
    case WebTrouble::broken_off:
      return "the connection broke before the answer was complete; ask again, or look into the server's log";
    case WebTrouble::empty_answer:
      return "the connection was closed without an answer; perhaps this is not the port of a web server, or it speaks https";
    case WebTrouble::cut_answer:
      return "the answer ended too early; ask again, or look into the log of the server or of the proxy before it";
    case WebTrouble::not_http:
      return "what answers there does not speak HTTP/1.1; perhaps this is a port of Spark Connect (15002) or of a master (7077) instead of "
             "a "
             "web UI's (4040, 18080), or it speaks https";
    case WebTrouble::endless_headers:
      return "the answer's headers do not end; perhaps this is not the port of a web server";
    case WebTrouble::proxy_refused:
      return "the proxy does not let the request through" + in_brackets(failure.detail);
    case WebTrouble::tls_failed:
      return fmt::format("no secure connection could be made{}; perhaps the server speaks http there, or no TLS that is still taken",
                         in_brackets(failure.detail));
    case WebTrouble::untrusted:
      return fmt::format("its certificate is not trusted{}; name the authority with --cacert FILE, or take any certificate with --insecure",
                         in_brackets(failure.detail));
    case WebTrouble::no_ca_file:
      return ca_file_text(settings);
    case WebTrouble::bad_packing:
      return "the answer could not be unpacked: it is not what its Content-Encoding says";
    case WebTrouble::too_large:
      return fmt::format("the answer is larger than {}; --max-answer SIZE sets another limit", size_text(settings.max_body_bytes));
    case WebTrouble::other:
      return "no answer" + in_brackets(failure.detail);
  }
  return {};
}

}  // namespace

std::string failure_text(const WebFailure& failure, const HttpSettings& settings) {
  return what_happened(failure, settings) + proxy_hint(failure);
}

ErrorKind failure_kind(const WebFailure& failure, const HttpSettings& settings) {
  return failure.trouble == WebTrouble::no_ca_file && settings.ca_file ? ErrorKind::usage : ErrorKind::evidence;
}

}  // namespace stagegate
