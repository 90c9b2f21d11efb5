#include "ingest/rest/stage_tasks.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/saturating.h"
#include "ingest/rest/parse_rest.h"
#include "ingest/task_numbers.h"

namespace stagegate {

bool StageTasks::add(RestTask& task) {
  if (!seen_.insert(task.end.task_id)) {
    return false;
  }
  if (!task.ended) {
    return true;
  }
  task.end.stage = stage_;
  task.end.attempt = attempt_;
  succeeded_ += task.end.kind == TaskEndKind::success ? 1 : 0;
  killed_ += task.end.kind == TaskEndKind::killed ? 1 : 0;
  failed_ += task.end.kind == TaskEndKind::failed || task.end.kind == TaskEndKind::resubmitted ? 1 : 0;
  rows_.push_back({.time_ms = task.finish_ms, .end = End::own, .task_id = task.end.task_id, .position = tasks_.add(task.end)});
  return true;
}

void StageTasks::sort() {
  std::sort(rows_.begin(), rows_.end(),
            [](const Row& a, const Row& b) { return std::tie(a.time_ms, a.end, a.task_id) < std::tie(b.time_ms, b.end, b.task_id); });
}

TaskEnd StageTasks::task_of(const Row& row) const {
  TaskEnd task;
  tasks_.unpack(row.position, task);
  return task;
}

// The log's event has the times of the success, and no metrics.
void StageTasks::make_resubmitted(TaskEnd& end) {
  end.kind = TaskEndKind::resubmitted;
  end.reason = "Resubmitted";
  const auto duration = number_of(Metric::duration_ms);
  const auto had = end.numbers;
  end.numbers = {};
  if (had.has(duration)) {
    end.numbers.add(Metric::duration_ms, had.values[duration]);
  }
}

StageTasks::Rows StageTasks::lost_with_executors(const RemovedExecutors& removed) const {
  Rows lost;
  for (const auto& row : rows_) {
    const auto task = task_of(row);
    const auto gone = removed.find(task.executor);
    const bool went_meanwhile = gone != removed.end() && gone->second >= row.time_ms && (!completed_ms_ || gone->second <= *completed_ms_);
    if (task.kind == TaskEndKind::success && went_meanwhile) {
      lost.push_back({.time_ms = gone->second, .end = End::resubmitted, .task_id = row.task_id, .position = row.position});
    }
  }
  return lost;
}

StageTasks::Rows StageTasks::replaced() const {
  std::map<std::int32_t, Row> last_of;
  Rows replaced;
  for (const auto& row : rows_) {
    const auto task = task_of(row);
    if (task.kind != TaskEndKind::success) {
      continue;
    }
    const auto [last, is_first] = last_of.try_emplace(task.partition, row);
    if (!is_first) {
      replaced.push_back(std::exchange(last->second, row));
      replaced.back().end = End::resubmitted;
    }
  }
  return replaced;
}

bool StageTasks::resubmit(std::int64_t count, const RemovedExecutors& removed) {
  sort();
  auto found = lost_with_executors(removed);
  const auto lost = static_cast<std::int64_t>(found.size());
  if (lost != count) {
    found = replaced();
  }
  if (static_cast<std::int64_t>(found.size()) == count) {
    rows_.insert(rows_.end(), found.begin(), found.end());
    return true;
  }
  return lost > count || static_cast<std::int64_t>(found.size()) > count;
}

namespace {

// More rows than any stage has that the server says this of; tasks of a running stage go on while they are read.
std::int64_t most_rows(const RestStage& stage) {
  constexpr std::int64_t kGrowth = 100'000;
  const auto ends = saturating_add(saturating_add(stage.active, stage.succeeded), saturating_add(stage.failed, stage.killed));
  return saturating_add(saturating_add(std::max(ends, stage.info.declared_tasks), std::max<std::int64_t>(ends, 0)), kGrowth);
}

struct Page {
  std::int64_t rows = 0;
  std::int64_t new_rows = 0;
};

Result<Page> read_page(const WebAnswer& answer, const TaskListOptions& options, StageTasks& tasks) {
  Page page;
  STAGEGATE_TRY(read_answer(answer, [&](std::string_view body) {
    return parse_rest_tasks(body, options.depth, options.release, [&](RestTask& task) {
      ++page.rows;
      page.new_rows += tasks.add(task) ? 1 : 0;
    });
  }));
  return page;
}

tl::unexpected<Error> without_end(const WebAnswer& answer) {
  return fail(ErrorKind::evidence, fmt::format("{}: the server gives pages of tasks without end", answer.url));
}

}  // namespace

Result<std::unique_ptr<StageTasks>> read_stage_tasks(RestClient& client, const std::string& base, const RestStage& stage,
                                                     const TaskListOptions& options) {
  auto tasks = std::make_unique<StageTasks>(stage);
  const std::int64_t length = std::max(options.page_size, 1);
  const auto list = fmt::format("{}/stages/{}/{}/taskList", base, stage.info.id, stage.info.attempt);
  bool pays_heed = true;  // to the length that is asked for
  for (std::int64_t offset = 0; pays_heed;) {
    STAGEGATE_TRY_ASSIGN(answer, client.ask(fmt::format("{}?offset={}&length={}", list, offset, length)));
    if (knows_no_stage(answer)) {
      return nullptr;
    }
    if (answer.status != 200) {
      return tl::unexpected<Error>(refusal(answer));
    }
    STAGEGATE_TRY_ASSIGN(page, read_page(answer, options, *tasks));
    offset += page.rows;
    pays_heed = page.rows <= length;
    if (page.rows < length) {
      break;
    }
    if (page.new_rows == 0 || offset > most_rows(stage)) {
      return without_end(answer);
    }
  }
  return tasks;
}

}  // namespace stagegate
