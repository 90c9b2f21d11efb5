#include "app/web_settings.h"

#include <string_view>

#include <fmt/format.h>

#include "base/text.h"
#include "sys/file.h"
#include "sys/machine.h"

namespace stagegate {
namespace {

constexpr std::string_view kPasswordVariable = "STAGEGATE_PASSWORD";

Result<std::string> value_of(std::string_view variable, std::string_view what) {
  auto value = environment_variable(std::string(variable));
  if (!value || value->empty()) {
    return fail(ErrorKind::usage, fmt::format("the environment variable {} is not set; it has to hold {}", variable, what));
  }
  return *std::move(value);
}

// "name:password" as the web client takes it.
Result<std::string> with_password(const std::string& user) {
  if (user.find(':') != std::string::npos) {
    return user;
  }
  STAGEGATE_TRY_ASSIGN(password, value_of(kPasswordVariable, fmt::format("the password of '{}'", user)));
  return fmt::format("{}:{}", user, password);
}

Result<std::optional<std::string>> bearer_token(const WebOptions& options) {
  if (options.token_variable) {
    STAGEGATE_TRY_ASSIGN(token, value_of(*options.token_variable, "the token that --token-env takes from it"));
    return std::optional(std::string(trim(token)));
  }
  if (options.token_file) {
    STAGEGATE_TRY_ASSIGN(text, read_file(*options.token_file, ErrorKind::usage));
    if (trim(text).empty()) {
      return fail(ErrorKind::usage, fmt::format("{}: the file of --token-file is empty", *options.token_file));
    }
    return std::optional(std::string(trim(text)));
  }
  return std::optional<std::string>();
}

}  // namespace

Result<HttpSettings> web_settings(const WebOptions& options, const std::optional<std::string>& address_user) {
  HttpSettings settings;
  settings.headers = options.headers;
  if (const auto& user = options.user ? options.user : address_user) {
    STAGEGATE_TRY_ASSIGN(whole, with_password(*user));
    settings.user = std::move(whole);
  }
  STAGEGATE_TRY_ASSIGN(token, bearer_token(options));
  settings.bearer_token = std::move(token);
  settings.netrc = options.netrc;
  settings.ca_file = options.ca_file;
  settings.insecure = options.insecure;
  settings.connect_timeout = options.connect_timeout;
  settings.idle_timeout = options.idle_timeout;
  settings.max_body_bytes = static_cast<std::uint64_t>(options.max_answer_bytes);
  return settings;
}

}  // namespace stagegate
