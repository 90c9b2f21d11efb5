// What the files that call the system for files have in common. Private to sys/.
#pragma once

#include <unistd.h>

#include <string>
#include <system_error>
#include <utility>

namespace stagegate {

// The system's words for an errno.
inline std::string reason(int error_number) {
  return std::generic_category().message(error_number);
}

// A file descriptor that is closed once.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  // Whether all went well: a network file system may report a full disk only here.
  bool close() { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

}  // namespace stagegate
