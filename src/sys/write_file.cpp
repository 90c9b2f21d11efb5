#include "sys/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "sys/descriptor.h"
#include "sys/file.h"

namespace stagegate {
namespace {

namespace fs = std::filesystem;

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) {
      return false;
    }
    bytes.remove_prefix(count < 0 ? 0 : static_cast<std::size_t>(count));
  }
  return true;
}

tl::unexpected<Error> cannot_write(const std::string& path, int error_number) {
  return fail(ErrorKind::output, fmt::format("cannot write '{}': {}", path, reason(error_number)));
}

// Devices and pipes cannot be replaced by a file; they are written to.
Status write_in_place(const std::string& path, std::string_view bytes) {
  Descriptor descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (descriptor.number() < 0 || !write_all(descriptor.number(), bytes) || !descriptor.close()) {
    return cannot_write(path, errno);
  }
  return {};
}

// The file that PATH stands for where it is a symbolic link, so that a new file takes the place of the target, not of the link.
std::string behind_links(const std::string& path) {
  std::error_code error;
  const auto target = fs::canonical(path, error);
  return error ? path : target.string();
}

std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> counter{0};
  return fmt::format("{}.tmp-{}-{}", path, ::getpid(), counter++);
}

// The name of a file is safe on disk only once its folder is.
void sync_folder_of(const std::string& path) {
  const auto folder = fs::path(path).parent_path().string();
  const Descriptor descriptor(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.number() >= 0) {
    ::fsync(descriptor.number());
  }
}

using OnStep = std::function<void(WriteStep)>;

// A new file beside TARGET, open for writing, or -1. A process that was killed may have left one of the same name: in containers numbers of
// processes come again.
int make_temporary(const std::string& target, std::string& temporary) {
  constexpr int kMaxTries = 1000;
  int number = -1;
  for (int tries = 0; tries < kMaxTries && number < 0 && (tries == 0 || errno == EEXIST); ++tries) {
    temporary = temporary_name(target);
    number = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  return number;
}

// Fills it; 0, or the system's reason; the caller removes what is left.
int fill_temporary(Descriptor descriptor, std::string_view bytes, std::optional<mode_t> mode, const OnStep& on_step) {
  const auto half = bytes.size() / 2;
  on_step(WriteStep::temporary_made);
  if ((mode && ::fchmod(descriptor.number(), *mode) != 0) || !write_all(descriptor.number(), bytes.substr(0, half))) {
    return errno;
  }
  on_step(WriteStep::half_written);
  if (!write_all(descriptor.number(), bytes.substr(half))) {
    return errno;
  }
  on_step(WriteStep::written);
  if (::fsync(descriptor.number()) != 0 || !descriptor.close()) {
    return errno;
  }
  on_step(WriteStep::synced);
  return 0;
}

}  // namespace

Status write_file(const std::string& path, std::string_view bytes) {
  return write_file(path, bytes, [](WriteStep) {});
}

Status write_file(const std::string& path, std::string_view bytes, const OnStep& on_step) {
  const auto target = behind_links(path);
  struct stat old {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) {
    return cannot_write(path, EISDIR);
  }
  if (exists && !S_ISREG(old.st_mode)) {
    return write_in_place(path, bytes);
  }
  if (const auto folder = fs::path(target).parent_path(); !folder.empty()) {
    STAGEGATE_TRY(make_folders(folder.string()));
  }
  std::string temporary;
  Descriptor descriptor(make_temporary(target, temporary));
  if (descriptor.number() < 0) {
    return cannot_write(path, errno);
  }
  const auto mode = exists ? std::optional<mode_t>(old.st_mode & 07777U) : std::nullopt;
  int problem = fill_temporary(std::move(descriptor), bytes, mode, on_step);
  if (problem == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) {
    problem = errno;
  }
  if (problem != 0) {
    ::unlink(temporary.c_str());
    return cannot_write(path, problem);
  }
  on_step(WriteStep::renamed);
  sync_folder_of(target);
  return {};
}

}  // namespace stagegate
