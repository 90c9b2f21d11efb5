#include "sys/redirect_rules.h"

namespace stagegate {

bool is_redirect(int status) {
  return (status >= 301 && status <= 303) || status == 307 || status == 308;
}

bool may_follow(const WebAddress& from, const WebAddress& to) {
  return from.scheme == to.scheme || to.scheme == "https";
}

bool keeps_credentials(const WebAddress& first, const WebAddress& to) {
  constexpr int kSparkSslOffset = 400;
  const bool made_secure = first.scheme == "http" && to.scheme == "https" && first.host == to.host;
  const bool own_ports = first.port == 80 && to.port == 443;
  return same_origin(first, to) || (made_secure && (own_ports || to.port == first.port + kSparkSslOffset));
}

}  // namespace stagegate
