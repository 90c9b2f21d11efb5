// The mistakes of one file, collected, so that all are told at once.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace stagegate {

// Line and column count from 1.
struct Place {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

class Problems {
 public:
  explicit Problems(std::string file) : file_(std::move(file)) {}

  void add(Place place, std::string message) { list_.push_back({place, std::move(message)}); }
  bool empty() const { return list_.empty(); }

  // One line each, "FILE:line:col: message", in the order of the file. Kind: usage.
  Error error() const;

 private:
  struct Problem {
    Place place;
    std::string message;
  };

  std::string file_;
  std::vector<Problem> list_;
};

}  // namespace stagegate
