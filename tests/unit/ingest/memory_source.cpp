#include "unit/ingest/memory_source.h"

#include <algorithm>
#include <cstring>

#include <zstd.h>

namespace stagegate {

Result<std::size_t> MemorySource::read(std::span<char> buffer) {
  const auto count = std::min({buffer.size(), step_, bytes_.size() - given_});
  std::memcpy(buffer.data(), bytes_.data() + given_, count);
  given_ += count;
  return count;
}

Result<std::size_t> FailingSource::read(std::span<char> buffer) {
  auto count = MemorySource::read(buffer);
  return *count > 0 ? count : fail(ErrorKind::evidence, "the disk is on fire");
}

std::vector<FolderEntry> entries_of(const std::vector<std::string>& names) {
  std::vector<FolderEntry> entries;
  for (const auto& name : names) {
    entries.push_back({name, false});
  }
  return entries;
}

Result<std::vector<FolderEntry>> MemoryFolder::list() const {
  std::vector<FolderEntry> entries;
  for (const auto& [name, content] : folders_) {
    entries.push_back({name, true});
  }
  for (const auto& [name, content] : files_) {
    entries.push_back({name, false});
  }
  std::reverse(entries.begin(), entries.end());
  return entries;
}

Result<std::unique_ptr<ByteSource>> MemoryFolder::open(std::string_view name) const {
  const auto found = files_.find(std::string(name));
  if (found == files_.end()) {
    return fail(ErrorKind::evidence, "no file " + std::string(name));
  }
  return std::make_unique<MemorySource>(found->second);
}

Result<std::unique_ptr<Folder>> MemoryFolder::folder(std::string_view name) const {
  const auto found = folders_.find(std::string(name));
  if (found == folders_.end()) {
    return fail(ErrorKind::evidence, "no folder " + std::string(name));
  }
  return std::make_unique<MemoryFolder>(found->second);
}

std::string zstd_frame(std::string_view plain) {
  std::string frame(ZSTD_compressBound(plain.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), plain.data(), plain.size(), 1));
  return frame;
}

std::string zstd_frames(std::string_view plain, std::size_t bytes_a_frame) {
  std::string frames;
  for (; !plain.empty(); plain.remove_prefix(std::min(bytes_a_frame, plain.size()))) {
    frames += zstd_frame(plain.substr(0, bytes_a_frame));
  }
  return frames;
}

}  // namespace stagegate
