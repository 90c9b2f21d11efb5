#include "bench/truth.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include <fmt/format.h>

namespace stagegate::bench {
namespace {

std::string render(const Sums& sums) {
  return fmt::format(R"("bytes":{{"input":{},"output":{},"shuffle_read":{},"shuffle_write":{}}},)"
                     R"("records":{{"input":{},"output":{},"shuffle_read":{},"shuffle_write":{}}})",
                     sums.of(Planted::input_bytes), sums.of(Planted::output_bytes), sums.of(Planted::shuffle_read_bytes),
                     sums.of(Planted::shuffle_write_bytes), sums.of(Planted::input_records), sums.of(Planted::output_records),
                     sums.of(Planted::shuffle_read_records), sums.of(Planted::shuffle_write_records));
}

std::string render(const StageTruth& stage) {
  return fmt::format(R"({{"id":{},"tasks":{},{},"duration_ms":{{"min":{},"max":{}}}}})", stage.id, stage.tasks, render(stage.sums),
                     stage.shortest_ms, stage.longest_ms);
}

Sums sum_of(const std::vector<StageTruth>& stages) {
  Sums all;
  for (const auto& stage : stages) {
    for (std::size_t i = 0; i < kPlantedCount; ++i) {
      all.values[i] += stage.sums.values[i];
    }
  }
  return all;
}

}  // namespace

void write_truth(Truth truth, const std::filesystem::path& path) {
  std::sort(truth.stages.begin(), truth.stages.end(), [](const StageTruth& a, const StageTruth& b) { return a.id < b.id; });
  std::ofstream file(path);
  file << fmt::format(R"({{"application":"{}","lines":{},"uncompressed_bytes":{},"tasks":{},{},"stages":[)", truth.application, truth.lines,
                      truth.uncompressed_bytes, truth.tasks, render(sum_of(truth.stages)));
  const char* separator = "\n";
  for (const auto& stage : truth.stages) {
    file << separator << render(stage);
    separator = ",\n";
  }
  file << "\n]}\n";
  if (!file.flush()) {
    throw std::runtime_error(fmt::format("{}: cannot be written", path.string()));
  }
}

}  // namespace stagegate::bench
