// What a person sees of running variants, on stderr: a line each that is redrawn where stderr is a terminal, else a plain line at each
// start and end.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "run/run_jobs.h"

namespace stagegate {

enum class LiveStyle { plain_lines, redrawn };

class LiveView {
 public:
  // NAMES[i] is what variant i is called: "revenue/adaptive".
  LiveView(std::vector<std::string> names, LiveStyle style, int width);

  void start(std::size_t index);
  void progress(std::size_t index, const JobProgress& progress);
  // How the run ended, in a few words.
  void end(std::size_t index, const std::string& how);

  // Takes the live lines away so that something else can be printed; the next progress draws them again.
  void clear();

 private:
  void draw();

  std::vector<std::string> names_;
  LiveStyle style_;
  std::size_t width_;
  std::map<std::size_t, JobProgress> running_;
  std::size_t drawn_lines_ = 0;
};

}  // namespace stagegate
