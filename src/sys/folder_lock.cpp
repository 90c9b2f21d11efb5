#include "sys/folder_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "sys/descriptor.h"
#include "sys/file.h"

namespace stagegate {
namespace {

// A lock that belongs to the open file, as flock(2)'s does; that one's header has the name of ours.
bool try_lock(const Descriptor& descriptor) {
  struct flock whole_file {};
  whole_file.l_type = F_WRLCK;
  whole_file.l_whence = SEEK_SET;
  return ::fcntl(descriptor.number(), F_OFD_SETLK, &whole_file) == 0;
}

}  // namespace

Result<FolderLock> FolderLock::take(const std::string& lock_file) {
  const auto folder = std::filesystem::path(lock_file).parent_path().string();
  if (!folder.empty()) {
    STAGEGATE_TRY(make_folders(folder));
  }
  Descriptor descriptor(::open(lock_file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (descriptor.number() < 0) {
    return fail(ErrorKind::output, fmt::format("cannot write '{}': {}", lock_file, reason(errno)));
  }
  if (!try_lock(descriptor)) {
    if (errno != EAGAIN && errno != EACCES) {
      return fail(ErrorKind::output, fmt::format("cannot lock '{}': {}", lock_file, reason(errno)));
    }
    return fail(ErrorKind::output, fmt::format("'{}' is in use by another stagegate; wait for it, or give this one a folder of its own",
                                               folder.empty() ? "." : folder));
  }
  return FolderLock(descriptor.release());
}

FolderLock::FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

}  // namespace stagegate
