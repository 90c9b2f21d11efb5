#include "model/rule_settings.h"

#include "base/text.h"

namespace stagegate {

bool covers(const Suppression& suppression, std::string_view job, std::string_view variant, std::string_view rule,
            std::string_view stage_label) {
  return matches_glob(suppression.rule, rule) && matches_glob(suppression.job, job) && matches_glob(suppression.variant, variant) &&
         matches_glob(suppression.stage, stage_label);
}

bool is_expired(const Suppression& suppression, std::string_view today) {
  return suppression.until && *suppression.until < today;
}

}  // namespace stagegate
