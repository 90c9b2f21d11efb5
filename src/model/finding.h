// What a rule says of a stage or of a run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stagegate {

enum class Level : std::uint8_t { off, warning, error };

// "off", "warning", "error"
std::string_view to_string(Level level);

// How a finding's value is printed: 8.04x, 36.8 MiB, 200, 31 %.
enum class ValueUnit : std::uint8_t { ratio, bytes, count, percent };

struct Finding {
  std::string rule;
  Level level = Level::error;
  std::string stage_label;        // "" for a finding of the run
  std::string stage_fingerprint;  // "" for a finding of the run
  std::int32_t stage_id = -1;     // this run's number
  // How bad it is, in thousandths, so that baselines hold integers; larger is worse.
  std::int64_t value_thousandths = 0;
  ValueUnit unit = ValueUnit::ratio;
  // Where an accepted finding is worse than it was: beyond this many thousandths of the accepted value (100: a tenth more).
  std::int64_t tolerance_thousandths = 0;
  std::string message;  // one line with the numbers
  std::string advice;   // what to do, one or several lines
  // Its rule compares with the baseline. Accepting it writes the new numbers into the baseline, where it is gone: it is never
  // kept there as a known one.
  bool compares_with_baseline = false;
  // Its rule holds several runs of the job against each other, which a single run cannot: it is never kept in a baseline either.
  bool compares_runs = false;
  // Where the job ran several times: how often, in how many of these runs it is, and the smallest value of these; the value is the largest.
  std::int64_t runs = 1;
  std::int64_t fired_runs = 1;
  std::int64_t least_thousandths = 0;
};

// Whether a baseline can keep it: what rests on more than one run of now is not there with the next.
bool can_be_accepted(const Finding& finding);

// How a value stands to an accepted one: beyond it on either side by more than TOLERANCE_THOUSANDTHS of it, exactly, or not.
enum class Moved : std::uint8_t { better, within, worse };
Moved moved(std::int64_t accepted, std::int64_t now, std::int64_t tolerance_thousandths);

// "8.04x", "36.8 MiB", "200", "31 %"
std::string format_value(std::int64_t thousandths, ValueUnit unit);

}  // namespace stagegate
