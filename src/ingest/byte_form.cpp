#include "ingest/byte_form.h"

#include <algorithm>
#include <array>
#include <optional>

#include "ingest/stored_numbers.h"

namespace stagegate {
namespace {

using namespace std::string_view_literals;

struct FormInfo {
  ByteForm form;
  std::string_view magic;
  std::string_view name;
};

constexpr std::array kForms{
    FormInfo{ByteForm::zstd, "\x28\xB5\x2F\xFD"sv, "zstd"},
    FormInfo{ByteForm::lz4, "LZ4Block"sv, "lz4 (as Spark writes it)"},
    FormInfo{ByteForm::lz4_frame, "\x04\x22\x4D\x18"sv, "lz4"},
    FormInfo{ByteForm::snappy, "\x82SNAPPY\0"sv, "snappy (as Spark writes it)"},
    FormInfo{ByteForm::snappy_frame, "\xFF\x06\0\0sNaPpY"sv, "snappy"},
    FormInfo{ByteForm::lzf, "ZV\0"sv, "lzf"},
    FormInfo{ByteForm::lzf, "ZV\1"sv, "lzf"},
    FormInfo{ByteForm::gzip, "\x1F\x8B"sv, "gzip"},
    FormInfo{ByteForm::zip, "PK\x03\x04"sv, "zip"},
    FormInfo{ByteForm::zip, "PK\x05\x06"sv, "zip"},  // without a file in it
    FormInfo{ByteForm::bzip2, "BZh"sv, "bzip2"},
    FormInfo{ByteForm::xz, "\xFD\x37zXZ\0"sv, "xz"},
    FormInfo{ByteForm::plain, ""sv, "plain text"},
};

bool begins_with_skippable_frame(std::string_view begin) {
  return begin.size() >= 4 && (byte_at(begin, 0) & 0xF0U) == 0x50U && begin.substr(1, 3) == "\x2A\x4D\x18"sv;
}

// Digits with blanks in front and a blank or a zero byte behind them.
std::optional<std::int64_t> octal(std::string_view field) {
  field.remove_prefix(std::min(field.find_first_not_of(' '), field.size()));
  field = field.substr(0, field.find_first_of(" \0"sv));
  if (field.empty() || field.find_first_not_of("01234567") != std::string_view::npos) {
    return std::nullopt;
  }
  std::int64_t number = 0;
  for (const char digit : field) {
    number = number * 8 + (digit - '0');
  }
  return number;
}

}  // namespace

ByteForm form_of(std::string_view begin) {
  if (begins_with_skippable_frame(begin)) {
    return ByteForm::zstd;
  }
  for (const auto& info : kForms) {
    if (begin.starts_with(info.magic)) {
      return info.form;
    }
  }
  return ByteForm::plain;
}

std::size_t skippable_frame_bytes(std::string_view begin) {
  constexpr std::size_t kHeaderBytes = 8;
  if (begin.size() < kHeaderBytes || !begins_with_skippable_frame(begin)) {
    return 0;
  }
  return kHeaderBytes + little_endian_32(begin, 4);
}

bool is_tar(std::string_view begin) {
  constexpr std::size_t kChecksum = 148;
  constexpr std::size_t kChecksumBytes = 8;
  if (begin.size() < kTarBlockBytes) {
    return false;
  }
  // Some writers took chars for signed.
  std::int64_t sum = 0;
  std::int64_t signed_sum = 0;
  for (std::size_t at = 0; at < kTarBlockBytes; ++at) {
    const char c = at - kChecksum < kChecksumBytes ? ' ' : begin[at];  // the checksum itself counts as blanks
    sum += static_cast<unsigned char>(c);
    signed_sum += static_cast<signed char>(c);
  }
  const auto written = octal(begin.substr(kChecksum, kChecksumBytes));
  return written && (*written == sum || *written == signed_sum);
}

std::string_view name_of(ByteForm form) {
  for (const auto& info : kForms) {
    if (info.form == form) {
      return info.name;
    }
  }
  return {};
}

}  // namespace stagegate
