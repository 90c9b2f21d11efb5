// ^C, SIGTERM and a terminal that goes away, as something that can be polled.
#pragma once

#include <optional>

namespace stagegate {

// From now on SIGINT, SIGTERM and SIGHUP are noted instead of ending the process; a second one of any kills the groups of all children
// (they are not in ours, so nobody else would) and ends the process at once with 128 + its number. A SIGHUP that is ignored, as nohup has
// it, stays ignored.
void watch_interrupts();

// The first signal that came, if any.
std::optional<int> interrupt_signal();

// Readable as soon as a signal came, and from then on: for poll(). -1 where nothing is watched.
int interrupt_descriptor();

}  // namespace stagegate
