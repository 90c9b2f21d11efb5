#include "ingest/byte_form.h"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "unit/ingest/codec_checks.h"

namespace stagegate {
namespace {

using namespace std::string_view_literals;

struct FormCase {
  std::string_view begin;
  ByteForm form;
};

const std::vector<FormCase> kCases{
    {"", ByteForm::plain},
    {"{\"Event\":", ByteForm::plain},
    {"\x28\xB5\x2F\xFD\x04\x00"sv, ByteForm::zstd},
    {"\x52\x2A\x4D\x18\x00"sv, ByteForm::zstd},  // a skippable frame
    {"LZ4Block\x25\x00"sv, ByteForm::lz4},
    {"\x04\x22\x4D\x18\x64"sv, ByteForm::lz4_frame},
    {"\x82SNAPPY\0\0\0"sv, ByteForm::snappy},
    {"\xFF\x06\0\0sNaPpY"sv, ByteForm::snappy_frame},
    {"ZV\x01\x10\x00"sv, ByteForm::lzf},
    {"ZV\x00\x10\x00"sv, ByteForm::lzf},
    {"ZV and other text", ByteForm::plain},
    {"\x1F\x8B\x08\0"sv, ByteForm::gzip},
    {"PK\x03\x04\x14"sv, ByteForm::zip},
    {"PK\x05\x06\0\0\0\0\0\0"sv, ByteForm::zip},  // without a file in it
    {"BZh91AY&SY"sv, ByteForm::bzip2},
    {"\xFD\x37zXZ\0\0"sv, ByteForm::xz},
    {"\x28\xB5\x2F"sv, ByteForm::plain},  // too short to be told
    {"LZ4Bloc"sv, ByteForm::plain},
};

TEST(ByteForm, IsToldByTheFirstBytes) {
  for (const auto& example : kCases) {
    EXPECT_EQ(form_of(example.begin), example.form) << example.begin;
  }
}

TEST(ByteForm, AFrameToSkipSaysHowLongItIs) {
  EXPECT_EQ(skippable_frame_bytes("\x52\x2A\x4D\x18\x01\x02\0\0"sv), 8U + 0x201U);
  EXPECT_EQ(skippable_frame_bytes("\x52\x2A\x4D\x18\xFF\xFF\xFF\xFF"sv), std::size_t{8} + 0xFFFFFFFFU);
  EXPECT_EQ(skippable_frame_bytes("\x52\x2A\x4D\x18\x01\x02\0"sv), 0U);  // cut
  EXPECT_EQ(skippable_frame_bytes("\x28\xB5\x2F\xFD\x01\x02\0\0"sv), 0U);
}

TEST(ByteForm, ATarArchiveIsToldByTheChecksumOfItsFirstHeader) {
  for (const auto* name : {"v7.tar", "ustar.tar", "pax.tar", "gnu.tar", "names_gnu.tar", "sparse.tar"}) {
    auto begin = test_data(std::string("archives/") + name).substr(0, kTarBlockBytes);
    EXPECT_TRUE(is_tar(begin)) << name;
    EXPECT_TRUE(is_tar(begin + "more")) << name;
    EXPECT_FALSE(is_tar(std::string_view(begin).substr(0, kTarBlockBytes - 1))) << name;
    begin[3] ^= 1;
    EXPECT_FALSE(is_tar(begin)) << name;
  }
  EXPECT_FALSE(is_tar(""));
  EXPECT_FALSE(is_tar(std::string(kTarBlockBytes, '\0')));
  EXPECT_FALSE(is_tar(std::string(kTarBlockBytes, '7')));
  EXPECT_FALSE(is_tar(sample_lines(100)));
}

}  // namespace
}  // namespace stagegate
