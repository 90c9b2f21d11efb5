#include "ingest/read_log.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "ingest/application_builder.h"
#include "ingest/completeness.h"
#include "ingest/decoder.h"
#include "ingest/event_parser.h"
#include "ingest/line_splitter.h"
#include "ingest/log_parts.h"

namespace stagegate {
namespace {

// Small enough that a chunk is still in the processor's second-level cache when its lines are parsed.
constexpr std::size_t kChunkBytes = std::size_t{256} * 1024;

constexpr std::string_view kInProgress = ".inprogress";
constexpr std::string_view kRollingPrefix = "eventlog_v2_";

// Reads the parts of one log, in their order.
class LogReader {
 public:
  // In a rolling log, places are given with the part's name.
  enum class Layout { single, rolling };
  LogReader(Layout layout, const ReadOptions& options) : layout_(layout), parser_(options.depth), builder_(options.depth) {}

  Status read_part(std::unique_ptr<ByteSource> source, std::string_view name);

  // Problems of the layout come first.
  Result<Application> finish(std::vector<EvidenceProblem> problems, LogState state, std::string_view name) &&;

 private:
  void take_line(std::string_view line);
  void take_last_line(std::string_view line, const std::string& damage);
  std::string place(std::int64_t line) const;
  std::optional<EvidenceProblem> broken_lines() const;

  Layout layout_;
  EventParser parser_;
  Event event_;
  ApplicationBuilder builder_;
  Evidence evidence_;
  std::int64_t events_ = 0;
  std::int64_t broken_lines_ = 0;
  std::string first_broken_;  // its place
  std::vector<EvidenceProblem> cuts_;
  std::string part_;
  std::int64_t line_of_part_ = 0;
};

std::string LogReader::place(std::int64_t line) const {
  return layout_ == Layout::rolling ? fmt::format("line {} of {}", line, part_) : fmt::format("line {}", line);
}

void LogReader::take_line(std::string_view line) {
  ++line_of_part_;
  ++evidence_.lines;
  if (trim(line).empty()) {
    return;
  }
  switch (parser_.parse(line, event_)) {
    case LineKind::event:
      builder_.add(event_);
      ++events_;
      return;
    case LineKind::ignored:
      ++events_;
      return;
    case LineKind::unknown:
      ++events_;
      ++evidence_.unknown_events;
      return;
    case LineKind::malformed:
      ++evidence_.malformed_lines;
      break;
  }
  if (broken_lines_++ == 0) {
    first_broken_ = place(line_of_part_);
  }
}

// A log that was cut ends in half a line, if it was not cut between two. A whole one without a line feed is taken as it is.
void LogReader::take_last_line(std::string_view line, const std::string& damage) {
  const auto broken_before = broken_lines_;
  if (!line.empty()) {
    take_line(line);
  }
  const bool half = broken_lines_ > broken_before;
  broken_lines_ = broken_before;
  if (!half && damage.empty()) {
    return;
  }
  const auto where = half ? fmt::format("in the middle of {}", place(line_of_part_)) : fmt::format("behind {}", place(line_of_part_));
  cuts_.push_back({"stream-cut", damage.empty() ? fmt::format("the log ends {}: what followed is missing", where)
                                                : fmt::format("the log ends {}, because {}: what followed is missing", where, damage)});
}

Status LogReader::read_part(std::unique_ptr<ByteSource> source, std::string_view name) {
  part_ = name;
  line_of_part_ = 0;
  STAGEGATE_TRY_ASSIGN(decoder, open_decoder(std::move(source), name));
  LineSplitter splitter(kChunkBytes);
  for (;;) {
    STAGEGATE_TRY_ASSIGN(count, decoder->read(splitter.room()));
    if (count == 0) {
      break;
    }
    splitter.filled(count, [this](std::string_view line) { take_line(line); });
  }
  take_last_line(splitter.finish(), decoder->damage());
  return {};
}

std::optional<EvidenceProblem> LogReader::broken_lines() const {
  if (broken_lines_ == 0) {
    return std::nullopt;
  }
  const auto count = broken_lines_ == 1 ? "1 line is" : fmt::format("{} lines are", broken_lines_);
  return EvidenceProblem{"line-broken", fmt::format("{} broken, the first is {}: what {} said is missing", count, first_broken_,
                                                    broken_lines_ == 1 ? "it" : "they")};
}

Result<Application> LogReader::finish(std::vector<EvidenceProblem> problems, LogState state, std::string_view name) && {
  if (events_ == 0) {
    return fail(ErrorKind::evidence,
                evidence_.lines == 0 ? fmt::format("'{}' is empty: it holds no event of a Spark application", name)
                                     : fmt::format("'{}' is not an event log: none of its {} lines is an event", name, evidence_.lines));
  }
  if (auto broken = broken_lines()) {
    problems.push_back(*std::move(broken));
  }
  problems.insert(problems.end(), cuts_.begin(), cuts_.end());
  auto [application, lost] = std::move(builder_).finish();
  const auto holes = find_holes(application, lost, state);
  problems.insert(problems.end(), holes.begin(), holes.end());
  evidence_.problems = std::move(problems);
  application.evidence = std::move(evidence_);
  return std::move(application);
}

Result<Application> read_rolling_log(const Folder& folder, std::span<const FolderEntry> entries, std::string_view name,
                                     const ReadOptions& options) {
  auto parts = order_parts(entries);
  LogReader reader(LogReader::Layout::rolling, options);
  for (const auto& part : parts.names) {
    STAGEGATE_TRY_ASSIGN(source, folder.open(part));
    STAGEGATE_TRY(reader.read_part(std::move(source), part));
  }
  const LogState state{parts.in_progress, parts.parts_gone};
  return std::move(reader).finish(std::move(parts.problems), state, name);
}

// The logs in a folder that is none itself: its files, and the folders of rolling logs.
std::vector<FolderEntry> find_logs(std::vector<FolderEntry> entries) {
  std::erase_if(entries, [](const FolderEntry& entry) {
    return entry.name.starts_with('.') || (entry.is_folder && !entry.name.starts_with(kRollingPrefix));
  });
  std::sort(entries.begin(), entries.end(), [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
  return entries;
}

std::string list_names(std::span<const FolderEntry> logs) {
  constexpr std::size_t kNamed = 10;
  std::vector<std::string> names;
  for (const auto& log : logs.first(std::min(logs.size(), kNamed))) {
    names.push_back(log.name);
  }
  if (logs.size() > kNamed) {
    names.push_back(fmt::format("and {} more", logs.size() - kNamed));
  }
  return join(names, ", ");
}

}  // namespace

Result<Application> read_log_file(std::unique_ptr<ByteSource> source, std::string_view name, const ReadOptions& options) {
  LogReader reader(LogReader::Layout::single, options);
  STAGEGATE_TRY(reader.read_part(std::move(source), name));
  const LogState state{name.ends_with(kInProgress), false};
  return std::move(reader).finish({}, state, name);
}

Result<Application> read_log_folder(const Folder& folder, std::string_view name, const ReadOptions& options) {
  STAGEGATE_TRY_ASSIGN(entries, folder.list());
  if (is_rolling_log(entries)) {
    return read_rolling_log(folder, entries, name, options);
  }
  const auto logs = find_logs(std::move(entries));
  if (logs.empty()) {
    return fail(ErrorKind::evidence, fmt::format("the folder '{}' holds no event log", name));
  }
  if (logs.size() > 1) {
    return fail(ErrorKind::evidence, fmt::format("the folder '{}' holds {} logs, and one is read at a time; name one of them: {}", name,
                                                 logs.size(), list_names(logs)));
  }
  const auto& log = logs.front();
  if (log.is_folder) {
    STAGEGATE_TRY_ASSIGN(subfolder, folder.folder(log.name));
    return read_log_folder(*subfolder, log.name, options);
  }
  STAGEGATE_TRY_ASSIGN(source, folder.open(log.name));
  return read_log_file(std::move(source), log.name, options);
}

}  // namespace stagegate
