// The parts of the view of one stage that are tables and lists. Each begins with an empty line and its title, and is empty where there is
// nothing to show.
#pragma once

#include <string>
#include <vector>

#include "report/stage_view.h"

namespace stagegate {

// The five numbers, the sum and the bars of every metric that is not 0 in all tasks.
std::string spreads_section(const std::vector<Spread>& spreads, const StageTextOptions& options);

std::string tasks_section(const LargeTasks& largest, const StageTextOptions& options);

// The tasks that ended without success, by what ended them.
std::string failures_section(const StageAttempt& attempt, const StageTextOptions& options);

std::string operators_section(const std::vector<StageOperator>& operators, const StageTextOptions& options);

// The RDDs of the stage that are to be kept.
std::string cached_section(const Application& application, const StageAttempt& attempt, const StageTextOptions& options);

}  // namespace stagegate
