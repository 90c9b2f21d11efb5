#include "sys/machine.h"

#include <malloc.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <random>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units.h"

namespace stagegate {
namespace {

int descriptor_of(Stream stream) {
  return stream == Stream::out ? STDOUT_FILENO : STDERR_FILENO;
}

// All 0 where it cannot be told.
winsize terminal_size(Stream stream) {
  winsize size{};
  return ::ioctl(descriptor_of(stream), TIOCGWINSZ, &size) == 0 ? size : winsize{};
}

}  // namespace

std::int64_t now_epoch_ms() {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count();
}

std::string today_utc() {
  return format_utc(now_epoch_ms()).substr(0, 10);
}

std::optional<std::string> environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

void return_large_memory() {
#if defined(__GLIBC__)
  // Plans, which come and go by the thousand, are smaller than this.
  constexpr int kLargeBytes = 4 * 1024 * 1024;
  ::mallopt(M_MMAP_THRESHOLD, kLargeBytes);
  ::mallopt(M_TRIM_THRESHOLD, 2 * kLargeBytes);
#endif
}

int core_count() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  return ::sched_getaffinity(0, sizeof cores, &cores) == 0 ? std::max(CPU_COUNT(&cores), 1) : 1;
}

bool is_ci() {
  const auto ci = to_lower_ascii(environment_variable("CI").value_or(""));
  return (!ci.empty() && ci != "false" && ci != "0") || environment_variable("TF_BUILD").has_value();
}

bool is_terminal(Stream stream) {
  return ::isatty(descriptor_of(stream)) == 1;
}

int terminal_width(Stream stream) {
  constexpr int kUsualWidth = 80;
  const int told = terminal_size(stream).ws_col;
  return told > 0 ? told : kUsualWidth;
}

int terminal_height(Stream stream) {
  constexpr int kUsualHeight = 24;
  const int told = terminal_size(stream).ws_row;
  return told > 0 ? told : kUsualHeight;
}

std::string unique_name() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

}  // namespace stagegate
