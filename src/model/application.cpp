#include "model/application.h"

namespace stagegate {

std::string_view to_string(StageStatus status) {
  switch (status) {
    case StageStatus::complete:
      return "COMPLETE";
    case StageStatus::failed:
      return "FAILED";
    case StageStatus::active:
      return "ACTIVE";
    case StageStatus::skipped:
      return "SKIPPED";
    case StageStatus::pending:
      return "PENDING";
    case StageStatus::unknown:
      return "UNKNOWN";
  }
  return "UNKNOWN";
}

bool ran(const StageAttempt& attempt) {
  return attempt.status != StageStatus::skipped && attempt.status != StageStatus::pending;
}

}  // namespace stagegate
