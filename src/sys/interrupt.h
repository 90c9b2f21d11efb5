// ^C and SIGTERM, as something that can be polled.
#pragma once

#include <optional>

namespace stagegate {

// From now on SIGINT and SIGTERM are noted instead of ending the process; a second one of either ends it at once with 128 + its number.
void watch_interrupts();

// The first signal that came, if any.
std::optional<int> interrupt_signal();

// Readable as soon as a signal came: for poll().
int interrupt_descriptor();

}  // namespace stagegate
