// A run as a whole: the sums over its stages.
#pragma once

#include <span>

#include "model/baseline.h"
#include "model/stage.h"

namespace stagegate {

// The sums of a run; only these of the result's fields mean something. A metric is missing where no stage has it.
Stage sums_of(std::span<const Stage> stages);
BaselineStage accepted_sums_of(std::span<const BaselineStage> stages);

}  // namespace stagegate
