// The errors of one manifest, collected so that all are shown at once.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/job_variant.h"

namespace stagegate::manifest {

class Problems {
 public:
  void add(const Position& at, std::string_view finding);

  // Success, or every problem as "file:line:col: finding", a line each, in the order of the file.
  Status status() const;

 private:
  std::vector<std::pair<Position, std::string>> problems_;
};

}  // namespace stagegate::manifest
