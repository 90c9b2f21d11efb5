// All that an Application holds, as text, so that two of them can be compared and their difference read.
#pragma once

#include <string>

#include "model/application.h"

namespace stagegate {

enum class EvidencePart { with, without };

std::string describe(const Application& application, EvidencePart evidence = EvidencePart::with);

}  // namespace stagegate
