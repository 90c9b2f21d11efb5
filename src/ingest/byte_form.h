// The forms in which an event log's bytes come, told by their first bytes: the suffix of a name may lie, because a history server compacts
// with its own settings and keeps the old name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace stagegate {

enum class ByteForm : std::uint8_t {
  plain,  // whatever is none of the others
  zstd,
  lz4,  // LZ4BlockOutputStream, as Spark writes it; the lz4 command cannot read it
  lz4_frame,
  snappy,  // SnappyOutputStream, as Spark writes it
  snappy_frame,
  lzf,
  gzip,
  zip,
  bzip2,
  xz,
};

// So many bytes decide.
inline constexpr std::size_t kFormBytes = 10;

// BEGIN: the first kFormBytes of a source, or all of a shorter one.
ByteForm form_of(std::string_view begin);

// The tools of zstd and lz4 may put frames in front that hold nothing to read; form_of() takes them for zstd, and what is behind them says
// whose they are. The length of the one that BEGIN begins with, or 0.
std::size_t skippable_frame_bytes(std::string_view begin);

// A tar archive has no magic of its own, only a checksum in the header of its first entry: so it takes the first kTarBlockBytes of a
// source.
inline constexpr std::size_t kTarBlockBytes = 512;
bool is_tar(std::string_view begin);

// For people: "zstd", "lz4 (as Spark writes it)".
std::string_view name_of(ByteForm form);

}  // namespace stagegate
