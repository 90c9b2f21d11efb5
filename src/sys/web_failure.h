// What can go wrong between asking and having an answer, and how people are told.
#pragma once

#include <string>

#include <tl/expected.hpp>

#include "base/result.h"
#include "sys/http_settings.h"

namespace stagegate {

enum class WebTrouble {
  unknown_host,
  unknown_proxy,
  refused,
  unreachable,
  connect_timeout,
  idle_timeout,
  broken_off,    // a reset, or chunks that are none
  empty_answer,  // closed without a byte
  cut_answer,    // closed in the middle
  not_http,      // what came is no HTTP/1
  endless_headers,
  proxy_refused,  // to make a tunnel
  tls_failed,
  untrusted,  // a certificate
  no_ca_file,
  bad_packing,  // gzip or deflate that is none
  too_large,
  other,
};

struct WebFailure {
  WebTrouble trouble = WebTrouble::other;
  std::string detail;          // in libcurl's words, where they tell more
  std::string proxy_variable;  // that names a proxy, where there is one
};

// What a step of a transfer gives, before anybody puts it into words.
template <typename T>
using Transferred = tl::expected<T, WebFailure>;

// What happened and what to do, without the address: "nothing listens there (connection refused); ..."
std::string failure_text(const WebFailure& failure, const HttpSettings& settings);

// Evidence; usage where the settings are what has to be mended.
ErrorKind failure_kind(const WebFailure& failure, const HttpSettings& settings);

}  // namespace stagegate
