// Which of several logs is meant: a folder or an archive may hold many applications.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ingest/events.h"

namespace stagegate {

// What the first events of a log say of its application; all absent where they do not.
struct LogHead {
  std::string log;  // its name in the source
  std::optional<std::string> id;
  std::optional<std::string> name;
  std::optional<std::string> attempt;
  std::optional<std::int64_t> start_ms;

  bool known() const { return id || name || start_ms; }
};

// Takes what EVENT says; true when the head is known.
bool take_head(LogHead& head, const Event& event);

struct LogChoice {
  std::optional<std::string> app;  // an id, "<id>/<attempt>", a name, or "latest"
  std::optional<std::string> log;  // LogHead::log

  bool any() const { return app || log; }
  // Whether HEAD could be the one, as far as it alone can say: "latest" never rules one out.
  bool allows(const LogHead& head) const;
};

// The index of the one that is meant. SOURCE says what holds the logs: "the folder 'spark-events'". The error (kind usage, where there are
// several or none of that name) has a table of them.
Result<std::size_t> choose(std::span<const LogHead> logs, const LogChoice& choice, std::string_view source);

}  // namespace stagegate
