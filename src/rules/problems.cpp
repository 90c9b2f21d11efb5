#include "rules/problems.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "base/text.h"

namespace stagegate {

Error Problems::error() const {
  auto sorted = list_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
  });
  std::vector<std::string> lines;
  lines.reserve(sorted.size());
  for (const auto& problem : sorted) {
    lines.push_back(fmt::format("{}:{}:{}: {}", file_, problem.place.line, problem.place.column, problem.message));
  }
  return {ErrorKind::usage, join(lines, "\n")};
}

}  // namespace stagegate
