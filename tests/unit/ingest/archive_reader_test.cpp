#include "ingest/archive_reader.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/ingest/codec_checks.h"
#include "unit/ingest/memory_source.h"

namespace stagegate {
namespace {

using namespace std::literals;

struct Entry {
  std::string path;
  std::string content;
  bool operator==(const Entry&) const = default;
};

struct Unpacked {
  std::vector<Entry> files;
  std::vector<std::string> folders;
  std::string damage;
  std::string error;
};

enum class Contents { read, passed_over };

Unpacked unpack(std::string stored, Contents contents = Contents::read, std::size_t source_step = std::string::npos,
                std::size_t buffer_bytes = 4096, const GrowthLimits& limits = {}) {
  Unpacked result;
  auto reader = open_archive(std::make_unique<MemorySource>(std::move(stored), source_step), "logs", limits);
  if (!reader) {
    result.error = reader.error().message;
    return result;
  }
  std::string buffer(buffer_bytes, '\0');
  for (;;) {
    const auto entry = (*reader)->next();
    if (!entry || !*entry) {
      result.error = entry ? "" : entry.error().message;
      result.damage = (*reader)->damage();
      return result;
    }
    if ((*entry)->is_folder) {
      result.folders.push_back((*entry)->path);
      continue;
    }
    result.files.push_back({(*entry)->path, ""});
    if (contents == Contents::read) {
      const auto content = (*reader)->content();
      while (const auto count = content->read(buffer).value_or(0)) {
        result.files.back().content.append(buffer, 0, count);
      }
    }
  }
}

std::string fixture(std::string_view name) {
  return test_data(fmt::format("archives/{}", name));
}

// What `make` beside the fixtures puts into them.
const std::vector<Entry>& two_logs() {
  static const auto logs = [] {
    const auto first = sample_lines(40);
    return std::vector<Entry>{{"log/events_1_a", first}, {"log/events_2_a", sample_lines(80).substr(first.size())}};
  }();
  return logs;
}

const auto kZips = {"java.zip", "command.zip", "stored_pipe.zip", "zip64.zip", "zip64_pipe.zip"};
const auto kTars = {"v7.tar", "ustar.tar", "pax.tar", "gnu.tar"};

std::vector<const char*> all_of_two_logs() {
  std::vector<const char*> names(kZips);
  names.insert(names.end(), kTars);
  return names;
}

TEST(ArchiveReader, ReadsWhatOthersWroteForEveryStep) {
  for (const auto* name : all_of_two_logs()) {
    for (const std::size_t source_step : {1U, 1000U, 1U << 20U}) {
      for (const std::size_t buffer_bytes : {1U, 100U, 1U << 20U}) {
        const auto unpacked = unpack(fixture(name), Contents::read, source_step, buffer_bytes);
        ASSERT_EQ(unpacked.files, two_logs()) << name;
        ASSERT_EQ(unpacked.damage, "") << name;
        ASSERT_EQ(unpacked.error, "") << name;
      }
    }
  }
}

TEST(ArchiveReader, NamesFoldersWithoutASlashAndPassesOverLinks) {
  for (const auto* name : {"java.zip", "command.zip", "v7.tar", "ustar.tar", "pax.tar", "gnu.tar"}) {
    EXPECT_EQ(unpack(fixture(name)).folders, std::vector{"log"s}) << name;
  }
}

TEST(ArchiveReader, ContentsMayBePassedOver) {
  for (const auto* name : all_of_two_logs()) {
    const auto unpacked = unpack(fixture(name), Contents::passed_over);
    EXPECT_EQ(unpacked.files, (std::vector<Entry>{{"log/events_1_a", ""}, {"log/events_2_a", ""}})) << name;
    EXPECT_EQ(unpacked.damage, "") << name;
  }
}

TEST(ArchiveReader, SaysASizeThatStandsInFront) {
  const auto bytes_of_first = [](std::string_view name) {
    return open_archive(std::make_unique<MemorySource>(fixture(name)), "logs").value()->next().value()->bytes;
  };
  EXPECT_EQ(bytes_of_first("zip64.zip"), two_logs()[0].content.size());
  EXPECT_EQ(bytes_of_first("zip64_pipe.zip"), std::nullopt);
}

TEST(ArchiveReader, AnEmptyZipHoldsNothing) {
  const auto unpacked = unpack(fixture("java_empty.zip"));
  EXPECT_TRUE(unpacked.files.empty() && unpacked.folders.empty());
  EXPECT_EQ(unpacked.damage, "");
  EXPECT_EQ(unpacked.error, "");
}

// Each of these files holds its own name.
TEST(ArchiveReader, PathsAreOnlyNames) {
  for (const auto* name : {"names.zip", "names_gnu.tar", "names_pax.tar"}) {
    std::vector<Entry> expected;
    for (const auto& path :
         {"/absolute"s, "../up"s, "gr\xC3\xBCn"s, std::string(200, 'n'), std::string(90, 'f') + "/" + std::string(90, 'n')}) {
      expected.push_back({path, path});
    }
    EXPECT_EQ(unpack(fixture(name)).files, expected) << name;
  }
}

TEST(ArchiveReader, NamesInOldCharacterSetsStayAsTheyAre) {
  auto zip = fixture("command.zip");
  for (auto at = zip.find("events_1_a"); at != std::string::npos; at = zip.find("events_1_a", at)) {
    zip[at] = '\x84';
  }
  EXPECT_EQ(unpack(zip).files[0].path, "log/\x84vents_1_a");
}

TEST(ArchiveReader, FillsTheHolesOfASparseFile) {
  const auto unpacked = unpack(fixture("sparse.tar"));
  EXPECT_EQ(unpacked.files, (std::vector<Entry>{{"holes", "begin" + std::string(100'000 - 5, '\0') + "end"}}));
  EXPECT_EQ(unpacked.damage, "");
}

TEST(ArchiveReader, ReadsTarArchivesOneBehindTheOther) {
  auto twice = two_logs();
  twice.insert(twice.end(), two_logs().begin(), two_logs().end());
  const auto unpacked = unpack(fixture("gnu.tar") + fixture("pax.tar"));
  EXPECT_EQ(unpacked.files, twice);
  EXPECT_EQ(unpacked.damage, "");
}

TEST(ArchiveReader, AnEncryptedEntryIsAnErrorThatSaysSo) {
  EXPECT_EQ(unpack(fixture("encrypted.zip")).error,
            "'log/events_1_a' in 'logs' is encrypted, so it cannot be read; unpack the archive with its password, and name the log in it");
}

TEST(ArchiveReader, WhatIsNoArchiveIsAnErrorThatSaysSo) {
  for (const auto& stored : {""s, "{\"Event\":"s, std::string(512, '\0'), "Rar!\x1A\x07\x01\0"s, "7z\xBC\xAF\x27\x1C"s}) {
    EXPECT_EQ(unpack(stored).error, "'logs' is neither a zip nor a tar archive");
  }
}

// How many bytes of an archive hold all there is to know.
std::size_t needed_bytes(const std::string& stored, bool is_tar) {
  // A zip archive needs all; of a tar archive, all to the first block of zeros behind the last entry's content.
  return is_tar ? (stored.find_last_not_of('\0') / 512 + 2) * 512 : stored.size();
}

bool is_beginning(const std::vector<Entry>& some, const std::vector<Entry>& all) {
  if (some.size() > all.size()) {
    return false;
  }
  for (std::size_t i = 0; i < some.size(); ++i) {
    const bool last = i + 1 == some.size();
    if (some[i].path != all[i].path || !(last ? all[i].content.starts_with(some[i].content) : all[i].content == some[i].content)) {
      return false;
    }
  }
  return true;
}

TEST(ArchiveReader, CutAtAnyByteGivesWhatCameBeforeAndSaysSo) {
  for (const auto* name : all_of_two_logs()) {
    const auto stored = fixture(name);
    const auto passed_over = unpack(stored, Contents::passed_over).files;
    const bool is_tar = std::string_view(name).ends_with("tar");
    // Tar archives are large, and most of their bytes are alike.
    for (std::size_t size = is_tar ? 512 : 4; size < stored.size(); size += is_tar && size % 512 > 1 && size % 512 < 480 ? 31U : 1U) {
      for (const auto contents : {Contents::read, Contents::passed_over}) {
        const auto unpacked = unpack(stored.substr(0, size), contents);
        ASSERT_EQ(unpacked.error, "") << name << " cut at " << size;
        ASSERT_TRUE(is_beginning(unpacked.files, contents == Contents::read ? two_logs() : passed_over)) << name << " cut at " << size;
        ASSERT_EQ(unpacked.damage.empty(), size >= needed_bytes(stored, is_tar)) << name << " cut at " << size << ": " << unpacked.damage;
      }
    }
  }
}

TEST(ArchiveReader, SaysWhereItIsCut) {
  const auto damage_at = [](std::string_view name, std::size_t size) { return unpack(fixture(name).substr(0, size)).damage; };
  EXPECT_EQ(damage_at("java.zip", 20), "the zip archive is cut off at its beginning");
  EXPECT_EQ(damage_at("java.zip", 200), "the zip archive is cut off in the middle of 'log/events_1_a'");
  EXPECT_EQ(damage_at("java.zip", 900), "the zip archive is cut off behind its entry 3");
  EXPECT_EQ(damage_at("v7.tar", 512), "the tar archive is cut off behind its entry 1");
  EXPECT_EQ(damage_at("v7.tar", 1500), "the tar archive is cut off in the middle of 'log/events_1_a'");
  EXPECT_EQ(unpack(fixture("v7.tar").substr(0, 1500), Contents::passed_over).damage,
            "the tar archive is cut off in the middle of 'log/events_1_a'");
}

TEST(ArchiveReader, GivesAllThatWasWrittenBeforeACut) {
  // The content of the first entry begins behind two headers.
  const auto& first = two_logs()[0].content;
  EXPECT_EQ(unpack(fixture("v7.tar").substr(0, 1024 + 700)).files, (std::vector<Entry>{{"log/events_1_a", first.substr(0, 700)}}));
}

TEST(ArchiveReader, DamageIsToldAndEndsTheReading) {
  auto tar = fixture("v7.tar");
  tar[512] ^= 1;  // the name of the first file
  EXPECT_EQ(unpack(tar).damage, "the tar archive is damaged behind its entry 1 (Damaged tar archive)");
  EXPECT_TRUE(unpack(tar).files.empty());

  auto zip = fixture("stored_pipe.zip");
  zip[200] ^= 1;  // in the content of the first file
  EXPECT_NE(unpack(zip).damage, "");

  // The library looks for the next entry by its magic, and passes over one that has lost it.
  auto lost = fixture("command.zip");
  lost[lost.find("PK\x03\x04", 10)] ^= 1;
  EXPECT_EQ(unpack(lost, Contents::passed_over).damage, "the zip archive is damaged (its directory has 3 entries, and 2 were found)");
}

// Nothing is lost without a word: either every file is there, or there is damage or an error.
TEST(ArchiveReader, NoChangedByteCrashesItOrLosesAFileInSilence) {
  for (const auto* name : all_of_two_logs()) {
    const auto stored = fixture(name);
    const bool is_tar = std::string_view(name).ends_with("tar");
    for (std::size_t at = 0; at < needed_bytes(stored, is_tar); at += is_tar ? 11 : 1) {
      for (const int change : {0x01, 0x80, 0xFF}) {
        auto changed = stored;
        changed[at] = static_cast<char>(changed[at] ^ change);
        const auto unpacked = unpack(changed);
        ASSERT_TRUE(!unpacked.damage.empty() || !unpacked.error.empty() || unpacked.files.size() + unpacked.folders.size() >= 2)
            << name << ", byte " << at << " changed by " << change;
      }
    }
  }
}

TEST(ArchiveReader, StopsWhatGrowsWithoutEnd) {
  const auto unpacked = unpack(fixture("sparse.tar"), Contents::read, std::string::npos, 1000, {.plain_bytes = 50'000, .factor = 5});
  EXPECT_LE(unpacked.files[0].content.size(), 50'000U);
  EXPECT_GT(unpacked.files[0].content.size(), 48'000U);
  EXPECT_EQ(unpacked.damage, kGrowthDamage);
}

class Unplugged : public ByteSource {
 public:
  explicit Unplugged(std::string begin) : begin_(std::move(begin)) {}
  Result<std::size_t> read(std::span<char> buffer) override {
    if (begin_.empty()) {
      return fail(ErrorKind::evidence, "unplugged");
    }
    const auto count = begin_.copy(buffer.data(), buffer.size());
    begin_.erase(0, count);
    return count;
  }

 private:
  std::string begin_;
};

TEST(ArchiveReader, HandsAnErrorOfTheSourceOn) {
  for (const auto* name : {"java.zip", "v7.tar"}) {
    auto reader = open_archive(std::make_unique<Unplugged>(fixture(name).substr(0, 700)), "logs").value();
    for (;;) {
      const auto entry = reader->next();
      if (!entry) {
        EXPECT_EQ(entry.error().message, "unplugged");
        break;
      }
      ASSERT_TRUE(*entry) << "no error";
    }
  }
}

}  // namespace
}  // namespace stagegate
