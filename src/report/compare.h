// `stagegate compare BEFORE AFTER`, in each of its formats: pure functions from a comparison to text.
#pragma once

#include <cstdint>
#include <string>

#include "model/comparison.h"
#include "report/report.h"

namespace stagegate {

enum class MatchReasons : std::uint8_t { left_out, shown };

struct CompareTextOptions {
  Color color = Color::off;
  MatchReasons reasons = MatchReasons::left_out;  // --explain-match: a line below each row
};

// "the same work, read from the same stages": why the two were taken for the same stage.
std::string reason_of(const StageMatch& match);

std::string render_compare_text(const ComparedRun& before, const ComparedRun& after, const Comparison& comparison,
                                const CompareTextOptions& options);
std::string render_compare_markdown(const ComparedRun& before, const ComparedRun& after, const Comparison& comparison);
// Schema stagegate.compare/1 (docs/compare.md).
std::string render_compare_json(const ComparedRun& before, const ComparedRun& after, const Comparison& comparison);

}  // namespace stagegate
