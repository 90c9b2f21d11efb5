// What the JSON documents of a report share: the values' forms, the members of an application and of a stage attempt, and how a document is
// written. Only the files that write JSON include this: it brings Boost.JSON with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

#include "model/application.h"
#include "model/finding.h"
#include "model/stage.h"

namespace stagegate {

namespace json = boost::json;

template <typename T>
json::value or_null(const std::optional<T>& value) {
  return value ? json::value(*value) : json::value(nullptr);
}

json::value text_or_null(std::string_view text);

json::array ids_json(const std::vector<std::int64_t>& ids);

// Whole numbers stay integers; the quantiles of two neighbours may have a fraction.
json::value number_json(Quarters value);

json::object application_json(const Application& application);
json::object evidence_json(const Evidence& evidence);

// The members that a stage attempt has in stagegate.report/1. KEY is that of its stage, empty where it has none.
json::object attempt_json(const StageAttempt& attempt, const StageKey& key);

// ATTEMPT is the one that the finding is shown with, absent where it is about the whole run.
json::object finding_json(const Finding& finding, const std::optional<std::int32_t>& attempt);

// Writes a document with a line a member and a line an element of a list, so that it can be read, searched and compared.
class DocumentWriter {
 public:
  void member(std::string_view key, const json::value& value);

  // ELEMENT(i) is the element I, of COUNT. Each is written as soon as it is made, so that a long list is never there as a whole; THREADS of
  // them are at work at a time.
  void list(std::string_view key, std::size_t count, const std::function<json::value(std::size_t)>& element, int threads = 1);

  // The same of elements that are there.
  void list(std::string_view key, const json::array& elements);

  std::string finish() &&;

 private:
  void begin_member(std::string_view key);
  void write_list(std::string_view key, std::size_t count, const std::function<void(std::size_t, std::string&)>& write_element,
                  int threads);

  std::string text_ = "{";
};

// The same of a document that is there.
std::string write_document(const json::object& document);

}  // namespace stagegate
