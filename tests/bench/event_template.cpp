#include "bench/event_template.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace stagegate::bench {
namespace {

namespace json = boost::json;

struct KeyFill {
  std::string_view key;
  Fill fill;
};

constexpr std::array kFills{
    KeyFill{"executionId", Fill::execution},
    KeyFill{"rootExecutionId", Fill::execution},
    KeyFill{"spark.sql.execution.id", Fill::execution},
    KeyFill{"spark.sql.execution.root.id", Fill::execution},
    KeyFill{"Job ID", Fill::job},
    KeyFill{"Stage ID", Fill::stage},
    KeyFill{"Stage IDs", Fill::stage},
    KeyFill{"RDD ID", Fill::rdd},
    KeyFill{"accumulatorId", Fill::accumulator},
    KeyFill{"Timestamp", Fill::now},
    KeyFill{"time", Fill::now},
    KeyFill{"Submission Time", Fill::now},
    KeyFill{"Completion Time", Fill::now},
    KeyFill{"Launch Time", Fill::launch},
    KeyFill{"Finish Time", Fill::finish},
    KeyFill{"Task ID", Fill::task},
    KeyFill{"Index", Fill::index},
    KeyFill{"Partition ID", Fill::index},
    KeyFill{"Executor ID", Fill::executor},
    KeyFill{"Host", Fill::host},
    KeyFill{"Number of Tasks", Fill::stage_tasks},
    KeyFill{"Number of Partitions", Fill::stage_tasks},
};

struct PlantedKey {
  Planted planted;
  std::string_view group;
  std::string_view key;
};

constexpr std::array kPlantedKeys{
    PlantedKey{Planted::input_bytes, "Input Metrics", "Bytes Read"},
    PlantedKey{Planted::input_records, "Input Metrics", "Records Read"},
    PlantedKey{Planted::output_bytes, "Output Metrics", "Bytes Written"},
    PlantedKey{Planted::output_records, "Output Metrics", "Records Written"},
    PlantedKey{Planted::shuffle_read_bytes, "Shuffle Read Metrics", "Remote Bytes Read"},
    PlantedKey{Planted::shuffle_read_bytes, "Shuffle Read Metrics", "Local Bytes Read"},
    PlantedKey{Planted::shuffle_read_records, "Shuffle Read Metrics", "Total Records Read"},
    PlantedKey{Planted::shuffle_write_bytes, "Shuffle Write Metrics", "Shuffle Bytes Written"},
    PlantedKey{Planted::shuffle_write_records, "Shuffle Write Metrics", "Shuffle Records Written"},
};

// The integer in a JSON number, or in a text that is one.
std::optional<std::int64_t> integer_in(const json::value& value) {
  if (const auto* integer = value.if_int64()) {
    return *integer;
  }
  std::int64_t integer = 0;
  const auto* text = value.if_string();
  if (text == nullptr || text->empty() ||
      std::from_chars(text->data(), text->data() + text->size(), integer).ptr != text->data() + text->size()) {
    return std::nullopt;
  }
  return integer;
}

class Maker {
 public:
  // QUANTITIES: of a task end, else null.
  Maker(Quantities* quantities, const Totals* totals) : quantities_(quantities), totals_(totals) {}

  EventTemplate make(const json::object& event) && {
    object(event, {});
    out_.add("\n");
    return std::move(out_);
  }

 private:
  enum class Where : std::uint8_t { elsewhere, rdd, accumulable, task_metrics };

  void object(const json::object& fields, Where where) {
    const auto outer_stage = stage_;
    if (const auto* stage = fields.if_contains("Stage ID")) {
      stage_ = stage->as_int64();
    }
    const auto accumulable = where == Where::accumulable ? accumulable_in(fields) : Accumulable();
    const char* separator = "{";
    for (const auto& field : fields) {
      out_.add(separator);
      out_.add(json::serialize(json::string(field.key())));
      out_.add(":");
      if (accumulable.update && field.key() == "Update") {
        number(field.value(), *accumulable.update);
      } else if (accumulable.value && field.key() == "Value") {
        number(field.value(), *accumulable.value);
      } else {
        value(field.key(), field.value(), where);
      }
      separator = ",";
    }
    out_.add(fields.empty() ? "{}" : "}");
    stage_ = outer_stage;
  }

  // What of an accumulable is counted.
  struct Accumulable {
    std::optional<Hole> update;
    std::optional<Hole> value;
  };

  Accumulable accumulable_in(const json::object& fields) {
    Accumulable found;
    Hole total{.fill = Fill::total, .base = stage_.value_or(0)};
    if (const auto* update = fields.if_contains("Update"); update != nullptr && quantities_ != nullptr) {
      const auto base = integer_in(*update).value_or(0);
      total.quantity = quantities_->slot_of(base);
      if (base > 0) {
        found.update = Hole{.fill = Fill::quantity, .base = base, .quantity = total.quantity};
      }
    }
    const auto id = integer_in(fields.at("ID")).value_or(-1);
    if (totals_ != nullptr && totals_->contains(id)) {
      total.total = totals_->at(id);
      found.value = total;
    }
    return found;
  }

  void value(std::string_view key, const json::value& value, Where where) {
    if (const auto* fields = value.if_object()) {
      object(*fields, key == "Task Metrics" ? Where::task_metrics : where);
    } else if (const auto* elements = value.if_array()) {
      array(key, *elements, key == "RDD Info" ? Where::rdd : key == "Accumulables" ? Where::accumulable : where);
    } else if (const auto hole = hole_for(key, value, where)) {
      number(value, *hole);
    } else {
      scalar(value);
    }
  }

  void array(std::string_view key, const json::array& elements, Where where) {
    const char* separator = "[";
    for (const auto& element : elements) {
      out_.add(separator);
      if (key == "accumUpdates") {  // pairs of an id and a value
        out_.add("[");
        number(element.at(0), {.fill = Fill::accumulator, .base = element.at(0).as_int64()});
        out_.add(fmt::format(",{}]", json::serialize(element.at(1))));
      } else {
        value(key, element, where);
      }
      separator = ",";
    }
    out_.add(elements.empty() ? "[]" : "]");
  }

  std::optional<Hole> hole_for(std::string_view key, const json::value& value, Where where) {
    const auto base = integer_in(value);
    if (key == "Parent IDs") {
      return Hole{.fill = where == Where::rdd ? Fill::rdd : Fill::stage, .base = base.value_or(0)};
    }
    if (where == Where::accumulable) {
      return key == "ID" ? std::optional(Hole{.fill = Fill::accumulator, .base = base.value_or(0)}) : std::nullopt;
    }
    if (where == Where::task_metrics) {
      return quantities_ != nullptr && base.value_or(0) > 0
                 ? std::optional(Hole{.fill = Fill::quantity, .base = *base, .quantity = quantities_->slot_of(*base)})
                 : std::nullopt;
    }
    const auto found = std::find_if(kFills.begin(), kFills.end(), [&](const KeyFill& known) { return known.key == key; });
    if (found == kFills.end() || (found->fill == Fill::finish && base == 0)) {
      return std::nullopt;
    }
    if (found->fill == Fill::stage_tasks) {
      return Hole{.fill = Fill::stage_tasks, .base = stage_.value_or(0)};
    }
    if (key == "Submission Time" && stage_) {
      return Hole{.fill = Fill::stage_submitted, .base = *stage_};
    }
    return Hole{.fill = found->fill, .base = base.value_or(0)};
  }

  // In quotes where the real value is.
  void number(const json::value& real, const Hole& hole) {
    const std::string_view quote = real.is_string() ? "\"" : "";
    out_.add(quote);
    out_.add(hole);
    out_.add(quote);
  }

  // Boost writes 1.0 as 1E0, Spark does not.
  void scalar(const json::value& value) {
    const auto* number = value.if_double();
    out_.add(number == nullptr                ? json::serialize(value)
             : std::trunc(*number) == *number ? fmt::format("{:.1f}", *number)
                                              : fmt::format("{}", *number));
  }

  EventTemplate out_;
  Quantities* quantities_;
  const Totals* totals_;
  std::optional<std::int64_t> stage_;  // whose object this is in
};

}  // namespace

std::size_t Quantities::slot_of(std::int64_t base) {
  const auto found = std::find(bases.begin(), bases.end(), base);
  if (found != bases.end()) {
    return static_cast<std::size_t>(found - bases.begin());
  }
  bases.push_back(base);
  return bases.size() - 1;
}

EventTemplate make_template(const json::object& event) {
  return Maker(nullptr, nullptr).make(event);
}

TaskEndTemplate make_task_end_template(const json::object& event, Totals& totals) {
  for (const auto& accumulable : event.at("Task Info").at("Accumulables").as_array()) {
    const auto* update = accumulable.as_object().if_contains("Update");
    if (update != nullptr && integer_in(*update).value_or(0) > 0) {
      totals.try_emplace(accumulable.at("ID").as_int64(), totals.size());
    }
  }
  TaskEndTemplate made;
  made.line = Maker(&made.quantities, &totals).make(event);
  for (const auto& [planted, group, key] : kPlantedKeys) {
    const auto base = event.at("Task Metrics").at(group).at(key).as_int64();
    if (base > 0) {
      made.quantities.planted.emplace_back(planted, made.quantities.slot_of(base));
    }
  }
  return made;
}

EventTemplate make_stage_end_template(const json::object& event, const Totals& totals) {
  return Maker(nullptr, &totals).make(event);
}

}  // namespace stagegate::bench
