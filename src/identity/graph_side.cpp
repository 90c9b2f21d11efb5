#include "identity/graph_side.h"

namespace stagegate {
namespace {

// Of the matched stages that were passed so far, the last one and the last one of another action than that.
class LastMatched {
 public:
  explicit LastMatched(const GraphSide& side) : side_(&side) {}

  void pass(Index i) {
    if (side_->partner[i]) {
      if (last_ && side_->stages[*last_].action != side_->stages[i].action) {
        other_ = last_;
      }
      last_ = i;
    }
  }

  std::optional<Index> of_another_action(Index i) const {
    return last_ && side_->stages[*last_].action == side_->stages[i].action ? other_ : last_;
  }

 private:
  const GraphSide* side_;
  std::optional<Index> last_;
  std::optional<Index> other_;
};

}  // namespace

GraphSide::GraphSide(std::span<const StageTraits> of) : stages(of), hashes(hashes_of(of)), consumers(of.size()), partner(of.size()) {
  for (Index i = 0; i < of.size(); ++i) {
    for (const auto producer : of[i].producers) {
      consumers[producer].push_back(i);
    }
  }
}

void GraphSide::look_around() {
  open.clear();
  matched_before.assign(stages.size(), std::nullopt);
  matched_behind.assign(stages.size(), std::nullopt);
  LastMatched before(*this);
  for (Index i = 0; i < stages.size(); ++i) {
    if (!partner[i]) {
      open.push_back(i);
    }
    matched_before[i] = before.of_another_action(i);
    before.pass(i);
  }
  LastMatched behind(*this);
  for (Index i = stages.size(); i-- > 0;) {
    matched_behind[i] = behind.of_another_action(i);
    behind.pass(i);
  }
}

}  // namespace stagegate
