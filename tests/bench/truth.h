// What a made log holds, counted while it is made: a report has to find the same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace stagegate::bench {

enum class Planted : std::uint8_t {
  input_bytes,
  input_records,
  output_bytes,
  output_records,
  shuffle_read_bytes,
  shuffle_read_records,
  shuffle_write_bytes,
  shuffle_write_records,
};
inline constexpr std::size_t kPlantedCount = 8;

struct Sums {
  std::array<std::int64_t, kPlantedCount> values{};

  std::int64_t& of(Planted planted) { return values[static_cast<std::size_t>(planted)]; }
  std::int64_t of(Planted planted) const { return values[static_cast<std::size_t>(planted)]; }
};

struct StageTruth {
  std::int64_t id = 0;
  std::int64_t tasks = 0;
  std::int64_t shortest_ms = 0;
  std::int64_t longest_ms = 0;
  Sums sums;
};

struct Truth {
  std::string application;
  std::uint64_t lines = 0;
  std::uint64_t uncompressed_bytes = 0;
  std::int64_t tasks = 0;
  std::vector<StageTruth> stages;  // those that ran
};

// As JSON, with the keys of a report's stages.
void write_truth(Truth truth, const std::filesystem::path& path);

}  // namespace stagegate::bench
