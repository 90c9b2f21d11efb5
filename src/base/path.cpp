#include "base/path.h"

#include <filesystem>

namespace stagegate {

std::string absolute_path(const std::string& path, const std::string& base) {
  auto normal = (std::filesystem::path(base) / path).lexically_normal().string();
  while (normal.size() > 1 && normal.back() == '/') {
    normal.pop_back();
  }
  return normal;
}

std::string display_path(const std::string& path, const std::string& base) {
  const auto relative = std::filesystem::path(path).lexically_relative(base);
  return relative.empty() || *relative.begin() == ".." ? path : relative.string();
}

}  // namespace stagegate
