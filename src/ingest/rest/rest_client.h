// Asks a server of Spark's REST API, and says what its refusals mean.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/web_answer.h"

namespace stagegate {

class RestClient {
 public:
  explicit RestClient(const WebGet& get) : get_(get) {}

  // Any answer. An error of a server that answered before says that the application ended meanwhile.
  Result<WebAnswer> ask(const std::string& path);

  // An answer with status 200. The error says what the server said instead.
  Result<WebAnswer> ask_for(const std::string& path);

  // The same; absent where the server says 404 for another reason than that it does not know the application.
  Result<std::optional<WebAnswer>> ask_if_there(const std::string& path);

 private:
  const WebGet& get_;
  bool answered_ = false;
};

// What is wrong with an answer that is none of 200: "http://host:4040/api/v1/...: the server refuses (403): user 'u' is not authorized".
Error refusal(const WebAnswer& answer);

// The same of an answer whose body is not what it must be. PROBLEM: of parse_rest.h.
Error unreadable(const WebAnswer& answer, const Error& problem);

// Whether the server does not know the application, or knows it no more.
bool knows_no_application(const WebAnswer& answer);

// Of 404 answers about a stage that there is no more: "unknown stage: 3".
bool knows_no_stage(const WebAnswer& answer);

// TEXT as a part of a path: what is no letter, digit or one of "-._~" as %XX.
std::string path_part(std::string_view text);

// ANSWER as PARSE reads it (parse_rest.h); the error says of which address.
template <typename Parse>
auto read_answer(const WebAnswer& answer, Parse parse) -> decltype(parse(std::string_view())) {
  auto parsed = parse(std::string_view(answer.body));
  if (!parsed) {
    return tl::unexpected<Error>(unreadable(answer, parsed.error()));
  }
  return parsed;
}

}  // namespace stagegate
