#include "manifest/problems.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "manifest/toml_tree.h"

namespace stagegate::manifest {
namespace {

// A name that the message quotes may hold anything that TOML can write.
std::string one_line(std::string_view text) {
  auto line = clean_text(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

}  // namespace

void Problems::add(const Position& at, std::string_view finding) {
  problems_.emplace_back(at, one_line(fmt::format("{}: {}", to_string(at), finding)));
}

Status Problems::status() const {
  if (problems_.empty()) {
    return {};
  }
  auto sorted = problems_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return is_before(a.first, b.first); });
  std::vector<std::string> lines;
  lines.reserve(sorted.size());
  for (auto& [at, line] : sorted) {
    lines.push_back(std::move(line));
  }
  return fail(ErrorKind::usage, join(lines, "\n"));
}

}  // namespace stagegate::manifest
