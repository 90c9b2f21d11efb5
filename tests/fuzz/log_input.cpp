#include "fuzz/log_input.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace stagegate {
namespace {

// What somebody else calls a part.
std::string strange_part(std::string_view content) {
  auto name = fmt::format("events_{}", content.substr(0, std::min<std::size_t>(content.find('\n'), 24)));
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == '\0'; }, '_');
  return name;
}

std::string name_of(unsigned kind, unsigned number, std::string_view content) {
  switch (kind) {
    case 0:
      return fmt::format("events_{}_a", number);
    case 1:
      return fmt::format("events_{}_a.zstd", number);
    case 2:
      return fmt::format("events_{}_a.compact", number);
    case 3:
      return "appstatus_a";
    case 4:
      return "appstatus_a.inprogress";
    case 5:
      return fmt::format("EVENT_LOG_{}", number);
    case 6:
      return fmt::format("SPARK_VERSION_{}", number);
    case 7:
      return "APPLICATION_COMPLETE";
    case 8:
      return "eventlog";
    case 9:
      return fmt::format("eventlog-2026-11-30--{:02}-00.gz", number % 24);
    case 10:
      return fmt::format("app-{}", number);
    case 11:
      return fmt::format("app-{}.inprogress", number);
    case 12:
      return fmt::format(".events_{}_a.crc", number);
    case 13:
      return strange_part(content);
    case 14:
      return fmt::format("app-{}.zstd", number);
    default:
      return "README";
  }
}

std::string stored(unsigned how, std::string_view content) {
  return how == 1 ? zstd_frame(content) : how == 2 ? zstd_frames(content, 500) : std::string(content);
}

}  // namespace

LogFiles take_log_files(Input& input) {
  LogFiles log;
  for (int i = 0; i < 32 && !input.empty(); ++i) {
    const unsigned how = input.byte();
    const unsigned number = input.byte();
    const auto content = input.sized_text();
    auto& files = (how & 0xC0U) == 0 ? log.files : log.folders[fmt::format("eventlog_v2_{}", how >> 6U)];
    files[name_of(how & 0x0FU, number, content)] = stored((how >> 4U) & 3U, content);
  }
  return log;
}

}  // namespace stagegate
