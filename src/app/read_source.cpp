#include "app/read_source.h"

#include <fmt/format.h>

#include "ingest/read_log.h"
#include "sys/file.h"

namespace stagegate {

Result<Application> read_source(const std::string& source) {
  const auto path = absolute_path(source, current_folder());
  const auto name = path.substr(path.find_last_of('/') + 1);
  if (is_folder(path)) {
    return read_log_folder(*open_folder(path), name);
  }
  if (!is_file(path)) {
    return fail(ErrorKind::evidence, fmt::format("{}: there is no such file or folder", source));
  }
  STAGEGATE_TRY_ASSIGN(file, open_file(path));
  return read_log_file(std::move(file), name);
}

}  // namespace stagegate
