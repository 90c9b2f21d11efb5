#include "bench/application_template.h"

#include <algorithm>
#include <array>
#include <utility>

namespace stagegate::bench {
namespace {

constexpr int kSettings = 64;
constexpr std::int64_t kCoresOfAnExecutor = 4;

// Of how many copies of the query a plan consists: most are small, one round in sixteen has the largest that the options allow.
constexpr std::array kPlanCopies{1, 4, 16, 1000};

std::size_t plan_size_of(std::int64_t round) {
  return round % 16 == 8 ? 3 : round % 4 == 2 ? 2 : round % 2 == 1 ? 1 : 0;
}

// How far ids go in the real log: a repetition starts behind them.
void measure(const boost::json::value& value, std::string_view key, Strides& strides) {
  const auto at_least = [&](std::int64_t& stride) { stride = std::max(stride, value.as_int64() + 1); };
  if (const auto* object = value.if_object()) {
    for (const auto& field : *object) {
      measure(field.value(), field.key(), strides);
    }
  } else if (const auto* array = value.if_array()) {
    for (const auto& element : *array) {
      measure(element, key, strides);
    }
  } else if (key == "executionId") {
    at_least(strides.execution);
  } else if (key == "Job ID") {
    at_least(strides.job);
  } else if (key == "Stage ID") {
    at_least(strides.stage);
  } else if (key == "RDD ID") {
    at_least(strides.rdd);
  } else if (key == "accumulatorId" || key == "ID") {
    at_least(strides.accumulator);
  }
}

class Maker {
 public:
  explicit Maker(const TemplateOptions& options) : options_(options) {}

  ApplicationTemplate make(RealLog log) && {
    out_.application = log.application;
    out_.start_ms = log.start_ms;
    for (auto& event : log.head) {
      add_to_head(event);
    }
    for (const auto& event : log.round) {
      measure(event, {}, out_.strides);
    }
    for (auto& event : log.round) {
      add_to_round(event, class_of(event));
    }
    for (const auto& event : log.tail) {
      out_.tail.push_back(make_template(event));
    }
    out_.strides.accumulator *= largest_plan_;
    return std::move(out_);
  }

 private:
  void add_to_head(boost::json::object& event) {
    const auto name = class_of(event);
    if (name == "SparkListenerExecutorAdded") {
      event.at("Executor Info").as_object()["Total Cores"] = kCoresOfAnExecutor;
    }
    if (name == "SparkListenerEnvironmentUpdate") {
      event.at("Spark Properties").as_object()["spark.master"] = "yarn";
    }
    const bool of_executor = name == "SparkListenerExecutorAdded" || name == "SparkListenerBlockManagerAdded";
    (of_executor ? out_.executor : out_.head).push_back(make_template(event));
  }

  void add_to_round(boost::json::object& event, std::string_view name) {
    if (name == "SparkListenerTaskStart" || name == "SparkListenerTaskEnd") {
      return add_task(event, name == "SparkListenerTaskStart");
    }
    add_settings(event, kSettings);
    Step step{.sizes = {}, .flush = name == "SparkListenerStageSubmitted" ? Flush::no : Flush::yes};
    if (name == "SparkListenerStageCompleted") {
      const auto& totals = out_.stages[event.at("Stage Info").at("Stage ID").as_int64()].totals;
      step.sizes.push_back(make_stage_end_template(event, totals));
    } else if (event.contains("sparkPlanInfo")) {
      step.sizes = plans(event);
    } else {
      step.sizes.push_back(make_template(event));
    }
    out_.round.push_back(std::move(step));
  }

  void add_task(boost::json::object& event, bool start) {
    const auto id = event.at("Stage ID").as_int64();
    const auto [entry, is_new] = out_.stages.try_emplace(id);
    if (is_new) {
      out_.round.push_back({.sizes = {}, .flush = Flush::no, .stage = id});
    }
    auto& stage = entry->second;
    if (start) {
      stage.starts.push_back(make_template(event));
      return;
    }
    as_on_a_cluster(event);
    if (options_.task_end_bytes > 0) {
      // Stages differ in the length of their lines.
      const std::size_t percent = std::distance(out_.stages.begin(), entry) % 2 == 0 ? 85 : 115;
      shorten(event, options_.task_end_bytes * percent / 100);
    }
    stage.ends.push_back(make_task_end_template(event, stage.totals));
  }

  std::vector<EventTemplate> plans(const boost::json::object& event) {
    const auto bytes = static_cast<std::int64_t>(boost::json::serialize(event).size());
    const auto largest = static_cast<int>(std::clamp<std::int64_t>(options_.plan_bytes / bytes, 1, kPlanCopies.back()));
    largest_plan_ = std::max<std::int64_t>(largest_plan_, largest);
    std::vector<EventTemplate> made;
    for (const int copies : kPlanCopies) {
      made.push_back(make_template(with_union_plan(event, std::min(copies, largest), out_.strides.accumulator)));
    }
    return made;
  }

  TemplateOptions options_;
  ApplicationTemplate out_;
  std::int64_t largest_plan_ = 1;
};

}  // namespace

const EventTemplate& Step::event_of(std::int64_t of_round) const {
  return sizes[std::min(plan_size_of(of_round), sizes.size() - 1)];
}

std::int64_t ApplicationTemplate::bytes_per_task() const {
  std::size_t bytes = 0;
  std::size_t templates = 0;
  for (const auto& [id, stage] : stages) {
    for (std::size_t i = 0; i < stage.ends.size(); ++i) {
      const auto& end = stage.ends[i].line;
      bytes += stage.starts[i % stage.starts.size()].text_bytes() + end.text_bytes() + 5 * end.hole_count();
      ++templates;
    }
  }
  return static_cast<std::int64_t>(bytes / templates);
}

std::int64_t ApplicationTemplate::fixed_bytes(std::int64_t of_round) const {
  std::size_t bytes = 0;
  for (const auto& step : round) {
    if (!step.sizes.empty()) {
      const auto& event = step.event_of(of_round);
      bytes += event.text_bytes() + 5 * event.hole_count();
    }
  }
  return static_cast<std::int64_t>(bytes);
}

ApplicationTemplate make_application_template(RealLog log, const TemplateOptions& options) {
  return Maker(options).make(std::move(log));
}

}  // namespace stagegate::bench
