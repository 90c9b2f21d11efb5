// Zip and tar archives, on any bytes.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "fuzz/application_checks.h"
#include "fuzz/input.h"
#include "fuzz/require.h"
#include "fuzz/tar_writer.h"
#include "ingest/archive_reader.h"
#include "ingest/read_log.h"
#include "unit/ingest/memory_source.h"

namespace stagegate {
namespace {

// All that can be seen of an archive.
std::string contents(const std::string& archive, std::size_t source_step, std::size_t buffer_bytes) {
  constexpr GrowthLimits kLimits{.plain_bytes = std::uint64_t{1} << 22U, .factor = 100};
  auto reader = open_archive(std::make_unique<MemorySource>(archive, source_step), "logs", kLimits);
  if (!reader) {
    return reader.error().message;
  }
  const auto buffer = std::make_unique<char[]>(buffer_bytes);
  std::string all;
  for (;;) {
    const auto entry = (*reader)->next();
    if (!entry) {
      return all + entry.error().message;
    }
    if (!*entry) {
      return all + ((*reader)->damage().empty() ? "" : "damaged");
    }
    all += (*entry)->path + "\n";
    const auto content = (*reader)->content();
    for (;;) {
      const auto count = content->read(std::span(buffer.get(), buffer_bytes));
      require(count.has_value(), "only a source fails");
      require(*count <= buffer_bytes, "no more is given than was asked for");
      if (*count == 0) {
        break;
      }
      all.append(buffer.get(), *count);
    }
  }
}

void check(std::string archive, bool mend) {
  if (mend) {
    mend_checksums(archive);
  }
  const auto all = contents(archive, std::string::npos, std::size_t{256} * 1024);
  if (all.size() < (std::size_t{1} << 16U)) {
    require_same(contents(archive, 13, 100), all, "the same comes out for all sizes of reads");
  }
  for (const auto* app : {"", "latest", "local-1"}) {
    ReadOptions options;
    options.depth = TaskDepth::all;
    if (*app != '\0') {
      options.choice.app = app;
    }
    check_result(read_log_file(std::make_unique<MemorySource>(archive), "logs", options));
  }
  list_logs_in_file(std::make_unique<MemorySource>(archive), "logs");
}

}  // namespace
}  // namespace stagegate

// The first byte says whether the checksums of a tar archive are mended, without which hardly a change of one would go further.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  stagegate::Input input(data, size);
  const bool mend = (input.byte() & 1U) != 0;
  stagegate::check(std::string(input.rest()), mend);
  return 0;
}
