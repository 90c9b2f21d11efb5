// Errors as values: what every fallible function of stagegate returns.
//
// An Error is for a person: one line that says the place, the finding and the way out, such as
// "stagegate.toml:14:3: unknown key 'max-ration' in [rules.skew]; did you mean 'max-ratio'?".
// Its kind says who can mend it, and so decides the exit code (model/verdict.h).
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace stagegate {

enum class ErrorKind {
  usage,     // the command line, a manifest, rule or baseline file: the user's to mend, nothing was judged
  job,       // a job could not be started, failed or timed out
  evidence,  // an event log is missing, unreadable or incomplete
  nothing,   // the selection is empty
  baseline,  // a baseline is missing, stale or not comparable
  output,    // a report could not be written
  internal,  // a mistake of ours
};

struct Error {
  ErrorKind kind = ErrorKind::internal;
  std::string message;  // may hold several lines, one finding a line, where a file has several errors
};

template <typename T>
using Result = tl::expected<T, Error>;

// Success without a value.
using Status = Result<void>;

inline tl::unexpected<Error> fail(ErrorKind kind, std::string message) {
  return tl::unexpected<Error>(Error{kind, std::move(message)});
}

// Hands the error of another Result on.
template <typename T>
tl::unexpected<Error> fail(Result<T>&& result) {
  return tl::unexpected<Error>(std::move(result).error());
}

}  // namespace stagegate

#define STAGEGATE_CONCAT_INNER(a, b) a##b
#define STAGEGATE_CONCAT(a, b) STAGEGATE_CONCAT_INNER(a, b)

// Returns the error of EXPRESSION from the calling function, if there is one.
#define STAGEGATE_TRY(expression)                                  \
  do {                                                             \
    if (auto stagegate_status = (expression); !stagegate_status) { \
      return ::stagegate::fail(std::move(stagegate_status));       \
    }                                                              \
  } while (false)

// Declares NAME as the value of EXPRESSION or returns its error. It is several statements: never the body of an unbraced if.
#define STAGEGATE_TRY_ASSIGN(name, expression)                                          \
  auto STAGEGATE_CONCAT(stagegate_result_, __LINE__) = (expression);                    \
  if (!STAGEGATE_CONCAT(stagegate_result_, __LINE__)) {                                 \
    return ::stagegate::fail(std::move(STAGEGATE_CONCAT(stagegate_result_, __LINE__))); \
  }                                                                                     \
  auto name = std::move(*STAGEGATE_CONCAT(stagegate_result_, __LINE__)) /* NOLINT(bugprone-macro-parentheses): a declaration */
