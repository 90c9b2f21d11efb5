// What of the settings goes into the headers of a request, and must never be shown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/http_settings.h"

namespace stagegate {

// The lines that only the first host gets. Kind usage: a line that is no header, or a line feed in one, in the token or in the user, by
// which somebody else's headers could come in; or more than one authorization. The message shows no value.
Result<std::vector<std::string>> private_headers(const HttpSettings& settings);

// Knows the secrets of the settings, to keep them out of what a server made us say.
class SecretMask {
 public:
  explicit SecretMask(const HttpSettings& settings);

  // With kRedacted in the place of each secret, in whatever case. Those that are too short to be told from words are not looked for.
  std::string hide(std::string_view text) const;

 private:
  std::vector<std::string> secrets_;  // in lower case, the longest first
};

}  // namespace stagegate
