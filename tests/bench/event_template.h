// An event of a real log as a line with holes: at what tells one event from the next of its kind. Filling them in is nearly as fast as
// copying the line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

#include "bench/truth.h"

namespace stagegate::bench {

enum class Fill : std::uint8_t {
  // Numbers that go up by a fixed step with every repetition of the real log.
  execution,
  job,
  stage,
  rdd,
  accumulator,
  // Times, in milliseconds.
  now,
  stage_submitted,
  launch,
  finish,
  // Of a task.
  task,
  index,
  executor,
  host,
  quantity,
  total,
  // Of a stage.
  stage_tasks,
};

struct Hole {
  Fill fill = Fill::now;
  std::int64_t base = 0;     // what the real event has; of stage_submitted, stage_tasks and total: the real stage
  std::size_t quantity = 0;  // of quantity and total: which of the task's
  std::size_t total = 0;     // of total: which of the stage's
};

class EventTemplate {
 public:
  void add(std::string_view text) { text_ += text; }
  void add(const Hole& hole) { holes_.push_back({text_.size(), hole}); }

  std::size_t text_bytes() const { return text_.size(); }
  std::size_t hole_count() const { return holes_.size(); }

  // Calls FILL_IN(Hole) at each hole; it appends to OUT.
  template <typename FillIn>
  void render(std::string& out, FillIn&& fill_in) const {
    std::size_t begin = 0;
    for (const auto& [end, hole] : holes_) {
      out.append(text_, begin, end - begin);
      begin = end;
      fill_in(hole);
    }
    out.append(text_, begin);
  }

 private:
  struct Place {
    std::size_t end;  // of the text before it
    Hole hole;
  };
  std::string text_;
  std::vector<Place> holes_;
};

// The numbers of a task. Those that are equal in the real event stay equal in the made ones: a metric is the update of an accumulable too.
struct Quantities {
  std::vector<std::int64_t> bases;
  std::vector<std::pair<Planted, std::size_t>> planted;  // which of them the report adds up

  std::size_t slot_of(std::int64_t base);
};

struct TaskEndTemplate {
  EventTemplate line;
  Quantities quantities;
};

// Of one stage: which running total belongs to which accumulator of the real log.
using Totals = std::map<std::int64_t, std::size_t>;

EventTemplate make_template(const boost::json::object& event);

// TOTALS grows by what the task updates.
TaskEndTemplate make_task_end_template(const boost::json::object& event, Totals& totals);

// The values of its accumulables are the totals that its tasks left.
EventTemplate make_stage_end_template(const boost::json::object& event, const Totals& totals);

}  // namespace stagegate::bench
