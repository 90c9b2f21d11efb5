#include "support/packing.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>

#include <archive.h>
#include <archive_entry.h>
#include <bzlib.h>
#include <lz4.h>
#include <lz4frame.h>
#include <lzf.h>
#include <lzma.h>
#include <snappy.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

namespace stagegate {
namespace {

using namespace std::string_view_literals;

void check(bool good, const char* what) {
  if (!good) {
    throw std::runtime_error(what);
  }
}

std::string big_endian(std::size_t number, unsigned bytes) {
  std::string text;
  for (unsigned i = bytes; i > 0; --i) {
    text += static_cast<char>((number >> (8 * (i - 1))) & 0xFFU);
  }
  return text;
}

std::string little_endian(std::size_t number) {
  auto text = big_endian(number, 4);
  std::reverse(text.begin(), text.end());
  return text;
}

// PACK of every BYTES of PLAIN.
template <typename PackBlock>
std::string in_blocks(std::string_view plain, std::size_t bytes, PackBlock&& pack_block) {
  std::string all;
  for (; !plain.empty(); plain.remove_prefix(std::min(bytes, plain.size()))) {
    all += pack_block(plain.substr(0, bytes));
  }
  return all;
}

std::string same(std::string_view plain) {
  return std::string(plain);
}

std::string zstd_frame(std::string_view plain) {
  std::string stored(ZSTD_compressBound(plain.size()), '\0');
  stored.resize(ZSTD_compress(stored.data(), stored.size(), plain.data(), plain.size(), 1));
  return stored;
}

// Spark ends a frame at every flush.
std::string zstd(std::string_view plain) {
  return in_blocks(plain, 8000, zstd_frame);
}

std::string lz4_block(std::string_view plain, std::string_view stored, char method) {
  const auto checksum = XXH32(plain.data(), plain.size(), 0x9747B28C) & 0x0FFFFFFFU;
  return "LZ4Block" + std::string(1, static_cast<char>(method | 5)) + little_endian(stored.size()) + little_endian(plain.size()) +
         little_endian(plain.empty() ? 0 : checksum) + std::string(stored);
}

// LZ4BlockOutputStream.
std::string lz4(std::string_view plain) {
  return in_blocks(plain, 32768,
                   [](std::string_view block) {
                     std::string stored(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(block.size()))), '\0');
                     stored.resize(static_cast<std::size_t>(LZ4_compress_default(
                         block.data(), stored.data(), static_cast<int>(block.size()), static_cast<int>(stored.size()))));
                     return stored.size() < block.size() ? lz4_block(block, stored, 0x20) : lz4_block(block, block, 0x10);
                   }) +
         lz4_block("", "", 0x10);
}

std::string lz4_frames(std::string_view plain) {
  return in_blocks(plain, 50'000, [](std::string_view block) {
    LZ4F_preferences_t preferences = LZ4F_INIT_PREFERENCES;
    preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
    std::string stored(LZ4F_compressFrameBound(block.size(), &preferences), '\0');
    stored.resize(LZ4F_compressFrame(stored.data(), stored.size(), block.data(), block.size(), &preferences));
    return stored;
  });
}

// SnappyOutputStream.
std::string snappy_blocks(std::string_view plain) {
  return std::string("\x82SNAPPY\0\0\0\0\1\0\0\0\1"sv) + in_blocks(plain, 32768, [](std::string_view block) {
           std::string stored;
           snappy::Compress(block.data(), block.size(), &stored);
           return big_endian(stored.size(), 4) + stored;
         });
}

std::string lzf(std::string_view plain) {
  return in_blocks(plain, 65535, [](std::string_view block) {
    std::string stored(block.size(), '\0');
    stored.resize(lzf_compress(block.data(), static_cast<unsigned>(block.size()), stored.data(), static_cast<unsigned>(stored.size())));
    if (stored.empty()) {
      return std::string("ZV\0"sv) + big_endian(block.size(), 2) + std::string(block);
    }
    return "ZV\1" + big_endian(stored.size(), 2) + big_endian(block.size(), 2) + stored;
  });
}

std::string gzip_member(std::string_view plain) {
  z_stream stream{};
  check(deflateInit2(&stream, 1, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK, "deflateInit2");
  std::string stored(deflateBound(&stream, plain.size()), '\0');
  std::string copy(plain);
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = static_cast<unsigned>(copy.size());
  stream.next_out = reinterpret_cast<Bytef*>(stored.data());
  stream.avail_out = static_cast<unsigned>(stored.size());
  check(deflate(&stream, Z_FINISH) == Z_STREAM_END, "deflate");
  stored.resize(stream.total_out);
  deflateEnd(&stream);
  return stored;
}

std::string gzip(std::string_view plain) {
  return in_blocks(plain, 50'000, gzip_member);
}

std::string bzip2(std::string_view plain) {
  return in_blocks(plain, 50'000, [](std::string_view block) {
    std::string stored(block.size() + block.size() / 50 + 700, '\0');
    auto size = static_cast<unsigned>(stored.size());
    std::string copy(block);
    check(BZ2_bzBuffToBuffCompress(stored.data(), &size, copy.data(), static_cast<unsigned>(copy.size()), 1, 0, 0) == BZ_OK, "bzip2");
    stored.resize(size);
    return stored;
  });
}

std::string xz(std::string_view plain) {
  return in_blocks(plain, 50'000, [](std::string_view block) {
    std::string stored(lzma_stream_buffer_bound(block.size()), '\0');
    std::size_t size = 0;
    check(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(block.data()), block.size(),
                                  reinterpret_cast<std::uint8_t*>(stored.data()), &size, stored.size()) == LZMA_OK,
          "xz");
    stored.resize(size);
    return stored;
  });
}

std::string zstd_in_gzip(std::string_view plain) {
  return gzip_member(zstd(plain));
}

constexpr std::array kPackings{
    Packing{"plain", same},
    Packing{"zstd", zstd},
    Packing{"lz4", lz4},
    Packing{"lz4_frames", lz4_frames},
    Packing{"snappy", snappy_blocks},
    Packing{"lzf", lzf},
    Packing{"gzip", gzip},
    Packing{"bzip2", bzip2},
    Packing{"xz", xz},
    Packing{"zstd_in_gzip", zstd_in_gzip},
};

la_ssize_t append_to(archive*, void* bytes, const void* part, std::size_t size) {
  static_cast<std::string*>(bytes)->append(static_cast<const char*>(part), size);
  return static_cast<la_ssize_t>(size);
}

template <typename SetFormat>
std::string archive_of(const ArchiveFiles& files, SetFormat&& set_format) {
  std::string bytes;
  auto* writer = archive_write_new();
  check(set_format(writer) == ARCHIVE_OK, "the format of an archive");
  archive_write_open(writer, &bytes, nullptr, append_to, nullptr);
  for (const auto& [path, content] : files) {
    auto* entry = archive_entry_new();
    archive_entry_set_pathname(entry, path.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    check(archive_write_header(writer, entry) == ARCHIVE_OK, "the header of an entry");
    check(archive_write_data(writer, content.data(), content.size()) == static_cast<la_ssize_t>(content.size()), "the data of an entry");
    archive_entry_free(entry);
  }
  archive_write_close(writer);
  archive_write_free(writer);
  return bytes;
}

}  // namespace

std::span<const Packing> packings() {
  return kPackings;
}

std::string pack(std::string_view name, std::string_view plain) {
  const auto* found = std::find_if(kPackings.begin(), kPackings.end(), [&](const Packing& packing) { return packing.name == name; });
  check(found != kPackings.end(), "no such packing");
  return found->pack(plain);
}

std::string zip_of(const ArchiveFiles& files) {
  return archive_of(files, archive_write_set_format_zip);
}

std::string tar_of(const ArchiveFiles& files) {
  return archive_of(files, archive_write_set_format_pax_restricted);
}

}  // namespace stagegate
