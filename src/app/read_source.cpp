#include "app/read_source.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/read_address.h"
#include "app/reading_progress.h"
#include "ingest/read_log.h"
#include "ingest/spark_address.h"
#include "sys/file.h"
#include "sys/machine.h"

namespace stagegate {
namespace {

constexpr std::string_view kStandardInput = "-";

struct Place {
  std::string path;
  std::string name;  // the path without its folders
  std::uint64_t bytes = 0;
  std::optional<std::chrono::milliseconds> idle;  // since something was last written there
};

Place place_of(const SourceOptions& source) {
  Place place;
  place.path = absolute_path(source.source, current_folder());
  place.name = place.path.substr(place.path.find_last_of('/') + 1);
  const auto tree = look_at_tree(place.path);
  place.bytes = tree.bytes;
  if (tree.last_write_epoch_ms) {
    place.idle = std::chrono::milliseconds(std::max<std::int64_t>(now_epoch_ms() - *tree.last_write_epoch_ms, 0));
  }
  return place;
}

// The reader knows the log by its name alone.
Error with_place(const SourceOptions& source, Error error) {
  if (source.source != kStandardInput) {
    error.message = fmt::format("{}: {}", source.source, error.message);
  }
  return error;
}

ReadOptions read_options(const SourceOptions& source, TaskDepth depth, LogChoice choice) {
  return {.depth = depth, .threads = threads_for(source), .choice = std::move(choice), .idle = {}};
}

tl::unexpected<Error> not_there() {
  return fail(ErrorKind::evidence, "there is no such file or folder");
}

Result<Application> read_place(const Place& place, ReadOptions options) {
  options.idle = place.idle;
  ReadingProgress progress(place.bytes);
  if (is_folder(place.path)) {
    return read_log_folder(*progress.watch(open_folder(place.path)), place.name, options);
  }
  if (!is_file(place.path)) {
    return not_there();
  }
  STAGEGATE_TRY_ASSIGN(file, open_file(place.path));
  return read_log_file(progress.watch(std::move(file)), place.name, options);
}

Result<std::vector<LogHead>> list_place(const Place& place) {
  if (is_folder(place.path)) {
    return list_logs_in_folder(*open_folder(place.path), place.name);
  }
  if (!is_file(place.path)) {
    return not_there();
  }
  STAGEGATE_TRY_ASSIGN(file, open_file(place.path));
  return list_logs_in_file(std::move(file), place.name);
}

}  // namespace

int threads_for(const SourceOptions& source) {
  return source.threads > 0 ? source.threads : core_count();
}

Result<Application> read_source(const SourceOptions& source, TaskDepth depth) {
  if (is_address(source.source)) {
    return read_address(source, depth);
  }
  const auto options = read_options(source, depth, {.app = source.app, .log = {}});
  auto application = source.source == kStandardInput ? read_log_file(open_standard_input(), "standard input", options)
                                                     : read_place(place_of(source), options);
  return std::move(application).map_error([&](Error error) { return with_place(source, std::move(error)); });
}

Status read_all_of_source(const SourceOptions& source, TaskDepth depth,
                          const std::function<void(const Result<Application>&)>& on_application) {
  if (is_address(source.source)) {
    return read_all_of_address(source, depth, on_application);
  }
  if (source.source == kStandardInput) {
    return fail(ErrorKind::usage,
                "--all-apps reads its source more than once, which standard input does not allow; save it to a file first");
  }
  const auto place = place_of(source);
  const auto logs = list_place(place);
  if (!logs) {
    return tl::unexpected(with_place(source, logs.error()));
  }
  if (logs->empty()) {
    return tl::unexpected(with_place(source, Error{ErrorKind::evidence, "the folder holds no event log"}));
  }
  for (const auto& log : *logs) {
    const LogChoice choice = logs->size() == 1 ? LogChoice() : LogChoice{.app = {}, .log = log.log};
    on_application(read_place(place, read_options(source, depth, choice)).map_error([&](Error error) {
      return with_place(source, std::move(error));
    }));
  }
  return {};
}

}  // namespace stagegate
