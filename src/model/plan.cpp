#include "model/plan.h"

#include <algorithm>
#include <memory>
#include <type_traits>

namespace stagegate {
namespace {

// The sizes of what some nodes show.
struct Sizes {
  std::size_t accumulators = 0;
  std::size_t metadata = 0;
  std::size_t children = 0;
  std::size_t metrics = 0;
  std::size_t characters = 0;
};

Sizes sizes_of(std::span<const PlanNode> nodes) {
  Sizes sizes;
  for (const auto& node : nodes) {
    sizes.accumulators += node.accumulators.size();
    sizes.metadata += node.metadata.size();
    sizes.children += node.children.size();
    sizes.metrics += node.metrics.size();
    sizes.characters += node.name.size() + node.simple_string.size();
    for (const auto& entry : node.metadata) {
      sizes.characters += entry.key.size() + entry.value.size();
    }
  }
  return sizes;
}

// A stretch of memory for values of one kind, filled from its front.
template <typename Value>
class Stretch {
  static_assert(std::is_trivially_copyable_v<Value> && std::is_trivially_destructible_v<Value>);

 public:
  // Takes its part of MEMORY, which then begins behind it.
  Stretch(std::byte*& memory, std::size_t size) : begin_(reinterpret_cast<Value*>(memory)), end_(begin_) { memory += size * sizeof(Value); }

  std::span<const Value> add(std::span<const Value> values) {
    auto* const begin = end_;
    end_ = std::uninitialized_copy(values.begin(), values.end(), begin);
    return {begin, end_};
  }

  std::span<Value> all() const { return {begin_, end_}; }

 private:
  Value* begin_;
  Value* end_;
};

}  // namespace

std::string_view PlanNode::metadata_of(std::string_view key) const {
  const auto found = std::find_if(metadata.begin(), metadata.end(), [&](const PlanMetadata& entry) { return entry.key == key; });
  return found == metadata.end() ? std::string_view() : found->value;
}

Plan::Plan(std::span<const PlanNode> nodes) {
  if (nodes.empty()) {
    return;
  }
  const auto sizes = sizes_of(nodes);
  // Those that must lie at the largest steps come first, so that there are no gaps.
  static_assert(alignof(PlanNode) >= alignof(std::int64_t) && alignof(std::int64_t) >= alignof(PlanMetadata) &&
                alignof(PlanMetadata) >= alignof(std::uint32_t) && alignof(std::uint32_t) >= alignof(PlanMetric));
  memory_ = std::make_shared_for_overwrite<std::byte[]>(nodes.size() * sizeof(PlanNode) + sizes.accumulators * sizeof(std::int64_t) +
                                                        sizes.metadata * sizeof(PlanMetadata) + sizes.children * sizeof(std::uint32_t) +
                                                        sizes.metrics * sizeof(PlanMetric) + sizes.characters);
  auto* memory = memory_.get();
  Stretch<PlanNode> own_nodes(memory, nodes.size());
  Stretch<std::int64_t> accumulators(memory, sizes.accumulators);
  Stretch<PlanMetadata> metadata(memory, sizes.metadata);
  Stretch<std::uint32_t> children(memory, sizes.children);
  Stretch<PlanMetric> metrics(memory, sizes.metrics);
  Stretch<char> characters(memory, sizes.characters);
  const auto own_text = [&](std::string_view text) {
    const auto own = characters.add(text);
    return std::string_view(own.data(), own.size());
  };
  for (const auto& node : nodes) {
    const auto entries = metadata.all().size();
    for (const auto& entry : node.metadata) {
      const PlanMetadata own{.key = own_text(entry.key), .value = own_text(entry.value)};
      metadata.add({&own, 1});
    }
    const PlanNode own{.name = own_text(node.name),
                       .simple_string = own_text(node.simple_string),
                       .children = children.add(node.children),
                       .accumulators = accumulators.add(node.accumulators),
                       .metrics = metrics.add(node.metrics),
                       .metadata = metadata.all().subspan(entries)};
    own_nodes.add({&own, 1});
  }
  nodes_ = own_nodes.all();
  accumulators_ = accumulators.all();
  metrics_ = metrics.all();
}

Plan Plan::with_metric_names(std::span<const std::uint16_t> new_names) && {
  const auto new_name = [&](std::uint16_t name) { return name < new_names.size() ? new_names[name] : std::uint16_t{0}; };
  // Nobody else has it, or none of what others see may change.
  auto plan = memory_.use_count() > 1 ? Plan(nodes_) : std::move(*this);
  for (auto& metric : plan.metrics_) {
    metric = {new_name(metric.name), new_name(metric.type)};
  }
  return plan;
}

Plan plan_of(std::span<const PlanNodeDraft> drafts) {
  std::vector<std::vector<PlanMetadata>> metadata;
  metadata.reserve(drafts.size());
  std::vector<PlanNode> nodes;
  for (const auto& draft : drafts) {
    auto& entries = metadata.emplace_back();
    for (const auto& [key, value] : draft.metadata) {
      entries.push_back({.key = key, .value = value});
    }
    nodes.push_back({.name = draft.name,
                     .simple_string = draft.simple_string,
                     .children = draft.children,
                     .accumulators = draft.accumulators,
                     .metrics = draft.metrics,
                     .metadata = entries});
  }
  return Plan(nodes);
}

}  // namespace stagegate
