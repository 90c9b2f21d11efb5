// What a baseline file says that another one did not, counted, in words.
#pragma once

#include <string>

#include "model/baseline.h"

namespace stagegate {

// "1 finding added or changed, 3 stages added or changed, 1 stage removed or changed, conditions changed, order of
// actions changed"; "" where nothing differs but the layout.
std::string describe_change(const Baseline& old, const Baseline& now);

// "new: 3 stages kept, 1 finding accepted"
std::string describe_new(const Baseline& baseline);

}  // namespace stagegate
