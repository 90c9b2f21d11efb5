// Threads where there may be none to be had: containers and users have a limit of them.
#pragma once

#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace stagegate {

// Adds COUNT threads that do WORK to THREADS, or as many as the system gives.
template <typename Work>
void start_threads(std::vector<std::thread>& threads, int count, Work work) {
  threads.reserve(threads.size() + static_cast<std::size_t>(count));
  try {
    for (int i = 0; i < count; ++i) {
      threads.emplace_back(work);
    }
  } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch)
    // Those that run do the work of the others.
  }
}

}  // namespace stagegate
