#include "model/job_variant.h"

#include <fmt/format.h>

namespace stagegate {

std::string to_string(const Position& position) {
  return position.line == 0 ? position.file : fmt::format("{}:{}:{}", position.file, position.line, position.column);
}

}  // namespace stagegate
