#include "ingest/byte_form.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "ingest/read_log.h"
#include "unit/ingest/memory_source.h"

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
    {"\x1F\x8B\x08\0"sv, ByteForm::gzip},
    {"PK\x03\x04\x14"sv, ByteForm::zip},
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

TEST(ByteForm, OneThatCannotBeReadIsAnErrorThatNamesIt) {
  for (const auto& example : kCases) {
    if (example.form == ByteForm::plain || example.form == ByteForm::zstd) {
      continue;
    }
    const auto log = read_log_file(std::make_unique<MemorySource>(std::string(example.begin), 1), "app-1");
    ASSERT_FALSE(log) << example.begin;
    EXPECT_EQ(log.error().kind, ErrorKind::evidence);
    EXPECT_NE(log.error().message.find("'app-1' is compressed with " + std::string(name_of(example.form))), std::string::npos)
        << log.error().message;
  }
}

}  // namespace
}  // namespace stagegate
