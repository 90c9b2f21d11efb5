// What holds for all that ingest/ gives, whatever it was made of.
#pragma once

#include <string>

#include "base/result.h"
#include "model/application.h"

namespace stagegate {

// Without what is said of its evidence.
void check_values(const Application& application);

void check_application(const Application& application);

// Checks RESULT, and gives all of it as text, so that two can be compared.
std::string check_result(const Result<Application>& result);

}  // namespace stagegate
