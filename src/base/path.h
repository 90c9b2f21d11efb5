// Paths as text: nothing here looks at a file system.
#pragma once

#include <string>

namespace stagegate {

// Joins PATH, which may be absolute already, to BASE and removes "." and ".." and a slash at the end.
std::string absolute_path(const std::string& path, const std::string& base);

// As short as it can be shown: relative where it lies below BASE.
std::string display_path(const std::string& path, const std::string& base);

}  // namespace stagegate
