// The options for sources that are addresses.
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/option_parts.h"
#include "base/units.h"

namespace stagegate {
namespace {

// "0.5" or "30": seconds.
void add_seconds(CLI::App* command, const std::string& name, std::chrono::milliseconds& target, const std::string& help) {
  command
      ->add_option_function<double>(
          name, [&target](double seconds) { target = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000)); }, help)
      ->type_name("SECONDS")
      ->check(CLI::Range(0.001, 86'400.0).description(""))
      ->default_str(fmt::format("{}", target.count() / 1000))
      ->group(kWebGroup);
}

void add_credentials(CLI::App* command, WebOptions& web) {
  command->add_option("--header", web.headers, "A header to send; may be given several times")
      ->type_name("'NAME: VALUE'")
      ->allow_extra_args(false)
      ->group(kWebGroup);
  command->add_option("--user", web.user, "Who asks; without a password it is taken from $STAGEGATE_PASSWORD")
      ->type_name("NAME[:PASSWORD]")
      ->check(refuse_empty)
      ->group(kWebGroup);
  command->add_flag("--netrc", web.netrc, "Take user and password from ~/.netrc or what $NETRC names")->group(kWebGroup);
  auto* variable = command->add_option("--token-env", web.token_variable, "The environment variable that holds a bearer token")
                       ->type_name("NAME")
                       ->check(refuse_empty)
                       ->group(kWebGroup);
  command->add_option("--token-file", web.token_file, "The file that holds a bearer token")
      ->type_name("FILE")
      ->check(refuse_empty)
      ->excludes(variable)
      ->group(kWebGroup);
}

// A flag, so that it does not take what stands behind it for its value.
void add_wait(CLI::App* command, WebOptions& web) {
  const auto text = std::make_shared<std::string>();
  command
      ->add_flag("--wait{1 min}", *text,
                 "Ask a history server again, at most so long (--wait=5min), until it knows the application and that it has ended")
      ->each([&web, text](const std::string& value) {
        const auto duration = parse_duration(value);
        if (!duration) {
          throw CLI::ValidationError("--wait", duration.error().message);
        }
        web.wait = *duration;
      })
      ->group(kWebGroup);
}

}  // namespace

void add_web(CLI::App* command, WebOptions& web) {
  command->add_flag("--rest", web.rest, "Read through the REST API even where a history server would hand out the event log")
      ->group(kWebGroup);
  add_wait(command, web);
  add_credentials(command, web);
  command->add_option("--cacert", web.ca_file, "Certificates to trust instead of the system's")
      ->type_name("FILE")
      ->check(refuse_empty)
      ->group(kWebGroup);
  command->add_flag("--insecure", web.insecure, "Take any certificate")->group(kWebGroup);
  add_seconds(command, "--connect-timeout", web.connect_timeout, "How long a connection may take");
  add_seconds(command, "--idle-timeout", web.idle_timeout, "How long a server may send nothing");
  command
      ->add_option_function<std::string>(
          "--max-answer", [&web](const std::string& text) { web.max_answer_bytes = *parse_size(text); }, "How large an answer may be")
      ->type_name("SIZE")
      ->default_str("256 MiB")
      ->check([](const std::string& text) {
        const auto size = parse_size(text);
        return size ? std::string() : size.error().message;
      })
      ->group(kWebGroup);
}

}  // namespace stagegate
