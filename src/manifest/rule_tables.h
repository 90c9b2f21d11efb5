// [rules.ID], its overrides, and [[suppress]].
#pragma once

#include <vector>

#include "manifest/manifest.h"
#include "manifest/table_reader.h"
#include "model/rule_settings.h"

namespace stagegate::manifest {

// FILE is the reader of the whole file. An override whose job or variant fits none of JOBS or VARIANTS, the names there are, is a problem.
std::vector<RuleSettings> read_rules(TableReader& file, const std::vector<std::string>& jobs, const std::vector<std::string>& variants);

// What fits nothing here is not a problem: it is reported when findings are held against it.
std::vector<Suppression> read_suppressions(TableReader& file);

}  // namespace stagegate::manifest
