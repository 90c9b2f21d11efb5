// What is in a zip or tar archive, from front to back in one pass: without a disk, without going back, and as it comes from a server.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/byte_source.h"
#include "base/result.h"
#include "ingest/growth_guard.h"

namespace stagegate {

struct ArchiveEntry {
  // As the archive says it, which is only a name: it may be absolute, hold `..`, be there twice. A folder's ends without a slash.
  std::string path;
  bool is_folder = false;
  std::optional<std::uint64_t> bytes;  // what is said in front of the content, if it is; Java's zip files say it behind
};

// Like a log, an archive that is cut off or damaged is not an error: what stands before the place is given, and damage() says what is
// wrong.
class ArchiveReader {
 public:
  struct Archive;
  explicit ArchiveReader(std::unique_ptr<Archive> archive);
  ~ArchiveReader();

  // Nothing at the end, or where the archive cannot be read on. Links and devices are passed over. An encrypted entry is an error.
  Result<std::optional<ArchiveEntry>> next();

  // Of the entry that next() gave last, which need not be read. It may be asked for once, and be read until next() is called again.
  std::unique_ptr<ByteSource> content();

  // "" while all is well. After next() or the content has come to an end: why that was not the end, as the end of a sentence: "the zip
  // archive is cut off in the middle of 'app-1/events_2_app-1'".
  std::string damage() const;

 private:
  std::unique_ptr<Archive> archive_;
};

// The error says that it is neither; NAME is the archive's. A tar archive that is compressed has to be unpacked first (decoder.h).
Result<std::unique_ptr<ArchiveReader>> open_archive(std::unique_ptr<ByteSource> source, std::string_view name,
                                                    const GrowthLimits& limits = {});

}  // namespace stagegate
