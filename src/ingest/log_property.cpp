#include "ingest/log_property.h"

#include <memory>
#include <utility>
#include <variant>

#include "ingest/decoder.h"
#include "ingest/log_parts.h"
#include "ingest/part_reader.h"

namespace stagegate {
namespace {

Result<std::optional<std::string>> property_in(std::unique_ptr<ByteSource> source, std::string_view name, std::string_view key) {
  STAGEGATE_TRY_ASSIGN(decoder, open_decoder(std::move(source), name));
  std::optional<std::string> found;
  const auto take = [&](Event& event, std::size_t) {
    const auto* environment = std::get_if<EnvironmentUpdate>(&event);
    if (environment == nullptr) {
      return true;
    }
    if (const auto property = environment->spark_properties.find(std::string(key)); property != environment->spark_properties.end()) {
      found = property->second;
    }
    return false;
  };
  PartReader reader;
  STAGEGATE_TRY(reader.read(*decoder, take));
  return found;
}

}  // namespace

Result<std::optional<std::string>> spark_property_of(const Folder& folder, const FolderEntry& entry, std::string_view key) {
  if (!entry.is_folder) {
    STAGEGATE_TRY_ASSIGN(file, folder.open(entry.name));
    return property_in(std::move(file), entry.name, key);
  }
  STAGEGATE_TRY_ASSIGN(inner, folder.folder(entry.name));
  STAGEGATE_TRY_ASSIGN(entries, inner->list());
  const auto parts = parts_of_log(entries);
  if (!parts || parts->names.empty()) {
    return std::nullopt;
  }
  STAGEGATE_TRY_ASSIGN(first, inner->open(parts->names.front()));
  return property_in(std::move(first), parts->names.front(), key);
}

}  // namespace stagegate
