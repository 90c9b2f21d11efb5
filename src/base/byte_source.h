// Where bytes come from, so that the core reads logs without touching a file system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace stagegate {

// A stream of bytes that is read once, from front to back.
class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  // Fills at most buffer.size() bytes and returns how many; 0 at the end only.
  virtual Result<std::size_t> read(std::span<char> buffer) = 0;

  // About how many bytes it gives in all; 0 where that is not known before.
  virtual std::uint64_t size() const { return 0; }
};

struct FolderEntry {
  std::string name;  // without the folder
  bool is_folder = false;
};

// A folder that can be listed and whose files can be opened.
class Folder {
 public:
  Folder() = default;
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  virtual ~Folder() = default;

  // In no particular order.
  virtual Result<std::vector<FolderEntry>> list() const = 0;
  virtual Result<std::unique_ptr<ByteSource>> open(std::string_view name) const = 0;
  virtual Result<std::unique_ptr<Folder>> folder(std::string_view name) const = 0;
};

}  // namespace stagegate
