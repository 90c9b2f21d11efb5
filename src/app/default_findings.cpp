#include "app/default_findings.h"

namespace stagegate {

Result<std::vector<Finding>> default_findings(const JudgedRun& run, const AcceptedRun* accepted, int threads) {
  STAGEGATE_TRY_ASSIGN(rules, load_rules({}, threads));
  return evaluate(configure(rules, {}, {}, {}), run, accepted, threads);
}

}  // namespace stagegate
