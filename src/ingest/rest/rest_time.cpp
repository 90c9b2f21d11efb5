#include "ingest/rest/rest_time.h"

#include <charconv>
#include <chrono>

namespace stagegate {
namespace {

// Digits only; -1 where there is anything else.
int number_at(std::string_view text, std::size_t begin, std::size_t size) {
  const auto part = text.substr(begin, size);
  if (part.find_first_not_of("0123456789") != std::string_view::npos) {
    return -1;
  }
  int number = -1;
  std::from_chars(part.data(), part.data() + part.size(), number);
  return number;
}

bool has_separators(std::string_view text) {
  return text[4] == '-' && text[7] == '-' && text[10] == 'T' && text[13] == ':' && text[16] == ':' && text[19] == '.' &&
         text.substr(23) == "GMT";
}

}  // namespace

std::optional<std::int64_t> parse_rest_time(std::string_view text) {
  constexpr std::string_view kForm = "2015-02-03T16:43:05.829GMT";
  if (text.size() != kForm.size() || !has_separators(text)) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date(std::chrono::year(number_at(text, 0, 4)),
                                         std::chrono::month(static_cast<unsigned>(number_at(text, 5, 2))),
                                         std::chrono::day(static_cast<unsigned>(number_at(text, 8, 2))));
  const int hours = number_at(text, 11, 2);
  const int minutes = number_at(text, 14, 2);
  const int seconds = number_at(text, 17, 2);
  const int milliseconds = number_at(text, 20, 3);
  const bool good = number_at(text, 0, 4) >= 0 && date.ok() && hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60 && seconds >= 0 &&
                    seconds < 60 && milliseconds >= 0;
  if (!good) {
    return std::nullopt;
  }
  const std::chrono::milliseconds since_1970 = std::chrono::sys_days(date).time_since_epoch() + std::chrono::hours(hours) +
                                               std::chrono::minutes(minutes) + std::chrono::seconds(seconds) +
                                               std::chrono::milliseconds(milliseconds);
  return since_1970.count();
}

}  // namespace stagegate
