// What the archive library reads from, and what can be told by the last bytes of an archive: whether it is all there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/byte_source.h"
#include "base/result.h"

namespace stagegate {

class ArchiveFeed {
 public:
  explicit ArchiveFeed(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

  // The next bytes, valid until the next call but one; none at the end, or when there is an error.
  std::string_view next();

  // More than 64 KiB, or all there were.
  std::string last_bytes() const;

  std::uint64_t bytes() const { return bytes_; }

  // Whether more was asked for than there is.
  bool exhausted() const { return exhausted_; }
  const std::optional<Error>& error() const { return error_; }

 private:
  std::unique_ptr<ByteSource> source_;
  std::vector<char> part_;
  std::vector<char> part_before_;
  std::size_t filled_ = 0;
  std::size_t filled_before_ = 0;
  std::uint64_t bytes_ = 0;
  bool ended_ = false;
  bool exhausted_ = false;
  std::optional<Error> error_;
};

// The directory at the end of a zip archive.
struct ZipDirectory {
  std::optional<std::uint64_t> entries;  // nothing where there are 65535 or more: then it is said elsewhere
};

// Nothing if it is missing or cut.
std::optional<ZipDirectory> find_zip_directory(const ArchiveFeed& feed);

// Whether the last whole block of a tar archive is one of the zeros that stand behind its entries.
bool ends_in_zero_block(const ArchiveFeed& feed);

}  // namespace stagegate
