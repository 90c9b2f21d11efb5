// The rest of what the machine tells: clock, environment, terminal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace stagegate {

std::int64_t now_epoch_ms();
std::string today_utc();  // "2026-11-29"
std::optional<std::string> environment_variable(const std::string& name);

// Large pieces of memory go back to the machine as soon as they are not needed, instead of leaving holes for the rest of a process that
// reads a log once. What is not so large is kept for the next piece: to have it cleared anew each time takes longer than to fill it.
void return_large_memory();

// Cores that this process may use; at least 1.
int core_count();

// Whether this runs in CI: CI is set and not empty, "false" or "0", or TF_BUILD is set (as cargo-insta decides it).
bool is_ci();

enum class Stream { out, err };
bool is_terminal(Stream stream);
int terminal_width(Stream stream);   // 80 where it cannot be told
int terminal_height(Stream stream);  // 24 where it cannot be told

// A name that no other run has: for markers.
std::string unique_name();

}  // namespace stagegate
