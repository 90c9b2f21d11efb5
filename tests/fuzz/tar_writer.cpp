#include "fuzz/tar_writer.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace stagegate {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kChecksumAt = 148;
constexpr std::size_t kMagicAt = 257;

void put(std::string& header, std::size_t at, std::string_view text) {
  std::copy(text.begin(), text.end(), header.begin() + static_cast<std::ptrdiff_t>(at));
}

void put_checksum(std::string& archive, std::size_t header) {
  put(archive, header + kChecksumAt, "        ");
  unsigned sum = 0;
  for (const char c : archive.substr(header, kBlock)) {
    sum += static_cast<unsigned char>(c);
  }
  put(archive, header + kChecksumAt, fmt::format("{:06o}", sum) + '\0');
}

}  // namespace

std::string tar_entry(std::string_view path, std::string_view content) {
  std::string entry(kBlock, '\0');
  put(entry, 0, path.substr(0, 100));
  put(entry, 100, "0000644");
  put(entry, 108, "0000000");
  put(entry, 116, "0000000");
  put(entry, 124, fmt::format("{:011o}", content.size()));
  put(entry, 136, "00000000000");
  put(entry, 156, "0");
  put(entry, kMagicAt, std::string_view("ustar\00000", 8));
  put_checksum(entry, 0);
  entry += content;
  entry.resize((entry.size() + kBlock - 1) / kBlock * kBlock);
  return entry;
}

std::string tar_end() {
  return std::string(2 * kBlock, '\0');
}

void mend_checksums(std::string& archive) {
  for (std::size_t block = 0; block + kBlock <= archive.size(); block += kBlock) {
    if (archive.compare(block + kMagicAt, 5, "ustar") == 0) {
      put_checksum(archive, block);
    }
  }
}

}  // namespace stagegate
