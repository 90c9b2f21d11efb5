// Lines to events. What is checked besides that all lines are survived: a line says the same whatever came before it, whatever lies behind
// it in memory, whichever of the two parsers reads it, and whether its end was looked for or came while it was read; and events come out of
// a batch as they went in.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "fuzz/application_checks.h"
#include "fuzz/input.h"
#include "fuzz/require.h"
#include "ingest/application_builder.h"
#include "ingest/event_batch.h"
#include "ingest/event_parser.h"
#include "ingest/line_splitter.h"
#include "ingest/task_end_line.h"
#include "unit/ingest/describe.h"

namespace stagegate {
namespace {

using namespace std::literals;

// A line with what must be readable behind it: a line feed, and then what a parser that ran over the end would take for more of it.
class PaddedLine {
 public:
  explicit PaddedLine(std::string_view line, char behind = '"') : size_(line.size()), bytes_(line) {
    bytes_ += '\n';
    bytes_.append(kLinePadding - 1, behind);
  }

  std::string_view view() const { return std::string_view(bytes_).substr(0, size_); }

 private:
  std::size_t size_;
  std::string bytes_;
};

bool same(const TaskEnd& a, const TaskEnd& b) {
  return a.stage == b.stage && a.attempt == b.attempt && a.partition == b.partition && a.attempt_number == b.attempt_number &&
         a.task_id == b.task_id && a.launched_ms == b.launched_ms && a.kind == b.kind && a.speculative == b.speculative &&
         a.executor == b.executor && a.host == b.host && a.reason == b.reason && a.error_class == b.error_class && a.error == b.error &&
         a.numbers.values == b.numbers.values && a.numbers.present == b.numbers.present;
}

// What an application looks like that this event alone made.
std::string text_of(Event event) {
  ApplicationBuilder builder(TaskDepth::all);
  builder.add(event);
  return describe(std::move(builder).finish().application);
}

// What is between the beginning of the accumulables and the metrics is passed over by TaskEndLine. Without it a line has to be one that the
// general parser takes.
std::optional<std::string> without_accumulables(std::string_view line) {
  constexpr auto kAccumulables = "\"Accumulables\":["sv;
  constexpr auto kMetrics = "\"Task Metrics\":{"sv;
  const auto begin = line.find(kAccumulables);
  const auto end = line.rfind(kMetrics);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) {
    return std::nullopt;
  }
  return std::string(line.substr(0, begin + kAccumulables.size())) + "]}," + std::string(line.substr(end));
}

// Whether the part that TaskEndLine passes over holds a key that the general parser would look at: such a line was not written by Spark,
// which writes each key once, and the accumulables last.
bool has_second_keys(std::string_view line) {
  const auto begin = line.find("\"Accumulables\":["sv);
  const auto end = line.rfind("\"Task Metrics\":{"sv);
  const auto passed_over = line.substr(begin, end - begin);
  for (const auto key : {"\"Stage ID\""sv, "\"Stage Attempt ID\""sv, "\"Task End Reason\""sv, "\"Task Info\""sv, "\"Task Metrics\""sv,
                         "\"Task ID\""sv, "\"Index\""sv, "\"Attempt\""sv, "\"Partition ID\""sv, "\"Launch Time\""sv, "\"Executor ID\""sv,
                         "\"Host\""sv, "\"Speculative\""sv, "\"Getting Result Time\""sv, "\"Finish Time\""sv}) {
    if (passed_over.find(key) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

// Only the parser for all JSON takes a line that begins with a space inside.
class GeneralParser {
 public:
  explicit GeneralParser(TaskDepth depth) : parser_(depth) {}

  LineKind parse(std::string_view line, Event& event) {
    line_.emplace("{ " + std::string(line.substr(1)), 'x');
    return parser_.parse(line_->view(), event);
  }

 private:
  EventParser parser_;
  std::optional<PaddedLine> line_;
};

void check_task_end(std::string_view line, const TaskEnd& task, TaskDepth depth) {
  GeneralParser general(depth);
  Event event;
  const auto shorter = without_accumulables(line);
  require(shorter.has_value(), "a task end has accumulables and metrics");
  require(general.parse(*shorter, event) == LineKind::event && same(std::get<TaskEnd>(event), task),
          "the line without its accumulables says the same to the general parser");
  const auto kind = general.parse(line, event);
  // What is passed over is held to be JSON by its quotes and brackets alone.
  if (kind != LineKind::malformed && !has_second_keys(line)) {
    require(kind == LineKind::event && same(std::get<TaskEnd>(event), task), "the line says the same to the general parser");
  }
}

class LineCheck {
 public:
  explicit LineCheck(TaskDepth depth) : depth_(depth), parser_(depth), task_end_line_(depth), built_(depth), built_by_batch_(depth) {}

  // TEXT is the line at the front of LINES.
  void take(std::string_view text, std::string_view lines) {
    const PaddedLine line(text);
    Event event;
    check_first(text, lines);
    const auto kind = parser_.parse(line.view(), event);
    TaskEnd task;
    const bool is_plain_task = task_end_line_.parse(line.view(), task);
    check_alone(text, kind, event);
    if (is_plain_task) {
      require(kind == LineKind::event && same(std::get<TaskEnd>(event), task), "a plain task end is an event");
      check_task_end(text, task, depth_);
    } else if (text.starts_with('{')) {
      check_general(text, kind, event);
    }
    if (kind == LineKind::event) {
      auto copy = event;
      batch_.add(copy, text.size());
      built_.add(event);
    }
  }

  void finish() {
    require(batch_.empty() || batch_.bytes() > 0, "events take room");
    batch_.replay([&](Event& event) { built_by_batch_.add(event); });
    require(batch_.empty(), "a batch is empty when it was replayed");
    const auto built = std::move(built_).finish();
    check_values(built.application);
    require_same(describe(built.application), describe(std::move(built_by_batch_).finish().application),
                 "events come out of a batch as they went in");
  }

 private:
  // The end of a line that came while it was read is its end, and the line says what it says alone.
  void check_first(std::string_view text, std::string_view lines) {
    const PaddedLine all(lines);
    Event event;
    const auto size = parser_.parse_first(all.view(), event);
    if (size > 0) {
      require(size == text.size() && size < lines.size(), "a line that is taken from the front ends with its line feed");
      check_alone(text, LineKind::event, event);
    }
  }

  // Whatever came before, and whatever lies behind it.
  void check_alone(std::string_view text, LineKind kind, const Event& event) {
    const PaddedLine line(text, '}');
    EventParser parser(depth_);
    Event alone;
    require(parser.parse(line.view(), alone) == kind, "a line is of the same kind alone");
    require(kind != LineKind::event || text_of(alone) == text_of(event), "a line says the same alone");
  }

  void check_general(std::string_view text, LineKind kind, const Event& event) {
    GeneralParser general(depth_);
    Event other;
    const auto other_kind = general.parse(text, other);
    // The start of a task is held to be JSON by its quotes and brackets alone.
    if (kind == LineKind::ignored && other_kind == LineKind::malformed && text.starts_with(R"({"Event":"SparkListenerTaskStart",)")) {
      return;
    }
    require(kind == other_kind, "a line is of the same kind to the general parser");
    require(kind != LineKind::event || text_of(other) == text_of(event), "a line says the same to the general parser");
  }

  TaskDepth depth_;
  EventParser parser_;
  TaskEndLine task_end_line_;
  EventBatch batch_;
  ApplicationBuilder built_;
  ApplicationBuilder built_by_batch_;
};

void check_lines(std::string_view text, TaskDepth depth) {
  LineCheck check(depth);
  for (bool more = true; more;) {
    const auto end = text.find('\n');
    more = end != std::string_view::npos;
    check.take(text.substr(0, end), text);
    text.remove_prefix(more ? end + 1 : text.size());
  }
  check.finish();
}

}  // namespace
}  // namespace stagegate

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const stagegate::Input input(data, size);
  stagegate::check_lines(input.rest(), stagegate::TaskDepth::judged);
  stagegate::check_lines(input.rest(), stagegate::TaskDepth::all);
  return 0;
}
