// What a server is that does not answer as Spark's REST API does: people copy the address of the wrong page, and gateways send their own.
#pragma once

#include <string>

#include "base/web_answer.h"

namespace stagegate {

// A noun with its article and what to do, for the end of a sentence: "a standalone Spark master's own page; ...". "" where nothing in
// ANSWER is known. Only the first 64 KiB of the body are looked at.
std::string web_signs(const WebAnswer& answer);

}  // namespace stagegate
