// Whether what was read is the whole of what happened, as far as the events themselves tell. Spark drops events when its queue is full, and
// a server forgets what is old; a stage that lacks tasks looks like one that got lighter.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingest/application_builder.h"
#include "model/application.h"

namespace stagegate {

// What is known of the log itself before its events are looked at.
struct LogState {
  bool in_progress = false;  // marked so by its name: still being written, or its driver was killed
  // Since something was last written to it, where that is known: what is in progress and rests for long is dead.
  std::optional<std::chrono::milliseconds> idle = {};
  bool parts_gone = false;  // parts are missing or were compacted, which explains events that are missing
};

// What a server of the REST API says of an application besides its events.
struct ServerState {
  bool running = false;  // it has not ended, as far as the server knows
  // "stage 3.0 has 90000 of 100000": attempts whose task list has fewer rows than the server counted ends.
  std::vector<std::string> lacking_tasks = {};
};

enum class EvidenceSource : std::uint8_t { log, server };

// One problem a code, each a sentence with its numbers and what it means; their advice is advise()'s.
std::vector<EvidenceProblem> find_holes(const Application& application, const LostEvents& lost, const LogState& state,
                                        const MisplacedEvents& misplaced = {});
std::vector<EvidenceProblem> find_holes(const Application& application, const LostEvents& lost, const ServerState& state,
                                        const MisplacedEvents& misplaced);

// Gives each problem what to do about it, by its code.
void advise(std::vector<EvidenceProblem>& problems, EvidenceSource source = EvidenceSource::log);

}  // namespace stagegate
