// Logs without a disk: bytes and folders that live in memory.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/byte_source.h"

namespace stagegate {

// Gives the bytes in steps of at most STEP.
class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string bytes, std::size_t step = std::string::npos) : bytes_(std::move(bytes)), step_(step) {}
  Result<std::size_t> read(std::span<char> buffer) override;

 private:
  std::string bytes_;
  std::size_t step_;
  std::size_t given_ = 0;
};

// Fails where it should be at its end.
class FailingSource : public MemorySource {
 public:
  using MemorySource::MemorySource;
  Result<std::size_t> read(std::span<char> buffer) override;
};

// Files of these names.
std::vector<FolderEntry> entries_of(const std::vector<std::string>& names);

using MemoryFiles = std::map<std::string, std::string>;

class MemoryFolder : public Folder {
 public:
  explicit MemoryFolder(MemoryFiles files, std::map<std::string, MemoryFiles> folders = {})
      : files_(std::move(files)), folders_(std::move(folders)) {}

  Result<std::vector<FolderEntry>> list() const override;
  Result<std::unique_ptr<ByteSource>> open(std::string_view name) const override;
  Result<std::unique_ptr<Folder>> folder(std::string_view name) const override;

 private:
  MemoryFiles files_;
  std::map<std::string, MemoryFiles> folders_;
};

std::string zstd_frame(std::string_view plain);

// A frame for every BYTES_A_FRAME bytes, as Spark makes one at every flush.
std::string zstd_frames(std::string_view plain, std::size_t bytes_a_frame);

}  // namespace stagegate
