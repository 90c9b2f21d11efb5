// A tar archive, as `tar --format=ustar` writes it.
#pragma once

#include <string>
#include <string_view>

namespace stagegate {

// The header and the content of one file; PATH has at most 100 bytes. An archive is its entries, and tar_end() behind them.
std::string tar_entry(std::string_view path, std::string_view content);
std::string tar_end();

// Puts the right checksum into every header of ARCHIVE, as far as its blocks look like one.
void mend_checksums(std::string& archive);

}  // namespace stagegate
