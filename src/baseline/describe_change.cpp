#include "baseline/describe_change.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"

namespace stagegate {
namespace {

// How many entries of FROM have no equal in TO.
template <typename T>
std::size_t count_missing(const std::vector<T>& from, const std::vector<T>& to) {
  return static_cast<std::size_t>(
      std::count_if(from.begin(), from.end(), [&](const T& entry) { return std::find(to.begin(), to.end(), entry) == to.end(); }));
}

void add_count(std::vector<std::string>& parts, std::size_t count, std::string_view noun, std::string_view change) {
  if (count > 0) {
    parts.push_back(fmt::format("{} {}{} {}", count, noun, count == 1 ? "" : "s", change));
  }
}

}  // namespace

std::string describe_change(const Baseline& old, const Baseline& now) {
  std::vector<std::string> parts;
  add_count(parts, count_missing(now.findings, old.findings), "finding", "added or changed");
  add_count(parts, count_missing(old.findings, now.findings), "finding", "removed or changed");
  add_count(parts, count_missing(now.stages, old.stages), "stage", "added or changed");
  add_count(parts, count_missing(old.stages, now.stages), "stage", "removed or changed");
  if (!(old.conditions == now.conditions)) {
    parts.emplace_back("conditions changed");
  }
  if (old.schema != now.schema) {
    parts.emplace_back(fmt::format("schema {} in place of {}", now.schema, old.schema));
  } else if (old.actions != now.actions) {
    parts.emplace_back("order of actions changed");
  }
  return join(parts, ", ");
}

std::string describe_new(const Baseline& baseline) {
  std::vector<std::string> parts;
  add_count(parts, baseline.stages.size(), "stage", "kept");
  add_count(parts, baseline.findings.size(), "finding", "accepted");
  return "new: " + join(parts, ", ");
}

}  // namespace stagegate
