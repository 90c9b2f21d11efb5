#include "baseline/kept_conf.h"

#include <algorithm>
#include <array>

#include "base/secret.h"

namespace stagegate {
namespace {

constexpr std::string_view kBeginsPath = " \t\n,;=\"'()[]";  // a path may follow these
constexpr std::string_view kEndsPath = " \t\n,;:\"'()[]";

bool is_boundary(std::string_view text, std::size_t position, std::string_view bytes) {
  return position >= text.size() || bytes.find(text[position]) != std::string_view::npos;
}

// Where the path that may begin at POSITION begins after "file:" and "file://"; POSITION itself for a plain one.
std::size_t skip_scheme(std::string_view value, std::size_t position) {
  if (value.substr(position).starts_with("file:///")) {
    return position + 7;
  }
  return value.substr(position).starts_with("file:/") ? position + 5 : position;
}

std::string local_path(std::string_view path, std::string_view manifest_dir) {
  const bool is_below =
      !manifest_dir.empty() && path.starts_with(manifest_dir) && (path.size() == manifest_dir.size() || path[manifest_dir.size()] == '/');
  if (is_below) {
    return "{manifest_dir}" + std::string(path.substr(manifest_dir.size()));
  }
  while (path.ends_with('/')) {
    path.remove_suffix(1);
  }
  return "..." + std::string(path.substr(path.rfind('/')));
}

}  // namespace

std::string without_local_paths(std::string_view value, std::string_view manifest_dir) {
  std::string result;
  std::size_t at = 0;
  while (at < value.size()) {
    const bool may_begin = at == 0 || is_boundary(value, at - 1, kBeginsPath) || (value[at - 1] == ':' && value[at] == '/');
    const auto begin = may_begin ? skip_scheme(value, at) : at;
    const auto end = std::min(value.find_first_of(kEndsPath, begin), value.size());
    const auto path = value.substr(begin, end - begin);
    const bool is_path =
        may_begin && path.starts_with('/') && !path.starts_with("//") && path.find_first_not_of('/') != std::string_view::npos;
    if (is_path) {
      result += value.substr(at, begin - at);
      result += local_path(path, manifest_dir);
      at = end;
    } else {
      result += value[at++];
    }
  }
  return result;
}

std::map<std::string, std::string> kept_conf(const JobVariant& job_variant) {
  std::map<std::string, std::string> kept;
  for (const auto& [key, conf] : job_variant.conf) {
    kept.emplace(key, is_secret_name(key) ? "(redacted)" : without_local_paths(conf.value, job_variant.manifest_dir));
  }
  return kept;
}

}  // namespace stagegate
