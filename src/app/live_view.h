// What a person sees of running variants, on stderr: a line each that is redrawn where stderr is a terminal, else a plain line at each
// start and end.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "run/run_jobs.h"

namespace stagegate {

enum class LiveStyle { plain_lines, redrawn };

class LiveView {
 public:
  // Of the terminal, in code points and rows.
  struct Window {
    int width = 80;
    int height = 24;
  };

  // NAMES[i] is what variant i is called: "revenue/adaptive".
  LiveView(std::vector<std::string> names, LiveStyle style, Window window);

  void start(std::size_t index);
  void progress(std::size_t index, const JobProgress& progress);
  // How the run ended, in a few words.
  void end(std::size_t index, const std::string& how);

  // Takes the live lines away so that something else can be printed; the next progress draws them again.
  void clear();

 private:
  void draw();
  void draw_line(std::string_view line);

  std::vector<std::string> names_;
  LiveStyle style_;
  std::size_t width_;
  std::size_t most_lines_;
  std::map<std::size_t, JobProgress> running_;
  std::size_t drawn_lines_ = 0;
};

}  // namespace stagegate
