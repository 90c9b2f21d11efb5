// Everything that is written for people or machines: each a pure function from values to text.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/application.h"
#include "model/finding.h"
#include "model/stage.h"
#include "model/verdict.h"

namespace stagegate {

enum class Color : std::uint8_t { off, on };

// Takes a long text in pieces as it is made, in the order in which they are to be written.
using TextSink = std::function<void(std::string_view)>;

enum class StageSort : std::uint8_t { stage, tasks, shuffle_read, shuffle_write, median_time, slowest_time };

enum class StageFilter : std::uint8_t { ran, all };  // all: skipped and pending ones too

// What bars are drawn with.
enum class Glyphs : std::uint8_t { unicode, ascii };

// One stage to look at: all its attempts, or one of them.
struct StageChoice {
  std::int32_t id = 0;
  std::optional<std::int32_t> attempt;

  friend bool operator==(const StageChoice&, const StageChoice&) = default;
};

struct StageTableOptions {
  Color color = Color::off;
  StageSort sort = StageSort::stage;
  StageFilter filter = StageFilter::ran;
  std::size_t indent = 0;
};

// One line a stage attempt: number ("3.1" for a second attempt), tasks, shuffle read, shuffle write, median and slowest task time, flags,
// the stage's label. Columns for spill, failed tasks and flags appear where there are any; a metric that is missing is "-"; the first line
// of a failure's reason follows its stage.
//
// Sorted by stage, the job group or description stands above its stages; by a number, largest first, it stands before each label.
// A flag is red at level error, yellow at level warning, and plain at level off: that is how accepted findings are handed in.
std::string render_stage_table(const Application& application, std::span<const Stage> stages, std::span<const Finding> findings,
                               const StageTableOptions& options);

// `stagegate report SOURCE`: the application, the table, what the flags mean, what the evidence lacks.
std::string render_report_text(const Application& application, std::span<const Stage> stages, std::span<const Finding> findings,
                               const StageTableOptions& options);

// `stagegate report SOURCE --format json`, schema stagegate.report/1 (design 11).
std::string render_report_json(const Application& application, std::span<const Stage> stages, std::span<const Finding> findings,
                               int threads = 1);

// Several applications make one table, with one header.
enum class CsvHeader : std::uint8_t { written, left_out };

// `stagegate report SOURCE --format csv`: a row a stage attempt, skipped ones too; docs/report.md has the columns.
void write_stages_csv(const Application& application, std::span<const Stage> stages, CsvHeader header, const TextSink& sink);

// `stagegate report SOURCE --format csv-tasks`: a row a task that counts, by stage, attempt and partition. What the source was not asked
// for (TaskDepth::judged) is empty.
void write_tasks_csv(const Application& application, CsvHeader header, const TextSink& sink);

// `stagegate report SOURCE --format markdown`: for a comment or a step summary of GitHub or GitLab, and never longer than a comment may be.
// Colours and indentation do not apply.
std::string render_report_markdown(const Application& application, std::span<const Stage> stages, std::span<const Finding> findings,
                                   const StageTableOptions& options);

// `run` and `check`: a variant's table and findings as soon as it is judged, and the summary at the end, whose last line says what the exit
// code means and what to type next.
std::string render_variant_text(const VariantResult& result, Color color);
std::string render_summary_text(const RunResult& result, Color color);

// junit.xml: a suite per job/variant, a case `run` and a case per rule. What could not be judged is an error of the case `run`, so that
// there are failures or errors exactly where the exit code is not 0 (a report that could not be written aside).
std::string render_junit(const RunResult& result);

// verdict.json, schema stagegate.verdict/1 (docs/verdict.md): the exit code in words, and every variant's state and findings.
std::string render_verdict_json(const RunResult& result);

}  // namespace stagegate
