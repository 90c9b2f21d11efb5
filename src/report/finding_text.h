// How a finding is spoken of: the same words in the terminal, in junit.xml and in the summary.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "model/finding.h"
#include "model/verdict.h"
#include "report/report.h"

namespace stagegate {

// "skew 412x"
std::string flag_text(const Finding& finding);

// " (warning)", or nothing at level error
std::string level_note(const Finding& finding);

// "stage 3: join orders, customers", or "the whole run"; with " (in 2 of 3 runs)" where not all runs had it.
std::string place_text(const Finding& finding);

// "8x -> 12x". Exact numbers where the rounded ones look equal: "8.040x -> 8.044x".
std::string change_text(std::int64_t was_thousandths, std::int64_t now_thousandths, ValueUnit unit);

// What a report says of FINDINGS: how many, then each with flag, level, place and message. The advice of a rule stands with its first.
std::string findings_text(std::span<const Finding> findings, Color color);

// Where the finding stands and why, in a line: "new: not in baselines/revenue/adaptive-off.json".
std::string standing_text(const VariantResult& result, const JudgedFinding& finding);

}  // namespace stagegate
