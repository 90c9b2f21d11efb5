// A file, whatever it is. What is checked besides that it is survived: the same comes out for every number of threads and all sizes of
// reads.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "fuzz/application_checks.h"
#include "fuzz/input.h"
#include "fuzz/require.h"
#include "ingest/read_log.h"
#include "unit/ingest/memory_source.h"

namespace stagegate {
namespace {

std::string read(std::string_view bytes, TaskDepth depth, int threads, std::size_t step) {
  ReadOptions options;
  options.depth = depth;
  options.threads = threads;
  return check_result(read_log_file(std::make_unique<MemorySource>(std::string(bytes), step), "app-1", options));
}

}  // namespace
}  // namespace stagegate

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = stagegate::Input(data, size).rest();
  for (const auto depth : {stagegate::TaskDepth::judged, stagegate::TaskDepth::all}) {
    const auto text = stagegate::read(bytes, depth, 1, std::string::npos);
    stagegate::require_same(stagegate::read(bytes, depth, 2, 61), text, "the same comes out for every number of threads");
  }
  stagegate::list_logs_in_file(std::make_unique<stagegate::MemorySource>(std::string(bytes)), "app-1");
  return 0;
}
