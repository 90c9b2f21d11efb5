// Takes the known keys out of a TOML table; what is left over is an unknown key. Every mistake goes to the Problems, and a value that is
// missing or of a wrong type reads as absent.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/document.h"
#include "rules/problems.h"

namespace stagegate {

enum class Need : std::uint8_t { required, optional };

class TableReader {
 public:
  // WHERE is how messages name the table: "[parameters.factor]"; "" for the file itself. AT is where a missing key is told.
  TableReader(const DocumentTable& table, Place at, std::string where, Problems& problems)
      : table_(table), at_(at), where_(std::move(where)), problems_(problems) {}

  // Null where it is absent; an absent required key is a problem.
  const DocumentEntry* entry(std::string_view key, Need need);

  // Null where it is absent or of another type.
  template <typename T>
  const DocumentEntry* entry_of(std::string_view key, Need need, std::string_view wanted) {
    const auto* found = entry(key, need);
    if (found != nullptr && !std::holds_alternative<T>(found->value.value)) {
      problems_.add(found->value.at, type_mistake(key, wanted, found->value));
      return nullptr;
    }
    return found;
  }

  // A string, trimmed; an empty one is a problem.
  std::optional<std::string> text(std::string_view key, Need need);
  std::optional<bool> truth(std::string_view key, Need need);
  // One of CHOICES, by index.
  std::optional<std::size_t> choice(std::string_view key, Need need, const std::vector<std::string>& choices);
  // A number that is not negative.
  std::optional<double> number(std::string_view key, Need need);
  const DocumentEntry* table(std::string_view key, Need need) { return entry_of<DocumentTable>(key, need, "a table"); }
  const DocumentEntry* array(std::string_view key, Need need) { return entry_of<DocumentArray>(key, need, "an array"); }

  // Tells of every key that nobody asked for.
  void refuse_others();

  const std::string& where() const { return where_; }

 private:
  static std::string type_mistake(std::string_view key, std::string_view wanted, const DocumentValue& found);
  std::string in_where() const;

  const DocumentTable& table_;
  Place at_;
  std::string where_;
  Problems& problems_;
  std::vector<std::string> asked_;
};

}  // namespace stagegate
