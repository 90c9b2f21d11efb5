#include "ingest/plan_reader.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "ingest/line_cursor.h"

namespace stagegate {
namespace {

constexpr std::string_view kAdaptiveUpdate = R"({"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLAdaptiveExecutionUpdate",)";

// Nodes below are left out. Deeper plans than this break Spark itself.
constexpr int kMaxPlanDepth = 800;

// Names of metrics, each once: a plan has thousands of metrics and a few dozen names.
class MetricNames {
 public:
  MetricNames() { next_.fill(std::numeric_limits<std::uint16_t>::max()); }

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

  // The index of the text that stands at the cursor.
  std::uint16_t index_at(LineCursor& cursor) {
    // Nodes of a kind have the same metrics in the same order. A name that is expected was one without escapes.
    auto& next = next_[last_ % next_.size()];
    if (next < names_.size() && cursor.skip_if_quoted(names_[next])) {
      return last_ = next;
    }
    const auto text = cursor.text();
    return cursor.failed() ? std::uint16_t{0} : last_ = next = index_of(text);
  }

  std::vector<std::string> take() { return std::move(names_); }

 private:
  std::vector<std::string> names_;
  std::array<std::uint16_t, 128> guesses_{};  // which it may be
  std::array<std::uint16_t, 128> next_;       // what came behind each of them the last time
  std::uint16_t last_ = 0;
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

// As Spark writes them, which is most of what there is to read of a plan.
[[gnu::noinline]] void read_metrics(LineCursor& cursor, MetricNames& names, PlanMetrics& metrics) {
  cursor.expect('[');
  if (cursor.skip_if(']')) {
    return;
  }
  do {
    PlanMetric metric;
    cursor.expect("{\"name\":");
    metric.name = names.index_at(cursor);
    cursor.expect(",\"accumulatorId\":");
    metrics.accumulators.push_back(cursor.integer());
    cursor.expect(",\"metricType\":");
    metric.type = names.index_at(cursor);
    cursor.expect('}');
    metrics.metrics.push_back(metric);
  } while (!cursor.failed() && cursor.skip_if(','));
  cursor.expect(']');
}

[[gnu::noinline]] bool read_metrics(json::Value array, MetricNames& names, PlanMetrics& metrics) {
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

// Reads a plan. What a node holds is read in functions of their own: inside of read_node(), which calls itself for each level, they would
// take their part of the stack as many times. Its texts stay in the line, or where the parser of JSON has put them, until all is copied
// into a Plan.
class PlanReader {
 public:
  bool read(json::Value root) { return read_node(root, kNoParent, 1); }
  void read(LineCursor& cursor) { read_node(cursor, kNoParent, 1); }

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

  // As Spark writes it; what is written otherwise makes the cursor fail.
  void read_node(LineCursor& cursor, std::uint32_t parent, int depth) {
    const auto self = drafts_.size();
    drafts_.emplace_back().parent = parent;
    cursor.expect("{\"nodeName\":");
    drafts_[self].name = cursor.text();
    cursor.expect(",\"simpleString\":");
    drafts_[self].simple_string = cursor.text();
    cursor.expect(",\"children\":[");
    if (depth > kMaxPlanDepth) {
      cursor.fail();
    }
    if (!cursor.failed() && !cursor.skip_if(']')) {
      do {
        read_node(cursor, static_cast<std::uint32_t>(self), depth + 1);
      } while (!cursor.failed() && cursor.skip_if(','));
      cursor.expect(']');
    }
    cursor.expect(",\"metadata\":");
    read_metadata(cursor, drafts_[self].metadata);
    cursor.expect(",\"metrics\":");
    auto& range = drafts_[self].metrics;
    range.begin = metrics_.metrics.size();
    read_metrics(cursor, names_, metrics_);
    range.end = metrics_.metrics.size();
    cursor.expect('}');
  }

  [[gnu::noinline]] void read_metadata(LineCursor& cursor, Range& range) {
    range.begin = metadata_.size();
    cursor.expect('{');
    if (!cursor.skip_if('}')) {
      do {
        PlanMetadata entry;
        entry.key = cursor.text();
        cursor.expect(':');
        entry.value = cursor.text();
        metadata_.push_back(entry);
      } while (!cursor.failed() && cursor.skip_if(','));
      cursor.expect('}');
    }
    settle_metadata(range);
  }

  [[gnu::noinline]] bool read_metadata(json::Value object, Range& range) {
    range.begin = metadata_.size();
    const bool good =
        json::for_each_text(object, [&](std::string_view key, std::string_view text) { metadata_.push_back({.key = key, .value = text}); });
    settle_metadata(range);
    return good;
  }

  // By key; where one comes twice, the last counts.
  void settle_metadata(Range& range) {
    const auto begin = metadata_.begin() + static_cast<std::ptrdiff_t>(range.begin);
    std::reverse(begin, metadata_.end());
    std::stable_sort(begin, metadata_.end(), [](const PlanMetadata& a, const PlanMetadata& b) { return a.key < b.key; });
    const auto is_same = [](const PlanMetadata& a, const PlanMetadata& b) { return a.key == b.key; };
    metadata_.erase(std::unique(begin, metadata_.end(), is_same), metadata_.end());
    range.end = metadata_.size();
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

}  // namespace

bool read_plan(json::Value value, EventPlan& plan) {
  if (json::is_null(value)) {
    return true;
  }
  PlanReader reader;
  const bool good = reader.read(value);
  plan = reader.take();
  return good;
}

bool read_accumulators(json::Value array, std::vector<std::int64_t>& accumulators) {
  MetricNames names;
  PlanMetrics metrics;
  const bool good = read_metrics(array, names, metrics);
  accumulators = std::move(metrics.accumulators);
  return good;
}

std::optional<SqlAdaptiveUpdate> read_usual_update(std::string_view line) {
  LineCursor cursor(line);
  if (!cursor.skip_if(kAdaptiveUpdate)) {
    return std::nullopt;
  }
  SqlAdaptiveUpdate update;
  PlanReader reader;
  cursor.expect("\"executionId\":");
  update.id = cursor.integer();
  cursor.expect(",\"physicalPlanDescription\":");
  cursor.skip_text();
  cursor.expect(",\"sparkPlanInfo\":");
  reader.read(cursor);
  cursor.expect('}');
  if (cursor.failed() || !cursor.rest().empty()) {
    return std::nullopt;
  }
  update.plan = reader.take();
  return update;
}

}  // namespace stagegate
