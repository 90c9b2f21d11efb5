// Expectations as files: tests/data/report/NAME holds what was worked out by hand and agreed on.
#pragma once

#include <string>
#include <string_view>

namespace stagegate {

// Fails where ACTUAL is not what the file holds. With STAGEGATE_UPDATE_GOLDEN=1 in the environment the file is written instead, to be
// reviewed as a diff.
void expect_golden(std::string_view name, const std::string& actual);

}  // namespace stagegate
