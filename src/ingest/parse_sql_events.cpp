// The events of SQL executions: plain Jackson of case classes, so keys are in camel case and missing options are null.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>

#include "ingest/parse_events.h"

namespace stagegate {
namespace {

// Nodes below are left out. Deeper plans than this break Spark itself.
constexpr int kMaxPlanDepth = 800;

// Names of metrics, each once: a plan has thousands of metrics and a few dozen names.
class MetricNames {
 public:
  // The index of NAME, which is added if it is new and there is room.
  std::uint16_t index_of(std::string_view name) {
    constexpr std::size_t kMostNames = 4096;
    const auto first = static_cast<unsigned char>(name.empty() ? '\0' : name.front());
    const auto last = static_cast<unsigned char>(name.empty() ? '\0' : name.back());
    const auto guess = 31 * name.size() + first + std::size_t{7} * last;
    auto& found = guesses_[guess % guesses_.size()];
    if (found < names_.size() && names_[found] == name) {
      return found;
    }
    const auto place = std::find(names_.begin(), names_.end(), name);
    if (place == names_.end() && names_.size() < kMostNames) {
      names_.emplace_back(name);
      return found = static_cast<std::uint16_t>(names_.size() - 1);
    }
    return found = static_cast<std::uint16_t>(place - names_.begin());
  }

  std::vector<std::string> take() { return std::move(names_); }

 private:
  std::vector<std::string> names_;
  std::array<std::uint16_t, 128> guesses_{};  // which it may be
};

struct PlanMetrics {
  std::vector<std::int64_t> accumulators;
  std::vector<PlanMetric> metrics;
};

bool read_metric(json::Value object, MetricNames& names, std::optional<std::int64_t>& id, PlanMetric& metric) {
  return json::for_each_field(object, [&](json::Key key, json::Value value) {
    std::string_view text;
    if (key == "accumulatorId") {
      return json::read(value, id);
    }
    if (key == "name") {
      const bool good = json::read(value, text);
      metric.name = names.index_of(text);
      return good;
    }
    if (key == "metricType") {
      const bool good = json::read(value, text);
      metric.type = names.index_of(text);
      return good;
    }
    return true;
  });
}

bool read_metrics(json::Value array, MetricNames& names, PlanMetrics& metrics) {
  return json::for_each_element(array, [&](json::Value element) {
    std::optional<std::int64_t> id;
    PlanMetric metric;
    const bool good = read_metric(element, names, id, metric);
    if (id) {
      metrics.accumulators.push_back(*id);
      metrics.metrics.push_back(metric);
    }
    return good;
  });
}

// Reads a plan. Its texts stay where the parser of JSON has put them until all is copied into a Plan.
class PlanReader {
 public:
  bool read(json::Value root) { return read_node(root, kNoParent, 1); }

  EventPlan take() {
    EventPlan plan{.nodes = Plan(nodes()), .metric_names = names_.take(), .accumulators = {}};
    plan.accumulators = accumulators_of(plan.nodes);
    return plan;
  }

 private:
  static constexpr std::uint32_t kNoParent = 0xFFFFFFFF;

  // Some of the elements of a vector.
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  struct Draft {
    std::string_view name;
    std::string_view simple_string;
    std::uint32_t parent = kNoParent;
    Range metrics;
    Range metadata;
  };

  // The node first, then everything below it.
  bool read_node(json::Value object, std::uint32_t parent, int depth) {
    const auto self = static_cast<std::uint32_t>(drafts_.size());
    drafts_.emplace_back().parent = parent;
    return json::for_each_field(object, [&](json::Key key, json::Value value) {
      if (key == "nodeName") {
        return json::read(value, drafts_[self].name);
      }
      if (key == "simpleString") {
        return json::read(value, drafts_[self].simple_string);
      }
      if (key == "children") {
        return json::for_each_element(value,
                                      [&](json::Value child) { return depth == kMaxPlanDepth || read_node(child, self, depth + 1); });
      }
      if (key == "metadata") {
        return read_metadata(value, drafts_[self].metadata);
      }
      if (key == "metrics") {
        auto& range = drafts_[self].metrics;
        range.begin = metrics_.metrics.size();
        const bool good = read_metrics(value, names_, metrics_);
        range.end = metrics_.metrics.size();
        return good;
      }
      return true;
    });
  }

  bool read_metadata(json::Value object, Range& range) {
    range.begin = metadata_.size();
    const bool good =
        json::for_each_text(object, [&](std::string_view key, std::string_view text) { metadata_.push_back({.key = key, .value = text}); });
    // By key; where one comes twice, the last counts.
    const auto begin = metadata_.begin() + static_cast<std::ptrdiff_t>(range.begin);
    std::reverse(begin, metadata_.end());
    std::stable_sort(begin, metadata_.end(), [](const PlanMetadata& a, const PlanMetadata& b) { return a.key < b.key; });
    const auto is_same = [](const PlanMetadata& a, const PlanMetadata& b) { return a.key == b.key; };
    metadata_.erase(std::unique(begin, metadata_.end(), is_same), metadata_.end());
    range.end = metadata_.size();
    return good;
  }

  // With what they show, which stays here.
  std::vector<PlanNode> nodes() {
    // Of each node, where its children begin among those of all; they stand in the order of the plan.
    std::vector<std::uint32_t> begin(drafts_.size() + 1, 0);
    for (const auto& draft : drafts_) {
      begin[draft.parent == kNoParent ? drafts_.size() : draft.parent] += 1;
    }
    std::exclusive_scan(begin.begin(), begin.end(), begin.begin(), std::uint32_t{0});
    children_.resize(drafts_.empty() ? 0 : drafts_.size() - 1);
    auto next = begin;
    for (std::uint32_t node = 1; node < drafts_.size(); ++node) {
      children_[next[drafts_[node].parent]++] = node;
    }
    std::vector<PlanNode> nodes;
    nodes.reserve(drafts_.size());
    for (std::size_t node = 0; node < drafts_.size(); ++node) {
      const auto& draft = drafts_[node];
      nodes.push_back({.name = draft.name,
                       .simple_string = draft.simple_string,
                       .children = part(children_, {begin[node], begin[node + 1]}),
                       .accumulators = part(metrics_.accumulators, draft.metrics),
                       .metrics = part(metrics_.metrics, draft.metrics),
                       .metadata = part(metadata_, draft.metadata)});
    }
    return nodes;
  }

  template <typename Value>
  static std::span<const Value> part(const std::vector<Value>& values, Range range) {
    return std::span(values).subspan(range.begin, range.end - range.begin);
  }

  std::vector<Draft> drafts_;
  PlanMetrics metrics_;
  std::vector<PlanMetadata> metadata_;
  std::vector<std::uint32_t> children_;
  MetricNames names_;
};

bool read_plan(json::Value value, EventPlan& plan) {
  if (json::is_null(value)) {
    return true;
  }
  PlanReader reader;
  const bool good = reader.read(value);
  plan = reader.take();
  return good;
}

bool read_update(json::Value pair, std::vector<AccumulatorValue>& values) {
  std::vector<std::int64_t> numbers;
  const bool good = json::read(pair, numbers);
  if (numbers.size() == 2) {
    values.push_back({numbers[0], numbers[1]});
  }
  return good;
}

}  // namespace

bool parse_sql_execution_start(json::ondemand::object fields, Event& event) {
  auto& start = event.emplace<SqlExecutionStart>();
  std::optional<std::int64_t> id;
  const bool good = json::for_each_field(fields, [&](json::Key key, json::Value value) {
    if (key == "executionId") {
      return json::read(value, id);
    }
    if (key == "rootExecutionId") {
      return json::read(value, start.root_id);
    }
    if (key == "description") {
      return json::read(value, start.description);
    }
    if (key == "details") {
      return json::read(value, start.details);
    }
    if (key == "sparkPlanInfo") {
      return read_plan(value, start.plan);
    }
    if (key == "time") {
      return json::read(value, start.time_ms);
    }
    return key == "modifiedConfigs" ? json::read(value, start.modified_conf) : true;
  });
  start.id = id.value_or(0);
  return good && id;
}

bool parse_sql_adaptive_update(json::ondemand::object fields, Event& event) {
  auto& update = event.emplace<SqlAdaptiveUpdate>();
  std::optional<std::int64_t> id;
  const bool good = json::for_each_field(fields, [&](json::Key key, json::Value value) {
    if (key == "executionId") {
      return json::read(value, id);
    }
    return key == "sparkPlanInfo" ? read_plan(value, update.plan) : true;
  });
  update.id = id.value_or(0);
  return good && id;
}

bool parse_sql_adaptive_metrics(json::ondemand::object fields, Event& event) {
  auto& metrics = event.emplace<SqlAdaptiveMetrics>();
  MetricNames names;
  PlanMetrics found;
  std::optional<std::int64_t> id;
  const bool good = json::for_each_field(fields, [&](json::Key key, json::Value value) {
    if (key == "executionId") {
      return json::read(value, id);
    }
    return key == "sqlPlanMetrics" ? read_metrics(value, names, found) : true;
  });
  metrics.id = id.value_or(0);
  metrics.accumulators = std::move(found.accumulators);
  return good && id;
}

bool parse_driver_accumulator_updates(json::ondemand::object fields, Event& event) {
  auto& updates = event.emplace<DriverAccumulatorUpdates>();
  return json::for_each_field(fields, [&](json::Key key, json::Value value) {
    return key == "accumUpdates" ? json::for_each_element(value, [&](json::Value pair) { return read_update(pair, updates.values); })
                                 : true;
  });
}

bool parse_sql_execution_end(json::ondemand::object fields, Event& event) {
  auto& end = event.emplace<SqlExecutionEnd>();
  std::optional<std::int64_t> id;
  const bool good = json::for_each_field(fields, [&](json::Key key, json::Value value) {
    if (key == "executionId") {
      return json::read(value, id);
    }
    if (key == "time") {
      return json::read(value, end.time_ms);
    }
    return key == "errorMessage" ? json::read(value, end.error) : true;
  });
  end.id = id.value_or(0);
  return good && id;
}

}  // namespace stagegate
