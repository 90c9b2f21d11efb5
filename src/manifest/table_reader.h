// Reads the keys of one table of a manifest by their type.
//
// Nothing here fails: what is absent, of a wrong type or blank comes back as nothing, and the latter two are noted as problems. Each key
// that is asked for counts as known, so that unknown_keys_are_problems() needs no list: it is called last.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manifest/interpolation.h"
#include "manifest/manifest.h"
#include "manifest/problems.h"
#include "manifest/toml_tree.h"

namespace stagegate::manifest {

// A string with the environment's variables filled in.
struct Text {
  std::string value;
  Position at;
};

struct Integer {
  std::int64_t value = 0;
  Position at;
};

class TableReader {
 public:
  // The file as a whole. All three must outlive the reader and those that it gives.
  TableReader(const Table& file, const ManifestContext& context, Problems& problems);

  // Any string; some_text() wants one that is not blank.
  std::optional<Text> text(std::string_view key, std::string_view wanted = "a string");
  std::optional<Text> some_text(std::string_view key, std::string_view wanted = "a string");
  std::optional<std::vector<Text>> texts(std::string_view key, InsertedBraces braces);
  std::optional<bool> flag(std::string_view key);
  std::optional<Integer> integer(std::string_view key);
  std::optional<Date> date(std::string_view key);
  std::optional<TableReader> table(std::string_view key);
  std::vector<TableReader> tables(std::string_view key);  // [[key]]

  // For tables whose keys are the user's own: every entry, or those that were not asked for so far.
  const std::vector<Entry>& entries() const { return table_->entries; }
  std::vector<const Entry*> other_entries() const;
  std::optional<TableReader> table(const Entry& entry);
  // The text of a string, a number or a boolean: 200, 0.9, 5.0, true.
  std::optional<std::string> scalar(const Entry& entry);
  std::optional<std::string> filled_in(const Value& value, InsertedBraces braces = InsertedBraces::as_they_are);

  bool has(std::string_view key) const { return find(key) != nullptr; }
  // Where the table begins, and the key's place where it is there.
  const Position& at() const { return at_; }
  Position at(std::string_view key) const;
  // "in [jobs.revenue]", "at the top level"
  std::string where() const;
  // "jobs.revenue"
  const std::string& path() const { return path_; }
  const ManifestContext& context() const { return *context_; }

  void problem(const Position& at, std::string_view finding) { problems_->add(at, finding); }
  void wrong_type(const Entry& entry, std::string_view wanted);
  void unknown_key(const Entry& entry);
  void unknown_keys_are_problems();

 private:
  enum class Header : std::uint8_t { none, table, array_of_tables };

  TableReader(const Table& table, const TableReader& parent, Position at, std::string_view key, Header header);

  const Entry* find(std::string_view key) const;
  const Entry* ask(std::string_view key);
  bool is_asked(std::string_view key) const;

  const Table* table_;
  Position at_;
  std::string path_;
  Header header_ = Header::none;
  const ManifestContext* context_;
  Problems* problems_;
  std::vector<std::string> asked_;
};

}  // namespace stagegate::manifest
