#include "ingest/scope_name.h"

namespace stagegate {

// Spark writes id, name and parent in this order, so that the first name is the scope's own.
std::string scope_name(std::string_view scope) {
  constexpr std::string_view kKey = R"("name":")";
  std::string name;
  const auto key = scope.find(kKey);
  if (key == std::string_view::npos) {
    return name;
  }
  for (auto i = key + kKey.size(); i < scope.size() && scope[i] != '"'; ++i) {
    if (scope[i] == '\\' && i + 1 < scope.size() && (scope[i + 1] == '"' || scope[i + 1] == '\\')) {
      ++i;
    }
    name += scope[i];
  }
  return name;
}

}  // namespace stagegate
