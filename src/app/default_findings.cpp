#include "app/default_findings.h"

#include "rules/evaluate.h"

namespace stagegate {

Result<std::vector<Finding>> default_findings(std::span<const Stage> stages, std::span<const BaselineStage* const> accepted) {
  STAGEGATE_TRY_ASSIGN(rules, load_rules({}));
  return evaluate(configure(rules, {}, {}, {}), stages, accepted);
}

}  // namespace stagegate
