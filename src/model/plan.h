// Physical plans, as small as their texts: an application has thousands, and one can have a thousand nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stagegate {

// What one metric of a plan's node counts.
struct PlanMetric {
  std::uint16_t name = 0;  // index into Application::plan_metric_names: "number of output rows"
  std::uint16_t type = 0;  // index into the same: "sum", "size", "timing", "nsTiming", "average"

  friend bool operator==(const PlanMetric&, const PlanMetric&) = default;
};

struct PlanMetadata {
  std::string_view key;
  std::string_view value;

  friend bool operator==(const PlanMetadata&, const PlanMetadata&) = default;
};

// A node of a physical plan, flattened: children are indices into the plan that holds it. What it shows belongs to that plan.
struct PlanNode {
  std::string_view name;
  std::string_view simple_string;
  std::span<const std::uint32_t> children;
  std::span<const std::int64_t> accumulators;  // of its metrics
  std::span<const PlanMetric> metrics;         // one an accumulator; empty where the source does not say
  std::span<const PlanMetadata> metadata;      // of scans: "Location", "ReadSchema", "Format", ...; by key

  // The value of KEY in the metadata, or "".
  std::string_view metadata_of(std::string_view key) const;
};

// The nodes of a plan, root first, or some nodes of several plans. All that they show lies in one stretch of memory: a node takes 96 bytes,
// its texts as many as they have, a metric 12. It never changes, so copies share it.
class Plan {
 public:
  Plan() = default;
  // Copies NODES and what they show.
  explicit Plan(std::span<const PlanNode> nodes);

  bool empty() const { return nodes_.empty(); }
  std::size_t size() const { return nodes_.size(); }
  const PlanNode& operator[](std::size_t index) const { return nodes_[index]; }
  const PlanNode* data() const { return nodes_.data(); }
  auto begin() const { return nodes_.begin(); }
  auto end() const { return nodes_.end(); }
  auto rbegin() const { return nodes_.rbegin(); }
  auto rend() const { return nodes_.rend(); }

  // Those of all nodes, one node's behind another's.
  std::span<const std::int64_t> accumulators() const { return accumulators_; }

  // The same plan whose metrics have the names NEW_NAMES[...] of those that they point to; 0 for one beyond its end.
  Plan with_metric_names(std::span<const std::uint16_t> new_names) &&;

 private:
  std::shared_ptr<std::byte[]> memory_;
  std::span<const PlanNode> nodes_;
  std::span<const std::int64_t> accumulators_;
  std::span<PlanMetric> metrics_;
};

// A node on its own, for those who put a plan together piece by piece.
struct PlanNodeDraft {
  std::string name;
  std::string simple_string;
  std::vector<std::uint32_t> children;
  std::vector<std::int64_t> accumulators;
  std::vector<PlanMetric> metrics = {};
  std::map<std::string, std::string> metadata = {};
};

Plan plan_of(std::span<const PlanNodeDraft> nodes);

}  // namespace stagegate
