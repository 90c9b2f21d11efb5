// Folders of logs and their parts. What is checked besides that they are survived: the same comes out for every number of threads, and out
// of an archive of the same files, whatever their order in it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/application_checks.h"
#include "fuzz/log_input.h"
#include "fuzz/require.h"
#include "fuzz/tar_writer.h"
#include "ingest/log_parts.h"
#include "ingest/read_log.h"
#include "unit/ingest/describe.h"

namespace stagegate {
namespace {

ReadOptions options_of(unsigned how) {
  ReadOptions options;
  options.depth = (how & 1U) == 0 ? TaskDepth::judged : TaskDepth::all;
  if ((how & 6U) == 6U) {
    options.choice.app = "latest";
  } else if ((how & 6U) == 4U) {
    options.choice.app = "local-1";
  }
  return options;
}

std::vector<std::string> entries_of(const LogFiles& log) {
  std::vector<std::string> entries;
  for (const auto& [name, content] : log.files) {
    entries.push_back(tar_entry(name, content));
  }
  for (const auto& [folder, files] : log.folders) {
    for (const auto& [name, content] : files) {
      entries.push_back(tar_entry(folder + "/" + name, content));
    }
  }
  return entries;
}

template <typename Entries>
std::string archive_of(const Entries& begin, const Entries& end) {
  std::string archive;
  for (auto entry = begin; entry != end; ++entry) {
    archive += *entry;
  }
  return archive + tar_end();
}

Result<Application> read_archive(std::string archive, const ReadOptions& options) {
  return read_log_file(std::make_unique<MemorySource>(std::move(archive)), "folder", options);
}

// In a folder that is a log, folders are not looked at; nor in a folder of logs those that are none themselves. An archive is looked at as
// a whole.
bool looks_at_all(const LogFiles& log) {
  const auto is_log = [](const MemoryFiles& files) { return parts_of_log(*MemoryFolder(files).list()).has_value(); };
  return log.folders.empty() || (!is_log(log.files) && std::all_of(log.folders.begin(), log.folders.end(),
                                                                   [&](const auto& folder) { return is_log(folder.second); }));
}

void check(const LogFiles& log, ReadOptions options) {
  const MemoryFolder folder(log.files, log.folders);
  const auto result = read_log_folder(folder, "folder", options);
  const auto text = check_result(result);
  options.threads = 3;
  require_same(check_result(read_log_folder(folder, "folder", options)), text, "the same comes out for every number of threads");
  list_logs_in_folder(folder, "folder");

  const auto entries = entries_of(log);
  const auto archived = read_archive(archive_of(entries.begin(), entries.end()), options);
  const auto archived_text = check_result(archived);
  require_same(check_result(read_archive(archive_of(entries.rbegin(), entries.rend()), options)), archived_text,
               "the same comes out for every order of an archive");
  if (result && archived && looks_at_all(log)) {
    require_same(archived_text, text, "the same comes out of a folder and an archive");
  }
}

}  // namespace
}  // namespace stagegate

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  stagegate::Input input(data, size);
  const auto how = input.byte();
  const auto log = stagegate::take_log_files(input);
  stagegate::check(log, stagegate::options_of(how));
  return 0;
}
