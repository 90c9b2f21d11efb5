// How one metric is spread over the tasks of a stage: in numbers, and as a row of bars.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/application.h"
#include "report/report.h"

namespace stagegate {

struct Spread {
  std::string_view name;  // in metric.h or task_detail.h: "shuffle_read", "run_time_ms"
  DetailUnit unit = DetailUnit::count;
  Distribution values;
  // How many tasks lie in each of kBuckets equal steps from the smallest to the largest value. Empty where all values are equal, and
  // where the single tasks are not known.
  std::vector<std::size_t> buckets;
};

inline constexpr std::size_t kBuckets = 12;

// Of every metric that the attempt's tasks have, and of every detail, in the order of their tables.
std::vector<Spread> spreads_of(const StageAttempt& attempt);

bool has_value(const Spread& spread);  // one of the tasks has a value that is not 0

// "▁▂█ ▁": one character a bucket, as high as its share of the fullest; a bucket with a task is never blank, and one without always is. In
// ASCII the heights are . : - = + * # @.
std::string bars(const std::vector<std::size_t>& buckets, Glyphs glyphs);

// "36.8 MiB", "1,000,000", "1.5", "17 ms", "0.41 ms"
std::string measure_text(std::int64_t value, DetailUnit unit);
std::string measure_text(Quarters value, DetailUnit unit);

// "shuffle_read_records" -> "shuffle read records", "cpu_time_ns" -> "CPU time"
std::string metric_words(std::string_view name);

DetailUnit detail_unit(Unit unit);

}  // namespace stagegate
