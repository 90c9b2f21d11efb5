// All that is known of one stage, gathered from where it lies: what `stagegate report --stage` shows, as text and as JSON.
//
// The pointers are into what view_stage() was given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/application.h"
#include "model/finding.h"
#include "model/stage.h"
#include "report/report.h"
#include "report/spread.h"

namespace stagegate {

// A task that stands out, as far as it is known.
struct LargeTask {
  std::int64_t partition = 0;
  std::int64_t value = 0;  // of LargeTasks::by
  std::optional<std::int64_t> task_id;
  std::optional<std::int64_t> attempt_number;
  const TaskPlace* place = nullptr;
  std::optional<std::int64_t> records;
  std::optional<std::int64_t> duration_ms;
};

// The largest tasks by the metric that tells most: shuffle read where there is any, else input, else the time.
struct LargeTasks {
  Metric by = Metric::duration_ms;
  Quarters median;
  std::vector<LargeTask> tasks;  // largest first; empty: no task counts, or none has any of these
};

// A metric of a plan's node; what it had reached at the end of the application, over all stages that updated it.
struct OperatorMetric {
  std::string_view name;
  std::string_view type;  // Spark's: "sum", "size", "timing", "nsTiming"
  std::int64_t value = 0;
};

struct StageOperator {
  const PlanNode* node = nullptr;
  std::int64_t execution = 0;
  std::vector<OperatorMetric> metrics;  // without zeros and averages
};

struct AttemptView {
  const StageAttempt* attempt = nullptr;
  std::vector<Spread> spreads;
  LargeTasks largest;
  std::vector<StageOperator> operators;      // as rows flow, sources first
  const ResourceProfile* profile = nullptr;  // where it is not the default one
};

struct NeighbourView {
  std::int32_t id = 0;
  std::string label;  // "" where it has none
};

struct StageView {
  const Application* application = nullptr;
  std::int32_t id = 0;
  StageKey key;                       // empty where the stage did not run
  std::vector<AttemptView> attempts;  // at least one, ascending; the stage's words are those of the last
  std::vector<NeighbourView> reads_from;
  std::vector<NeighbourView> read_by;
  std::vector<Finding> findings;

  const StageAttempt& last() const { return *attempts.back().attempt; }
};

// Whose shuffle a stage reads, and who reads its own; identity/ knows.
struct StageNeighbours {
  std::vector<std::int32_t> reads_from;
  std::vector<std::int32_t> read_by;
};

// Kind usage: there is no such stage or attempt; the message says which there are.
Result<StageView> view_stage(const Application& application, std::span<const Stage> stages, std::span<const Finding> findings,
                             const StageChoice& choice, const StageNeighbours& neighbours);

inline constexpr std::size_t kMaxLargeTasks = 5;

LargeTasks large_tasks(const Application& application, const StageAttempt& attempt);

// The nodes of all plans that ATTEMPT updated. A node that several stages updated (an exchange is written by one and read by others) shows
// what this one did and what no stage did, the driver's numbers.
std::vector<StageOperator> stage_operators(const Application& application, const StageAttempt& attempt);

struct StageTextOptions {
  Color color = Color::off;
  Glyphs glyphs = Glyphs::unicode;
  std::size_t width = 120;  // columns that do not fit are left out, least important first
};

// `stagegate report SOURCE --stage ID`, and with `--format json`, schema stagegate.stage/1 (docs/report.md).
std::string render_stage_text(const StageView& view, const StageTextOptions& options);
std::string render_stage_json(const StageView& view);

}  // namespace stagegate
