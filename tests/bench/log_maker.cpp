#include "bench/log_maker.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace stagegate::bench {
namespace {

constexpr int kExecutors = 16;
constexpr std::size_t kSlots = 64;  // tasks that run at a time
constexpr std::int64_t kTasksOfAStage = 1000;
constexpr std::int64_t kStepMs = 20;
constexpr std::size_t kLongestTurnMs = 40;  // between the ends of two tasks

void append(std::string& out, std::int64_t number) {
  std::array<char, 20> text{};
  out.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr);
}

}  // namespace

LogMaker::LogMaker(const ApplicationTemplate& application, const Amount& amount, std::uint64_t seed, LogWriter& writer)
    : application_(application), amount_(amount), random_(seed), writer_(writer), rounds_(rounds()), now_(application.start_ms) {
  truth_.application = application.application;
  for (std::int64_t round = 0; round < rounds_; ++round) {
    fixed_bytes_left_ += application_.fixed_bytes(round);
  }
}

Truth LogMaker::make() {
  write_head();
  for (round_ = 0; round_ < rounds_; ++round_) {
    start_round();
    write_round();
  }
  for (const auto& event : application_.tail) {
    write(event, Flush::yes);
  }
  truth_.lines = writer_.lines();
  truth_.uncompressed_bytes = writer_.bytes();
  return std::move(truth_);
}

std::int64_t LogMaker::rounds() const {
  const auto in_a_round = static_cast<std::int64_t>(application_.stages.size());
  const auto tasks = amount_.bytes > 0 ? amount_.bytes / application_.bytes_per_task() : amount_.tasks;
  const auto stages = amount_.stages > 0 ? amount_.stages : tasks / kTasksOfAStage;
  return std::max<std::int64_t>((stages + in_a_round - 1) / in_a_round, 1);
}

std::int64_t LogMaker::share(std::int64_t all, std::int64_t parts) {
  return parts == 1 ? all : static_cast<std::int64_t>(static_cast<double>(all) / static_cast<double>(parts) * (0.5 + random_.unit()));
}

// What the estimates of a size got wrong is made up for by the rounds that follow.
std::int64_t LogMaker::tasks_of_round() {
  auto left = amount_.tasks - truth_.tasks;
  if (amount_.bytes > 0) {
    const auto bytes_left = amount_.bytes - static_cast<std::int64_t>(writer_.bytes()) - fixed_bytes_left_;
    const auto each = truth_.tasks > 0 ? static_cast<std::int64_t>(task_bytes_) / truth_.tasks : application_.bytes_per_task();
    left = bytes_left / each;
  }
  fixed_bytes_left_ -= application_.fixed_bytes(round_);
  return std::max(share(left, rounds_ - round_), static_cast<std::int64_t>(application_.stages.size()));
}

void LogMaker::start_round() {
  auto tasks_left = tasks_of_round();
  auto stages_left = static_cast<std::int64_t>(application_.stages.size());
  for (const auto& [id, stage] : application_.stages) {
    const auto wanted = share(tasks_left, stages_left);
    --stages_left;
    auto& running = stages_[id] = {};
    running.submitted_ms = now_;
    running.totals.assign(stage.totals.size(), 0);
    running.truth.id = id + round_ * application_.strides.stage;
    running.truth.tasks = std::clamp<std::int64_t>(wanted, 1, tasks_left - stages_left);
    tasks_left -= running.truth.tasks;
  }
}

void LogMaker::write_head() {
  for (const auto& event : application_.head) {
    write(event, Flush::yes);
  }
  for (task_.executor = 0; task_.executor < kExecutors; ++task_.executor) {
    for (const auto& event : application_.executor) {
      write(event, Flush::yes);
    }
  }
}

void LogMaker::write_round() {
  for (const auto& step : application_.round) {
    if (step.sizes.empty()) {
      write_tasks(application_.stages.at(step.stage), stages_.at(step.stage));
    } else {
      now_ += kStepMs;
      write(step.event_of(round_), step.flush);
    }
  }
}

// As a scheduler does it: a task starts where one has ended, and they end in no order.
void LogMaker::write_tasks(const StageTemplate& stage, RunningStage& running) {
  const auto before = writer_.bytes();
  std::vector<RunningTask> slots;
  std::int64_t started = 0;
  while (started < running.truth.tasks && slots.size() < kSlots) {
    slots.push_back(write_task_start(stage, started++, slots.size()));
  }
  while (!slots.empty()) {
    now_ += 1 + static_cast<std::int64_t>(random_.below(kLongestTurnMs));
    const auto slot = random_.below(slots.size());
    write_task_end(stage, running, slots[slot]);
    if (started < running.truth.tasks) {
      slots[slot] = write_task_start(stage, started++, slot);
    } else {
      slots[slot] = slots.back();
      slots.pop_back();
    }
  }
  task_bytes_ += writer_.bytes() - before;
  truth_.stages.push_back(running.truth);
}

LogMaker::RunningTask LogMaker::write_task_start(const StageTemplate& stage, std::int64_t index, std::size_t slot) {
  task_ = {.id = truth_.tasks++, .index = index, .launch_ms = now_, .executor = static_cast<int>(slot) % kExecutors};
  write(stage.starts[static_cast<std::size_t>(index) % stage.starts.size()], Flush::no);
  return task_;
}

void LogMaker::write_task_end(const StageTemplate& stage, RunningStage& running, const RunningTask& task) {
  const auto& end = stage.ends[static_cast<std::size_t>(task.index) % stage.ends.size()];
  task_ = task;
  quantities_.clear();
  for (const auto base : end.quantities.bases) {
    quantities_.push_back(random_.vary(base));
  }
  for (const auto& [planted, slot] : end.quantities.planted) {
    running.truth.sums.of(planted) += quantities_[slot];
  }
  const auto duration = now_ - task.launch_ms;
  auto& truth = running.truth;
  truth.shortest_ms = truth.shortest_ms == 0 ? duration : std::min(truth.shortest_ms, duration);
  truth.longest_ms = std::max(truth.longest_ms, duration);
  write(end.line, Flush::no);
  quantities_.clear();
}

void LogMaker::write(const EventTemplate& event, Flush flush) {
  line_.clear();
  event.render(line_, [&](const Hole& hole) { fill_in(hole); });
  writer_.write(line_, flush);
}

std::int64_t LogMaker::tasks_of(const Hole& hole) const {
  const auto found = stages_.find(hole.base);
  return found == stages_.end() ? 1 : found->second.truth.tasks;  // none: the stage was skipped
}

void LogMaker::fill_in(const Hole& hole) {
  const auto& strides = application_.strides;
  switch (hole.fill) {
    case Fill::execution:
      return append(line_, hole.base + round_ * strides.execution);
    case Fill::job:
      return append(line_, hole.base + round_ * strides.job);
    case Fill::stage:
      return append(line_, hole.base + round_ * strides.stage);
    case Fill::rdd:
      return append(line_, hole.base + round_ * strides.rdd);
    case Fill::accumulator:
      return append(line_, hole.base + round_ * strides.accumulator);
    case Fill::now:
    case Fill::finish:
      return append(line_, now_);
    case Fill::launch:
      return append(line_, task_.launch_ms);
    case Fill::stage_submitted:
      return append(line_, stages_.at(hole.base).submitted_ms);
    case Fill::stage_tasks:
      return append(line_, tasks_of(hole));
    case Fill::task:
      return append(line_, task_.id);
    case Fill::index:
      return append(line_, task_.index);
    case Fill::executor:
      return append(line_, task_.executor + 1);
    case Fill::host:
      line_ += "worker-";
      append(line_, task_.executor + 1);
      line_ += ".cluster.example";
      return;
    case Fill::quantity:
      return append(line_, quantities_[hole.quantity]);
    case Fill::total:
      // At the end of a stage there is nothing more to add.
      return append(line_, stages_.at(hole.base).totals[hole.total] += quantities_.empty() ? 0 : quantities_[hole.quantity]);
  }
}

}  // namespace stagegate::bench
