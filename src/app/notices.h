// What a person should know beside the verdict: suppressions that cover nothing, baselines that nothing belongs to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/project.h"
#include "model/verdict.h"

namespace stagegate {

enum class Selected : std::uint8_t { everything, some };

// Only where everything was selected and judged can it be said that something is of no use; expired suppressions are named always.
void add_notices(const Project& project, Selected selected, const std::vector<std::size_t>& used_suppressions, const std::string& today,
                 RunResult& result);

}  // namespace stagegate
