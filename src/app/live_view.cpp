#include "app/live_view.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "base/units.h"

namespace stagegate {
namespace {

std::string plural(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", format_count(count), noun, count == 1 ? "" : "s");
}

}  // namespace

// The last row is the cursor's: what scrolls away cannot be taken away again. The first one is left alone, for there are terminals that
// keep what was on a window that is cleared whole among the lines that scrolled away.
LiveView::LiveView(std::vector<std::string> names, LiveStyle style, Window window)
    : names_(std::move(names)),
      style_(style),
      width_(static_cast<std::size_t>(std::max(window.width, 20))),
      most_lines_(static_cast<std::size_t>(std::max(window.height, 3)) - 2) {}

void LiveView::start(std::size_t index) {
  if (style_ == LiveStyle::plain_lines) {
    fmt::print(stderr, "{}: started\n", names_[index]);
    return;
  }
  running_[index] = {};
  draw();
}

void LiveView::progress(std::size_t index, const JobProgress& progress) {
  if (style_ == LiveStyle::plain_lines) {
    return;
  }
  running_[index] = progress;
  draw();
}

void LiveView::end(std::size_t index, const std::string& how) {
  clear();
  running_.erase(index);
  fmt::print(stderr, "{}: {}\n", names_[index], how);
  if (style_ == LiveStyle::redrawn) {
    draw();
  }
}

void LiveView::clear() {
  if (drawn_lines_ > 0) {
    fmt::print(stderr, "\x1b[{}A\r\x1b[J", drawn_lines_);
    drawn_lines_ = 0;
  }
}

void LiveView::draw() {
  clear();
  const auto shown = running_.size() <= most_lines_ ? running_.size() : most_lines_ - 1;
  for (const auto& [index, progress] : running_) {
    if (drawn_lines_ == shown) {
      break;
    }
    draw_line(fmt::format("{}: {}, {}, {}", names_[index], format_duration(progress.elapsed), plural(progress.stages_completed, "stage"),
                          plural(progress.tasks_ended, "task")));
  }
  if (shown < running_.size()) {
    draw_line(fmt::format("... and {} more run", running_.size() - shown));
  }
  std::fflush(stderr);
}

// A line that wrapped would be two, and clear() would leave one behind.
void LiveView::draw_line(std::string_view line) {
  fmt::print(stderr, "{}\n", line.substr(0, width_ - 1));
  ++drawn_lines_;
}

}  // namespace stagegate
