// The task metrics that stagegate reads, as one table: a new metric is a row here and a key in the reader.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace stagegate {

enum class Metric : std::uint8_t {
  input_bytes,
  output_bytes,
  shuffle_read_bytes,  // remote + local; push-merged and to-disk counters are inside these two already
  shuffle_write_bytes,
  memory_spill_bytes,
  disk_spill_bytes,
  input_records,
  output_records,
  shuffle_read_records,
  shuffle_write_records,
  duration_ms,  // launch to finish of the task; for people to look at, never judged
};

inline constexpr std::size_t kMetricCount = 11;

enum class Unit : std::uint8_t { bytes, records, milliseconds };

struct MetricInfo {
  Metric metric;
  // The name in rules, baselines and reports: "shuffle_read", "shuffle_read_records", "duration_ms".
  std::string_view name;
  Unit unit;
};

inline constexpr std::array<MetricInfo, kMetricCount> kMetrics{{
    {Metric::input_bytes, "input", Unit::bytes},
    {Metric::output_bytes, "output", Unit::bytes},
    {Metric::shuffle_read_bytes, "shuffle_read", Unit::bytes},
    {Metric::shuffle_write_bytes, "shuffle_write", Unit::bytes},
    {Metric::memory_spill_bytes, "memory_spill", Unit::bytes},
    {Metric::disk_spill_bytes, "disk_spill", Unit::bytes},
    {Metric::input_records, "input_records", Unit::records},
    {Metric::output_records, "output_records", Unit::records},
    {Metric::shuffle_read_records, "shuffle_read_records", Unit::records},
    {Metric::shuffle_write_records, "shuffle_write_records", Unit::records},
    {Metric::duration_ms, "duration_ms", Unit::milliseconds},
}};

constexpr std::size_t index_of(Metric metric) {
  return static_cast<std::size_t>(metric);
}

// One value for each metric, indexed by index_of(). Absent where the source does not have the metric: missing is not zero.
template <typename T>
using PerMetric = std::array<std::optional<T>, kMetricCount>;

}  // namespace stagegate
