// An address as people copy it from the browser -> the server's root and the application that it speaks of.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace stagegate {

// Whether SOURCE is an address and no path: it begins with a scheme, "http://" or any other but "file".
bool is_address(std::string_view source);

struct SparkAddress {
  std::string root;                // below which "/api/v1" lies: "http://host:18080", "https://gateway/spark"; without a slash at its end
  std::optional<std::string> app;  // an application's id
  std::optional<std::string> attempt;
  std::optional<std::string> user;  // "name" or "name:password" in front of the host; it is in no other part
};

// Knows the root of a live UI or of a history server and any page of either, `/history/<app>/<attempt>/...`, `/proxy/<app>/...` of a
// standalone master or of YARN, YARN's own `/cluster/app/<app>`, and any address of the REST API. What stands behind '?' or '#' is left
// out.
//
// Errors, all of kind usage: a scheme that is not the web's, with what to use instead (a master's `spark://`, Spark Connect's `sc://`, a
// bucket), no host, characters that no address has. No password is in them.
Result<SparkAddress> parse_spark_address(std::string_view address);

// An application's place below "/api/v1/applications/", as its ids are written into addresses: "app-1/2".
std::string rest_path_of(std::string_view app, const std::optional<std::string>& attempt);

}  // namespace stagegate
