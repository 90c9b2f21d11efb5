#include "app/watch_report.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "app/console.h"
#include "app/read_address.h"
#include "app/read_source.h"
#include "base/units.h"
#include "report/terminal.h"
#include "sys/machine.h"

namespace stagegate {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kLeastPause = std::chrono::seconds(1);
// Of the time that a reading takes: a driver has other things to do than to answer us.
constexpr int kPauseFactor = 4;
// The cursor to the upper left corner, and everything below it away.
constexpr std::string_view kFreshScreen = "\x1b[H\x1b[2J";

class Watch {
 public:
  Watch(SparkServer& server, const ServedApplication& served, ServerReading reading)
      : server_(server), served_(served), reading_(std::move(reading)), redraws_(is_terminal(Stream::out)) {}

  int run(const std::function<Result<std::string>(const Application&)>& render) {
    for (;;) {
      const auto start = Clock::now();
      const auto application = server_.read(served_, reading_);
      if (!application) {
        return seen_ms_ ? end_with(application.error()) : report_error(application.error());
      }
      const auto text = render(*application);
      if (!text) {
        return report_error(text.error());
      }
      show(*text, application->end_ms ? State::ended : State::runs);
      if (application->end_ms) {
        return 0;
      }
      std::this_thread::sleep_for(std::max<Clock::duration>(kLeastPause, kPauseFactor * (Clock::now() - start)));
    }
  }

 private:
  enum class State : std::uint8_t { runs, ended };

  void show(const std::string& text, State state) {
    seen_ms_ = now_epoch_ms();
    if (redraws_) {
      print_result(kFreshScreen);
      print_result(state == State::ended ? text : on_one_screen(text));
    } else if (text != shown_) {
      print_result(fmt::format("{}{}", shown_.empty() ? "" : "\n", text));
    }
    shown_ = text;
    flush_results();
  }

  // What is higher than the window would scroll its beginning away, each time anew.
  std::string on_one_screen(const std::string& text) const {
    constexpr std::size_t kRowsBelow = 3;  // an empty one, the line with the time, and the one that the cursor is in
    const auto rows = static_cast<std::size_t>(std::max(terminal_height(Stream::out), 0));
    return fmt::format("{}\nread at {}; the application runs, Ctrl-C ends the watch\n",
                       fit_to_window(text, std::max(rows, kRowsBelow) - kRowsBelow, static_cast<std::size_t>(terminal_width(Stream::out))),
                       format_utc(*seen_ms_));
  }

  int end_with(const Error& error) const {
    print_message(
        fmt::format("the application ended, or its UI went away, after {}, when the last report was read; its event log has the rest ({})",
                    format_utc(*seen_ms_), error.message));
    return 0;
  }

  SparkServer& server_;
  const ServedApplication& served_;
  ServerReading reading_;
  bool redraws_;
  std::optional<std::int64_t> seen_ms_;
  std::string shown_;
};

}  // namespace

int watch_report(const SourceOptions& source, const std::function<Result<std::string>(const Application&)>& render) {
  const auto server = open_server(source);
  if (!server) {
    return report_error(server.error());
  }
  const auto served = find_served(**server, source);
  if (!served) {
    return report_error(served.error());
  }
  const ServerReading reading{.depth = TaskDepth::judged, .threads = threads_for(source), .route = ServerRoute::rest_only};
  return Watch(**server, *served, reading).run(render);
}

}  // namespace stagegate
