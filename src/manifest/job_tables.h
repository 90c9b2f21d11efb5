// [variants.X] and [jobs.X].
#pragma once

#include <string>
#include <vector>

#include "manifest/manifest.h"
#include "manifest/table_reader.h"

namespace stagegate::manifest {

// FILE is the reader of the whole file.
std::vector<VariantTable> read_variants(TableReader& file);
// VARIANTS are the names of the manifest's variants.
std::vector<JobTable> read_jobs(TableReader& file, const std::vector<std::string>& variants);

}  // namespace stagegate::manifest
