// How a variant came out, in words, and what to type next: shared by the text for terminals and junit.xml.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "model/verdict.h"
#include "report/terminal.h"

namespace stagegate {

// Each finding is counted once.
struct FindingCounts {
  std::size_t fresh = 0;     // new, and failing
  std::size_t worse = 0;     // worse than accepted, and failing
  std::size_t warnings = 0;  // new or worse, of a rule whose level is below error
  std::size_t known = 0;
  std::size_t suppressed = 0;
  std::size_t unjudged = 0;
  std::size_t gone = 0;
};

FindingCounts count_findings(const VariantResult& result);

// "1 new, 2 known", or "no findings"
std::string counts_text(const FindingCounts& counts);

struct Outcome {
  std::string word;  // "passed", "regressed", or the state: "job failed"
  Style style = Style::plain;
  std::string explanation;  // counts or the reason; one line
};

Outcome outcome_of(const VariantResult& result);

bool fails(const VariantResult& result);

// "revenue / adaptive-off"
std::string variant_title(const VariantResult& result);

// COMMAND with the --job and --variant that select these variants, each name once.
std::string command_for(std::string_view command, std::span<const VariantResult* const> variants);

// "stagegate baseline accept --job revenue --variant adaptive-off"
std::string accept_command(const VariantResult& result);

}  // namespace stagegate
