#include "ingest/decoder.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/ingest/codec_checks.h"
#include "unit/ingest/memory_source.h"

namespace stagegate {
namespace {

using namespace std::literals;

// In the buffers that read_log uses.
Decoded decode_by_content(std::string stored) {
  auto decoder = open_decoder(std::make_unique<MemorySource>(std::move(stored)), "log");
  EXPECT_TRUE(decoder);
  Decoded result;
  std::string buffer(std::size_t{256} * 1024, '\0');
  while (const auto count = (*decoder)->read(buffer).value_or(0)) {
    result.plain.append(buffer, 0, count);
  }
  result.damage = (*decoder)->damage();
  return result;
}

void expect_decoded(std::string stored, std::string_view plain, std::string_view what) {
  const auto decoded = decode_by_content(std::move(stored));
  EXPECT_TRUE(decoded.plain == plain) << what;
  EXPECT_EQ(decoded.damage, "") << what;
}

TEST(OpenDecoder, TellsEveryFormByItsContent) {
  const auto text = sample_lines(200);
  expect_decoded(text, text, "plain");
  expect_decoded("", "", "empty");
  expect_decoded(zstd_frame(text), text, "zstd");
  for (const auto* name : {"framed.snappy", "two.lz4", "two.gzip", "two.bzip2", "two.xz"}) {
    expect_decoded(codec_fixture(name), text, name);
  }
  for (const auto* name : {"spark.lz4", "spark.snappy", "spark.lzf"}) {
    expect_decoded(codec_fixture(name), sample_lines(1200), name);
  }
}

TEST(OpenDecoder, LooksBehindFramesThatBothZstdAndLz4Skip) {
  const auto skippable = "\x50\x2A\x4D\x18\x03\0\0\0abc"s;
  expect_decoded(skippable + skippable + codec_fixture("two.lz4"), sample_lines(200), "lz4");
  expect_decoded(skippable + zstd_frame("one"), "one", "zstd");
  expect_decoded(skippable, "", "nothing behind");
  EXPECT_EQ(decode_by_content(skippable.substr(0, 9)).damage, "its last zstd frame is cut off");
  EXPECT_EQ(decode_by_content("\x50\x2A\x4D\x18\xFF\xFF\xFF\xFF...").damage, "its last zstd frame is cut off");
}

TEST(OpenDecoder, UnpacksWhatWasPackedTwice) {
  const auto twice = zstd_frame(codec_fixture("two.gzip"));
  expect_decoded(twice, sample_lines(200), "gzip in zstd");
  const auto cut = decode_by_content(twice.substr(0, twice.size() - 5));
  EXPECT_TRUE(sample_lines(200).starts_with(cut.plain));
  EXPECT_EQ(cut.damage, "its last zstd frame is cut off");
}

TEST(OpenDecoder, AZipFileIsAnErrorThatSaysSo) {
  const auto decoder = open_decoder(std::make_unique<MemorySource>("PK\x03\x04\x14"), "app-1");
  ASSERT_FALSE(decoder);
  EXPECT_EQ(decoder.error().kind, ErrorKind::evidence);
  EXPECT_EQ(decoder.error().message, "'app-1' is a zip file where an event log is expected; unpack it, and name the log in it");
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A log as it was before it was packed: one file, whose name may end in the mark of a variant (`app-1@0a1b2c3d`), or twelve parts.
std::string original_of(const std::filesystem::path& logs, const std::string& name) {
  for (const auto& entry : std::filesystem::directory_iterator(logs / "apache-spark")) {
    const auto found = entry.path().filename().string();
    if (found.substr(0, found.find('@')) == name) {
      return content_of(entry.path());
    }
  }
  std::string parts;
  for (int part = 1; part <= 12; ++part) {
    parts += content_of(logs / "derived/rolling/plain12" / ("eventlog_v2_" + name) / fmt::format("events_{}_{}", part, name));
  }
  return parts;
}

// Real logs, packed by Spark's own codecs, where they are at hand.
TEST(OpenDecoder, GivesTheSameTextForEveryCodecOfARealLog) {
  const std::filesystem::path logs = STAGEGATE_CORPUS "/logs";
  const auto packed = logs / "derived/codecs";
  if (!std::filesystem::exists(packed)) {
    GTEST_SKIP() << "no logs at " << packed;
  }
  for (const auto* name :
       {"app-20200706201101-0003", "application_1472176676028_407508_1", "application_1614367313143_2793", "local-1422981780767"}) {
    const auto text = original_of(logs, name);
    ASSERT_GT(text.size(), 10'000U) << name;
    for (const auto* codec : {"lz4", "lzf", "snappy", "zstd"}) {
      const auto file = fmt::format("{}.{}", name, codec);
      expect_decoded(content_of(packed / file), text, file);
      const auto cut = decode_by_content(content_of(packed / (file + ".inprogress")));
      EXPECT_TRUE(text.starts_with(cut.plain)) << file;
      EXPECT_GT(cut.plain.size(), text.size() / 5) << file;
      EXPECT_EQ(cut.damage, fmt::format("its last {} {} is cut off", codec, codec == "zstd"sv ? "frame" : "block")) << file;
    }
  }
}

}  // namespace
}  // namespace stagegate
