// Files and folders. Every error names the path and the system's reason.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_source.h"
#include "base/path.h"  // IWYU pragma: export
#include "base/result.h"

namespace stagegate {

Result<std::string> read_file(const std::string& path, ErrorKind kind);

Status make_folders(const std::string& path);
Status remove_tree(const std::string& path);
// A file, a symbolic link itself, or a folder that is empty; that there is none is no error. Kind: output.
Status remove_one(const std::string& path);
bool is_file(const std::string& path);
bool is_folder(const std::string& path);
bool is_executable(const std::string& path);

// Names in a folder, sorted.
Result<std::vector<std::string>> list_folder(const std::string& path);

Result<std::unique_ptr<ByteSource>> open_file(const std::string& path);
std::unique_ptr<Folder> open_folder(const std::string& path);
std::unique_ptr<ByteSource> open_standard_input();

// Of a file, or of all files below a folder, as far as they can be looked at.
struct TreeState {
  std::uint64_t bytes = 0;
  std::optional<std::int64_t> last_write_epoch_ms;  // of the file that was last written to
};
TreeState look_at_tree(const std::string& path);

std::string current_folder();

// At most MAX_BYTES from the end of a file.
Result<std::string> read_tail(const std::string& path, std::size_t max_bytes);

}  // namespace stagegate
