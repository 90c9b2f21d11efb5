#include "app/default_findings.h"

namespace stagegate {

Result<std::vector<Finding>> default_findings(const JudgedRun& run, const AcceptedRun* accepted) {
  STAGEGATE_TRY_ASSIGN(rules, load_rules({}));
  return evaluate(configure(rules, {}, {}, {}), run, accepted);
}

}  // namespace stagegate
