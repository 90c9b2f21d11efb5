// Everything that is written for people or machines: each a pure function from values to text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/application.h"
#include "model/finding.h"
#include "model/stage.h"
#include "model/verdict.h"

namespace stagegate {

enum class Color : std::uint8_t { off, on };

enum class StageSort : std::uint8_t { stage, tasks, shuffle_read, shuffle_write, median_time, slowest_time };

enum class StageFilter : std::uint8_t { ran, all };  // all: skipped and pending ones too

struct StageTableOptions {
  Color color = Color::off;
  StageSort sort = StageSort::stage;
  StageFilter filter = StageFilter::ran;
  std::size_t indent = 0;
};

// One line a stage attempt: number, tasks, shuffle read, shuffle write, median and slowest task time, flags, with the job group or
// description as a heading. Columns for spill and failed tasks appear where there is any.
std::string render_stage_table(const Application& application, std::span<const Stage> stages, std::span<const Finding> findings,
                               const StageTableOptions& options);

// `stagegate report SOURCE`: the application, the table, what the flags mean, what the evidence lacks.
std::string render_report_text(const Application& application, std::span<const Stage> stages, std::span<const Finding> findings,
                               const StageTableOptions& options);

// `stagegate report SOURCE --format json`, schema stagegate.report/1 (design 11).
std::string render_report_json(const Application& application, std::span<const Stage> stages, std::span<const Finding> findings);

// `run` and `check`: a variant's table and findings as soon as it is judged, and the summary at the end.
std::string render_variant_text(const VariantResult& result, Color color);
std::string render_summary_text(const RunResult& result, Color color);

// junit.xml: a suite per job/variant, a case `run` and a case per rule.
std::string render_junit(const RunResult& result);

// verdict.json, schema stagegate.verdict/1: the exit code in words, and every variant's state and findings.
std::string render_verdict_json(const RunResult& result);

}  // namespace stagegate
