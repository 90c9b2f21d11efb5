// What the JSON documents of a report share: the values' forms, the members of an application and of a stage attempt, and how a document is
// written. Only the files that write JSON include this: it brings Boost.JSON with it.
#pragma once

#include <cstdint>
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

// A line a member and a line an element of a list, so that it can be read, searched and compared.
std::string write_document(const json::object& document);

}  // namespace stagegate
