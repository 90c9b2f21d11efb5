#include "rules/table_reader.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"

namespace stagegate {

std::string TableReader::type_mistake(std::string_view key, std::string_view wanted, const DocumentValue& found) {
  return fmt::format("'{}' must be {}, not {}", key, wanted, type_name(found));
}

std::string TableReader::in_where() const {
  return where_.empty() ? std::string() : " in " + where_;
}

const DocumentEntry* TableReader::entry(std::string_view key, Need need) {
  asked_.emplace_back(key);
  const auto found = std::find_if(table_.begin(), table_.end(), [&](const DocumentEntry& one) { return one.key == key; });
  if (found != table_.end()) {
    return &*found;
  }
  if (need == Need::required) {
    problems_.add(at_, fmt::format("'{}' is missing{}", key, in_where()));
  }
  return nullptr;
}

std::optional<std::string> TableReader::text(std::string_view key, Need need) {
  const auto* found = entry_of<std::string>(key, need, "a string");
  if (found == nullptr) {
    return std::nullopt;
  }
  const auto text = trim(std::get<std::string>(found->value.value));
  if (text.empty()) {
    problems_.add(found->value.at, fmt::format("'{}' is empty", key));
    return std::nullopt;
  }
  return std::string(text);
}

std::optional<bool> TableReader::truth(std::string_view key, Need need) {
  const auto* found = entry_of<bool>(key, need, "true or false");
  return found == nullptr ? std::nullopt : std::optional(std::get<bool>(found->value.value));
}

std::optional<std::size_t> TableReader::choice(std::string_view key, Need need, const std::vector<std::string>& choices) {
  const auto* found = entry_of<std::string>(key, need, "a string");
  if (found == nullptr) {
    return std::nullopt;
  }
  const auto& text = std::get<std::string>(found->value.value);
  const auto chosen = std::find(choices.begin(), choices.end(), text);
  if (chosen == choices.end()) {
    problems_.add(found->value.at,
                  fmt::format("'{}' must be one of {}, not '{}'{}", key, join(choices, ", "), text, did_you_mean(text, choices)));
    return std::nullopt;
  }
  return static_cast<std::size_t>(chosen - choices.begin());
}

std::optional<double> TableReader::number(std::string_view key, Need need) {
  const auto* found = entry(key, need);
  if (found == nullptr) {
    return std::nullopt;
  }
  const auto* integer = std::get_if<std::int64_t>(&found->value.value);
  const auto* real = std::get_if<double>(&found->value.value);
  if (integer == nullptr && real == nullptr) {
    problems_.add(found->value.at, type_mistake(key, "a number", found->value));
    return std::nullopt;
  }
  const double number = integer != nullptr ? static_cast<double>(*integer) : *real;
  if (!std::isfinite(number) || number < 0) {
    problems_.add(found->value.at, fmt::format("'{}' must be 0 or more, not {}", key, number));
    return std::nullopt;
  }
  return number;
}

void TableReader::refuse_others() {
  for (const auto& entry : table_) {
    if (std::find(asked_.begin(), asked_.end(), entry.key) == asked_.end()) {
      problems_.add(entry.at, fmt::format("unknown key '{}'{}{}", entry.key, in_where(), did_you_mean(entry.key, asked_)));
    }
  }
}

}  // namespace stagegate
