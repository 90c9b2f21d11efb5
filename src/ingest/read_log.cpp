#include "ingest/read_log.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/counted_source.h"
#include "ingest/archive_logs.h"
#include "ingest/archive_reader.h"
#include "ingest/byte_form.h"
#include "ingest/decoder.h"
#include "ingest/log_assembly.h"
#include "ingest/log_parts.h"
#include "ingest/peeked_decoder.h"
#include "ingest/peeked_source.h"
#include "ingest/read_parts.h"

namespace stagegate {
namespace {

// The decoded bytes of a file, and whether they are an archive's.
struct OpenedFile {
  std::unique_ptr<ByteSource> archive;
  std::unique_ptr<Decoder> log;
};

Result<OpenedFile> open_log_file(std::unique_ptr<ByteSource> source, std::string_view name) {
  auto peeked = std::make_unique<PeekedSource>(std::move(source));
  STAGEGATE_TRY_ASSIGN(begin, peeked->peek(kFormBytes));
  if (form_of(begin) == ByteForm::zip) {
    return OpenedFile{std::move(peeked), nullptr};
  }
  STAGEGATE_TRY_ASSIGN(decoder, open_decoder(std::move(peeked), name));
  auto decoded = std::make_unique<PeekedDecoder>(std::move(decoder));
  STAGEGATE_TRY_ASSIGN(decoded_begin, decoded->peek(kTarBlockBytes));
  if (is_tar(decoded_begin)) {
    return OpenedFile{std::move(decoded), nullptr};
  }
  return OpenedFile{nullptr, std::move(decoded)};
}

// A source that is one log may be another application's than the one that was asked for.
Result<Application> chosen_only(Result<Application> application, const LogChoice& choice, std::string_view name) {
  if (!application || !choice.any()) {
    return application;
  }
  const LogHead head{std::string(name), application->id, application->name, application->attempt, application->start_ms};
  STAGEGATE_TRY(choose({&head, 1}, choice, fmt::format("'{}'", name)));
  return application;
}

PartsConsumer feed(LogAssembly& assembly) {
  return {.on_event = [&](Event& event) { assembly.add(event); },
          .on_part_end = [&](const LogPart& part, const PartSummary& summary) { assembly.end_part(part.name, summary); }};
}

Result<Application> read_single_log(std::unique_ptr<Decoder> decoder, std::string_view name, const ReadOptions& options) {
  LogAssembly assembly(LogAssembly::Layout::single, options.depth, options.threads);
  const LogPart part{std::string(name), [&decoder](StoredProgress&) -> Result<std::unique_ptr<Decoder>> { return std::move(decoder); }};
  STAGEGATE_TRY(read_parts({&part, 1}, options.depth, options.threads, feed(assembly)));
  return std::move(assembly).finish(parts_of_file(name), options.idle, name);
}

std::vector<LogPart> parts_in(const Folder& folder, std::span<const std::string> names) {
  std::vector<LogPart> parts;
  for (const auto& name : names) {
    parts.push_back({name, [&folder, name](StoredProgress& progress) -> Result<std::unique_ptr<Decoder>> {
                       STAGEGATE_TRY_ASSIGN(source, folder.open(name));
                       progress.size = source->size();
                       return open_decoder(std::make_unique<CountedSource>(std::move(source), progress.read), name);
                     }});
  }
  return parts;
}

Result<Application> read_log_of_parts(const Folder& folder, LogParts layout, std::string_view name, const ReadOptions& options) {
  LogAssembly assembly(LogAssembly::Layout::parts, options.depth, options.threads);
  STAGEGATE_TRY(read_parts(parts_in(folder, layout.names), options.depth, options.threads, feed(assembly)));
  return std::move(assembly).finish(std::move(layout), options.idle, name);
}

// A log in a folder that is none itself.
struct FoundLog {
  std::string name;
  std::optional<LogParts> parts;  // of a folder
};

Result<std::vector<FoundLog>> find_logs(const Folder& folder, std::span<const FolderEntry> entries) {
  std::vector<FoundLog> logs;
  for (const auto& entry : entries) {
    if (entry.name.starts_with('.')) {
      continue;
    }
    if (!entry.is_folder) {
      logs.push_back({entry.name, std::nullopt});
      continue;
    }
    STAGEGATE_TRY_ASSIGN(subfolder, folder.folder(entry.name));
    STAGEGATE_TRY_ASSIGN(inner, subfolder->list());
    if (auto parts = parts_of_log(inner)) {
      logs.push_back({entry.name, std::move(parts)});
    }
  }
  std::sort(logs.begin(), logs.end(), [](const FoundLog& a, const FoundLog& b) { return a.name < b.name; });
  return logs;
}

// Reads up to the start of the application. A file that is no log has an unknown head.
Result<LogHead> head_of(std::span<const LogPart> parts, std::string_view log) {
  LogHead head{.log = std::string(log), .id = {}, .name = {}, .attempt = {}, .start_ms = {}};
  PartReader reader;
  for (const auto& part : parts.first(std::min<std::size_t>(parts.size(), 1))) {
    StoredProgress progress;
    STAGEGATE_TRY_ASSIGN(decoder, part.open(progress));
    STAGEGATE_TRY(reader.read(*decoder, [&](Event& event, std::size_t) { return !take_head(head, event); }));
  }
  return head;
}

Result<LogHead> head_of(const Folder& folder, const FoundLog& log) {
  if (!log.parts) {
    return head_of(parts_in(folder, {&log.name, 1}), log.name);
  }
  STAGEGATE_TRY_ASSIGN(subfolder, folder.folder(log.name));
  return head_of(parts_in(*subfolder, log.parts->names), log.name);
}

struct KnownLog {
  FoundLog log;
  LogHead head;
};

// Files that lie beside logs and do not begin like one are left out, unless nothing does.
Result<std::vector<KnownLog>> find_known_logs(const Folder& folder, std::span<const FolderEntry> entries, const LogChoice& choice) {
  STAGEGATE_TRY_ASSIGN(found, find_logs(folder, entries));
  std::vector<KnownLog> logs;
  for (auto& log : found) {
    const LogHead unknown{log.name, {}, {}, {}, {}};
    // Of a single one nobody asks which it is.
    auto head = found.size() == 1 && !choice.any() ? unknown : head_of(folder, log).value_or(unknown);
    logs.push_back({std::move(log), std::move(head)});
  }
  const auto is_log = [](const KnownLog& known) { return known.log.parts || known.head.known(); };
  if (std::any_of(logs.begin(), logs.end(), is_log)) {
    std::erase_if(logs, [&](const KnownLog& known) { return !is_log(known); });
  }
  return logs;
}

std::vector<LogHead> heads_of(std::span<const KnownLog> logs) {
  std::vector<LogHead> heads;
  for (const auto& known : logs) {
    heads.push_back(known.head);
  }
  return heads;
}

Result<Application> read_found_log(const Folder& folder, const FoundLog& log, const ReadOptions& options) {
  if (log.parts) {
    STAGEGATE_TRY_ASSIGN(subfolder, folder.folder(log.name));
    return read_log_of_parts(*subfolder, *log.parts, log.name, options);
  }
  STAGEGATE_TRY_ASSIGN(source, folder.open(log.name));
  return read_log_file(std::move(source), log.name, options);
}

}  // namespace

Result<Application> read_log_file(std::unique_ptr<ByteSource> source, std::string_view name, const ReadOptions& options) {
  STAGEGATE_TRY_ASSIGN(opened, open_log_file(std::move(source), name));
  if (opened.archive) {
    return read_archived_log(std::move(opened.archive), name, options.depth, options.choice);
  }
  return chosen_only(read_single_log(std::move(opened.log), name, options), options.choice, name);
}

Result<Application> read_log_folder(const Folder& folder, std::string_view name, const ReadOptions& options) {
  STAGEGATE_TRY_ASSIGN(entries, folder.list());
  if (auto parts = parts_of_log(entries)) {
    return chosen_only(read_log_of_parts(folder, *std::move(parts), name, options), options.choice, name);
  }
  const ReadOptions of_one{.depth = options.depth, .threads = options.threads, .choice = {}, .idle = options.idle};
  if (options.choice.log) {
    // Its name is all that is asked for: nobody has to look into the others.
    STAGEGATE_TRY_ASSIGN(found, find_logs(folder, entries));
    const auto named = std::find_if(found.begin(), found.end(), [&](const FoundLog& log) { return log.name == *options.choice.log; });
    if (named != found.end()) {
      return read_found_log(folder, *named, of_one);
    }
  }
  STAGEGATE_TRY_ASSIGN(logs, find_known_logs(folder, entries, options.choice));
  if (logs.empty()) {
    return fail(ErrorKind::evidence, fmt::format("the folder '{}' holds no event log", name));
  }
  if (logs.size() == 1 && !options.choice.any()) {
    return read_found_log(folder, logs.front().log, options);
  }
  if (logs.size() > 1 &&
      std::none_of(logs.begin(), logs.end(), [](const KnownLog& known) { return known.log.parts || known.head.known(); })) {
    return fail(
        ErrorKind::evidence,
        fmt::format("the folder '{}' holds {} files, and none of them begins as an event log does; name the log", name, logs.size()));
  }
  STAGEGATE_TRY_ASSIGN(chosen, choose(heads_of(logs), options.choice, fmt::format("the folder '{}'", name)));
  return read_found_log(folder, logs[chosen].log, of_one);
}

Result<std::vector<LogHead>> list_logs_in_file(std::unique_ptr<ByteSource> source, std::string_view name) {
  STAGEGATE_TRY_ASSIGN(opened, open_log_file(std::move(source), name));
  if (opened.archive) {
    return list_archived_logs(std::move(opened.archive), name);
  }
  return std::vector<LogHead>{LogHead{std::string(name), {}, {}, {}, {}}};
}

Result<std::vector<LogHead>> list_logs_in_folder(const Folder& folder, std::string_view name) {
  STAGEGATE_TRY_ASSIGN(entries, folder.list());
  if (parts_of_log(entries)) {
    return std::vector<LogHead>{LogHead{std::string(name), {}, {}, {}, {}}};
  }
  STAGEGATE_TRY_ASSIGN(logs, find_known_logs(folder, entries, {}));
  return heads_of(logs);
}

}  // namespace stagegate
