// The tables `conf` and `env`, whose keys are the user's own.
#pragma once

#include <map>
#include <string>

#include "manifest/table_reader.h"

namespace stagegate::manifest {

// Spark's properties in the table `conf` of OWNER: nested tables joined with dots, values as the text that Spark gets.
// A key that does not begin with "spark." is a problem, because spark-submit drops it.
std::map<std::string, std::string> read_conf(TableReader& owner);

// The table `env` of OWNER.
std::map<std::string, std::string> read_environment(TableReader& owner);

}  // namespace stagegate::manifest
