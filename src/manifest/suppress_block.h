// [[suppress]] blocks that are written for somebody: text behind a manifest's own, of which no byte changes.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "manifest/manifest.h"
#include "model/rule_settings.h"

namespace stagegate {

// A pattern for matches_glob() that fits TEXT. There is no escape in patterns, so what is special there, and what TOML cannot hold, becomes
// "?", which fits any byte: then the pattern fits texts of the same length besides that differ there alone. Of "" it is "*".
std::string glob_of(std::string_view text);

// Whether TEXT is a day of the calendar, written as `until` wants it: "2027-03-01".
bool is_day(std::string_view text);

// The block in TOML. `job`, `variant` and `stage` are left out where they are "*".
std::string suppress_block(const Suppression& suppression);

// MANIFEST with a block for each of ADDED behind it, in the line ends that it has. The result is read as it will be read later: where it
// is no manifest, or its last suppressions are not ADDED, there is an error that says so and what to add by hand. Kind: usage.
Result<std::string> with_suppressions(std::string_view manifest, std::span<const Suppression> added, const ManifestContext& context);

}  // namespace stagegate
