// The options for addresses -> what the web client works with. Passwords and tokens are fetched here, so that they need not stand on a
// command line, which everybody on the machine can read.
#pragma once

#include <optional>
#include <string>

#include "app/options.h"
#include "base/result.h"
#include "sys/http_client.h"

namespace stagegate {

// ADDRESS_USER: "name" or "name:password" that stood in the address; --user wins over it. Kind usage: a variable that is not set, a file
// that cannot be read.
Result<HttpSettings> web_settings(const WebOptions& options, const std::optional<std::string>& address_user);

}  // namespace stagegate
