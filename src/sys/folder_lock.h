// A folder that one stagegate at a time writes to.
#pragma once

#include <string>

#include "base/result.h"

namespace stagegate {

// Holds LOCK_FILE while it lives, so that two stagegates do not write one report folder.
class FolderLock {
 public:
  static Result<FolderLock> take(const std::string& lock_file);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace stagegate
