// What is not the same in each of several runs, in lines.
#pragma once

#include <string>
#include <vector>

#include "model/verdict.h"

namespace stagegate {

// Of each unstable stage "stage 3: join orders: shuffle write records 9,988 to 10,012; only in 2 of 3 runs", and behind it, where it is
// known, the cause, in a line that begins with two blanks.
std::vector<std::string> unstable_lines(const VariantResult& result);

}  // namespace stagegate
