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

std::vector<const StageAttempt*> attempts_of(const Application& application, std::int32_t stage) {
  std::vector<const StageAttempt*> attempts;
  for (const auto& attempt : application.stages) {
    if (attempt.id == stage) {
      attempts.push_back(&attempt);
    }
  }
  return attempts;
}

bool ran(const StageAttempt& attempt) {
  return attempt.status != StageStatus::skipped && attempt.status != StageStatus::pending;
}

}  // namespace stagegate
