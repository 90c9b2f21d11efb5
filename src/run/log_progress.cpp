#include "run/log_progress.h"

#include "sys/file.h"

namespace stagegate {
namespace {

constexpr std::string_view kStageCompleted = R"({"Event":"SparkListenerStageCompleted")";
constexpr std::string_view kTaskEnd = R"({"Event":"SparkListenerTaskEnd")";
constexpr std::size_t kLongestBegin = kStageCompleted.size();
constexpr std::size_t kChunk = 1U << 18U;
constexpr int kChunksAtOnce = 64;

}  // namespace

void EventCounter::add(std::string_view chunk) {
  while (!chunk.empty()) {
    const auto line_end = chunk.find('\n');
    line_begin_ += chunk.substr(0, line_end).substr(0, kLongestBegin - line_begin_.size());
    if (line_end == std::string_view::npos) {
      return;
    }
    count_line();
    chunk.remove_prefix(line_end + 1);
  }
}

void EventCounter::count_line() {
  stages_completed_ += line_begin_.starts_with(kStageCompleted) ? 1 : 0;
  tasks_ended_ += line_begin_.starts_with(kTaskEnd) ? 1 : 0;
  line_begin_.clear();
}

void LogProgress::read_more() {
  if (!log_) {
    look_for_log();
  }
  if (!log_) {
    return;
  }
  std::string buffer(kChunk, '\0');
  for (int i = 0; i < kChunksAtOnce; ++i) {
    const auto size = log_->read(buffer);
    if (!size || *size == 0) {
      return;  // of a file that grows, the end is the end for now
    }
    counter_.add(std::string_view(buffer).substr(0, *size));
  }
}

void LogProgress::look_for_log() {
  for (const auto& name : list_folder(folder_).value_or(std::vector<std::string>())) {
    const auto path = folder_ + "/" + name;
    if (!name.starts_with('.') && is_file(path)) {
      // The descriptor stays good when Spark takes ".inprogress" off the name.
      log_ = open_file(path).value_or(nullptr);
      return;
    }
  }
}

}  // namespace stagegate
