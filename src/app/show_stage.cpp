#include "app/show_stage.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "app/console.h"
#include "base/text.h"
#include "identity/lineage.h"
#include "report/stage_view.h"

namespace stagegate {
namespace {

// Where nobody looks at the width, as in a file.
constexpr std::size_t kWidth = 120;

// As C's own functions decide it: the first of these that is set says how text is written.
Glyphs glyphs_of_locale() {
  for (const auto* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (const auto value = environment_variable(name); value && !value->empty()) {
      const auto locale = to_lower_ascii(*value);
      return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos ? Glyphs::unicode : Glyphs::ascii;
    }
  }
  return Glyphs::ascii;
}

std::vector<const StageAttempt*> last_attempts(const Application& application, std::span<const Stage> stages) {
  std::map<std::int32_t, const StageAttempt*> by_id;
  for (const auto& attempt : application.stages) {
    by_id[attempt.id] = &attempt;
  }
  std::vector<const StageAttempt*> last;
  last.reserve(stages.size());
  for (const auto& stage : stages) {
    last.push_back(by_id[stage.id]);
  }
  return last;
}

std::vector<std::int32_t> ids_of(std::span<const Stage> stages, const std::vector<std::size_t>& indices) {
  std::vector<std::int32_t> ids;
  ids.reserve(indices.size());
  for (const auto index : indices) {
    ids.push_back(stages[index].id);
  }
  return ids;
}

// What the stages themselves say, where there is no better way: of a stage that did not run, and in logs without RDDs.
StageNeighbours listed_neighbours(const Application& application, std::int32_t id) {
  StageNeighbours neighbours;
  for (const auto& attempt : application.stages) {
    if (attempt.id == id) {
      neighbours.reads_from.assign(attempt.parents.begin(), attempt.parents.end());
    } else if (std::find(attempt.parents.begin(), attempt.parents.end(), id) != attempt.parents.end()) {
      neighbours.read_by.push_back(attempt.id);
    }
  }
  std::sort(neighbours.reads_from.begin(), neighbours.reads_from.end());
  neighbours.read_by.erase(std::unique(neighbours.read_by.begin(), neighbours.read_by.end()), neighbours.read_by.end());
  return neighbours;
}

StageNeighbours neighbours_of(const Application& application, std::span<const Stage> stages, std::int32_t id) {
  const auto stage = std::find_if(stages.begin(), stages.end(), [&](const Stage& candidate) { return candidate.id == id; });
  const auto last = last_attempts(application, stages);
  const auto index = static_cast<std::size_t>(stage - stages.begin());
  if (stage == stages.end() || last[index] == nullptr || last[index]->rdds.empty()) {
    return listed_neighbours(application, id);
  }
  const auto lineage = lineage_of(last);
  return {.reads_from = ids_of(stages, lineage.producers[index]), .read_by = ids_of(stages, lineage.consumers[index])};
}

}  // namespace

Result<std::string> show_stage(const Application& application, std::span<const Stage> stages, std::span<const Finding> findings,
                               const ReportOptions& options) {
  const auto neighbours = neighbours_of(application, stages, options.stage->id);
  auto view = view_stage(application, stages, findings, *options.stage, neighbours);
  if (!view) {
    return fail(view.error().kind, fmt::format("{}: {}", options.source.source, view.error().message));
  }
  if (options.format == ReportFormat::json) {
    return render_stage_json(*view);
  }
  const auto width = is_terminal(Stream::out) ? static_cast<std::size_t>(terminal_width(Stream::out)) : kWidth;
  return render_stage_text(*view, {.color = color_for(options.color, Stream::out), .glyphs = glyphs_of_locale(), .width = width});
}

}  // namespace stagegate
