#include "sys/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "sys/descriptor.h"

namespace stagegate {
namespace {

namespace fs = std::filesystem;

Result<Descriptor> open_for_reading(const std::string& path, ErrorKind kind) {
  Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (descriptor.number() < 0) {
    return fail(kind, fmt::format("cannot open '{}': {}", path, reason(errno)));
  }
  return descriptor;
}

// As read(2), but not to be interrupted.
ssize_t read_some(int descriptor, char* buffer, std::size_t size) {
  ssize_t count = 0;
  do {
    count = ::read(descriptor, buffer, size);
  } while (count < 0 && errno == EINTR);
  return count;
}

Result<std::string> read_rest(const Descriptor& descriptor, const std::string& path, ErrorKind kind, std::size_t max_bytes) {
  std::string bytes;
  std::array<char, 65536> buffer;
  while (bytes.size() < max_bytes) {
    const auto count = read_some(descriptor.number(), buffer.data(), std::min(buffer.size(), max_bytes - bytes.size()));
    if (count < 0) {
      return fail(kind, fmt::format("cannot read '{}': {}", path, reason(errno)));
    }
    if (count == 0) {
      break;
    }
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return bytes;
}

class FileSource : public ByteSource {
 public:
  FileSource(Descriptor descriptor, std::string path) : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    const auto count = read_some(descriptor_.number(), buffer.data(), buffer.size());
    if (count < 0) {
      return fail(ErrorKind::evidence, fmt::format("cannot read '{}': {}", path_, reason(errno)));
    }
    return static_cast<std::size_t>(count);
  }

  std::uint64_t size() const override {
    struct stat status {};
    return ::fstat(descriptor_.number(), &status) == 0 && S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
  }

 private:
  Descriptor descriptor_;
  std::string path_;
};

class DiskFolder : public Folder {
 public:
  explicit DiskFolder(std::string path) : path_(std::move(path)) {}

  Result<std::vector<FolderEntry>> list() const override {
    std::vector<FolderEntry> entries;
    STAGEGATE_TRY_ASSIGN(names, list_folder(path_));
    for (auto& name : names) {
      const bool is_subfolder = is_folder(child(name));
      entries.push_back({std::move(name), is_subfolder});
    }
    return entries;
  }

  Result<std::unique_ptr<ByteSource>> open(std::string_view name) const override { return open_file(child(name)); }
  Result<std::unique_ptr<Folder>> folder(std::string_view name) const override { return open_folder(child(name)); }

 private:
  std::string child(std::string_view name) const { return (fs::path(path_) / name).string(); }

  std::string path_;
};

}  // namespace

Result<std::string> read_file(const std::string& path, ErrorKind kind) {
  STAGEGATE_TRY_ASSIGN(descriptor, open_for_reading(path, kind));
  return read_rest(descriptor, path, kind, std::string::npos);
}

Status make_folders(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error && !is_folder(path)) {
    error = std::make_error_code(std::errc::not_a_directory);
  }
  if (error) {
    return fail(ErrorKind::output, fmt::format("cannot make the folder '{}': {}", path, error.message()));
  }
  return {};
}

Status remove_tree(const std::string& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) {
    return fail(ErrorKind::output, fmt::format("cannot remove '{}': {}", path, error.message()));
  }
  return {};
}

Status remove_one(const std::string& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) {
    return fail(ErrorKind::output, fmt::format("cannot remove '{}': {}", path, error.message()));
  }
  return {};
}

bool is_file(const std::string& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  return fs::exists(status) && !fs::is_directory(status);
}

bool is_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool is_executable(const std::string& path) {
  return is_file(path) && ::access(path.c_str(), X_OK) == 0;
}

Result<std::vector<std::string>> list_folder(const std::string& path) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(path, error); !error && entry != fs::directory_iterator(); entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  if (error) {
    return fail(ErrorKind::evidence, fmt::format("cannot list the folder '{}': {}", path, error.message()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::unique_ptr<ByteSource>> open_file(const std::string& path) {
  STAGEGATE_TRY_ASSIGN(descriptor, open_for_reading(path, ErrorKind::evidence));
  ::posix_fadvise(descriptor.number(), 0, 0, POSIX_FADV_SEQUENTIAL);
  return std::make_unique<FileSource>(std::move(descriptor), path);
}

std::unique_ptr<Folder> open_folder(const std::string& path) {
  return std::make_unique<DiskFolder>(path);
}

// Its descriptor is not ours to close: a copy of it is.
std::unique_ptr<ByteSource> open_standard_input() {
  return std::make_unique<FileSource>(Descriptor(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)), "standard input");
}

namespace {

// PATH itself where it is a file, else the files below it, as far as they can be looked at.
template <typename OnFile>
void for_each_file(const std::string& path, OnFile&& on_file) {
  std::error_code error;
  if (fs::is_regular_file(path, error)) {
    on_file(fs::path(path));
    return;
  }
  for (auto entry = fs::recursive_directory_iterator(path, error); !error && entry != fs::recursive_directory_iterator();
       entry.increment(error)) {
    std::error_code unreadable;
    if (entry->is_regular_file(unreadable)) {
      on_file(entry->path());
    }
  }
}

}  // namespace

TreeState look_at_tree(const std::string& path) {
  TreeState tree;
  for_each_file(path, [&](const fs::path& file) {
    struct stat state {};
    if (::stat(file.c_str(), &state) == 0) {
      const auto written_ms = std::int64_t{state.st_mtim.tv_sec} * 1000 + state.st_mtim.tv_nsec / 1'000'000;
      tree.bytes += static_cast<std::uint64_t>(state.st_size);
      tree.last_write_epoch_ms = std::max(tree.last_write_epoch_ms, std::optional(written_ms));
    }
  });
  return tree;
}

std::string current_folder() {
  std::error_code error;
  const auto folder = fs::current_path(error);
  return error ? "." : folder.string();
}

Result<std::string> read_tail(const std::string& path, std::size_t max_bytes) {
  STAGEGATE_TRY_ASSIGN(descriptor, open_for_reading(path, ErrorKind::evidence));
  struct stat state {};
  if (::fstat(descriptor.number(), &state) == 0 && S_ISREG(state.st_mode)) {
    const auto size = static_cast<std::size_t>(state.st_size);
    ::lseek(descriptor.number(), static_cast<off_t>(size - std::min(size, max_bytes)), SEEK_SET);
  }
  return read_rest(descriptor, path, ErrorKind::evidence, max_bytes);
}

}  // namespace stagegate
