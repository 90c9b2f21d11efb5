// Sizes, durations and counts, as people write and read them. Inside, bytes are integers and durations are milliseconds.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace stagegate {

// "1.5 MiB", "10MB", "512 B": kB, MB, GB, TB are powers of 1000, KiB, MiB, GiB, TiB of 1024; case matters only for the i.
// A fraction is allowed where it comes out as a whole number of bytes, or is rounded to the nearest.
// A number without a unit is an error that lists the units; so are negative sizes and such of more than 2^63-1 bytes.
// The error's message has no place in it: the caller knows it.
Result<std::int64_t> parse_size(std::string_view text);

// "90 s", "15 min", "2h", "500 ms", "1.5 h". A number without a unit is an error that lists the units.
Result<std::chrono::milliseconds> parse_duration(std::string_view text);

// For tables: at most 3 significant digits and binary units: "0 B", "1.04 KiB", "36.8 MiB", "512 MiB".
std::string format_bytes(std::int64_t bytes);
// For sentences that must be exact: "36,756 B".
std::string format_bytes_exact(std::int64_t bytes);
// "1,000,000"
std::string format_count(std::int64_t count);
// "17 ms", "1.2 s", "3 min 04 s", "1 h 02 min"
std::string format_duration(std::chrono::milliseconds duration);
// A ratio with at most 3 significant digits and no trailing zeros: "8.04", "5", "412".
std::string format_ratio(double ratio);
// "2026-11-29T17:45:13Z" for milliseconds since 1970.
std::string format_utc(std::int64_t epoch_ms);

}  // namespace stagegate
