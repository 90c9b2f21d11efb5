#include "app/read_source.h"

#include <fmt/format.h>

#include "sys/file.h"

namespace stagegate {
namespace {

Result<Application> read_path(const std::string& path, const std::string& name, const ReadOptions& options) {
  if (is_folder(path)) {
    return read_log_folder(*open_folder(path), name, options);
  }
  if (!is_file(path)) {
    return fail(ErrorKind::evidence, "there is no such file or folder");
  }
  STAGEGATE_TRY_ASSIGN(file, open_file(path));
  return read_log_file(std::move(file), name, options);
}

}  // namespace

Result<Application> read_source(const std::string& source, const ReadOptions& options) {
  const auto path = absolute_path(source, current_folder());
  return read_path(path, path.substr(path.find_last_of('/') + 1), options).map_error([&](Error error) {
    // The reader knows the log by its name alone.
    error.message = fmt::format("{}: {}", source, error.message);
    return error;
  });
}

}  // namespace stagegate
