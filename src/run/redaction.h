// Keeps the secrets of a planned process out of what is shown and kept of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "run/command_line.h"

namespace stagegate {

// Hides the values that have a secret name, in their own place and in command lines and variables that repeat them.
class Redaction {
 public:
  explicit Redaction(const PlannedProcess& process);

  // Text that may hold a secret somewhere; cleaned.
  std::string text(std::string_view raw) const;
  // The value of a property or variable called NAME.
  std::string value(std::string_view name, std::string_view raw) const;

 private:
  void note(std::string_view name, const std::string& value);

  std::vector<std::string> secrets_;
};

}  // namespace stagegate
