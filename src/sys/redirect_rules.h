// Which redirects are followed, and what goes along.
#pragma once

#include "sys/web_address.h"

namespace stagegate {

inline constexpr int kMaxRedirects = 10;

// 301, 302, 303, 307 and 308: what the address stands for is somewhere else.
bool is_redirect(int status);

// Nobody is led from https to http: the answer could be anybody's.
bool may_follow(const WebAddress& from, const WebAddress& to);

// Whether what was meant for FIRST may be sent to TO: to the same scheme, host and port; or from http to https of the same host,
// where the port is the scheme's own in both, or TO's is 400 more, as Spark has it where spark.ssl is on.
bool keeps_credentials(const WebAddress& first, const WebAddress& to);

}  // namespace stagegate
