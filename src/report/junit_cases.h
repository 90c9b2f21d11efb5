// What junit.xml says, before it is XML: which case fails, which is skipped, and with which words.
//
// CI systems read different parts of an element, so each message stands alone in one line and each body holds all of it
// (GitLab reads only bodies, Azure DevOps and the annotation actions mostly messages).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/verdict.h"

namespace stagegate {

enum class CaseEnd : std::uint8_t {
  passed,
  failure,  // a rule speaks: new or worse at level error
  error,    // it could not be judged
  skipped,  // suppressed or known findings only, or not judged because of an error in the case `run`
};

struct JunitCase {
  std::string name;  // unique in its suite, and the same in every run: no numbers of this run
  CaseEnd end = CaseEnd::passed;
  std::string type;     // of failures and errors: the rule's id or the variant's state
  std::string message;  // one line
  std::string body;
  std::string output;  // system-out: what is worth knowing of a case that passes
  std::int64_t duration_ms = 0;
};

struct JunitSuite {
  std::string name;  // "revenue/adaptive-off": a slash, because some readers cut at a dot
  std::optional<std::int64_t> started_ms;
  std::vector<std::pair<std::string, std::string>> properties;
  Position at;
  std::vector<JunitCase> cases;
};

// A suite a variant. Where there is none, or where errors came up on the way, a suite "stagegate" with one case `run` that has the error.
std::vector<JunitSuite> junit_suites(const RunResult& result);

}  // namespace stagegate
