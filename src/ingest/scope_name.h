// The name in an RDD's operation scope, which Spark writes as a text that holds JSON: {"id":"5","name":"Exchange","parent":{...}}
#pragma once

#include <string>
#include <string_view>

namespace stagegate {

// "" where there is none. SCOPE is the text, without the escapes of the JSON around it.
std::string scope_name(std::string_view scope);

}  // namespace stagegate
