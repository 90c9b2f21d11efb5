// Times as Spark's REST API writes them: "2015-02-03T16:43:05.829GMT".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace stagegate {

// In milliseconds since 1970; none where it is no time. "1969-12-31T23:59:59.999GMT", which stands for a time that has not come, is -1.
std::optional<std::int64_t> parse_rest_time(std::string_view text);

}  // namespace stagegate
