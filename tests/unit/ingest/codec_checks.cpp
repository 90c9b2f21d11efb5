#include "unit/ingest/codec_checks.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/ingest/memory_source.h"

namespace stagegate {

Decoded decode(MakeDecoder make, std::string stored, std::size_t source_step, std::size_t buffer_bytes) {
  const auto decoder = make(std::make_unique<MemorySource>(std::move(stored), source_step));
  Decoded result;
  std::string buffer(buffer_bytes, '\0');
  for (;;) {
    const auto count = decoder->read(buffer);
    if (!count || *count == 0) {
      EXPECT_TRUE(count);
      result.damage = decoder->damage();
      EXPECT_EQ(decoder->read(buffer).value_or(1), 0U) << "more after the end";
      return result;
    }
    result.plain.append(buffer, 0, *count);
  }
}

std::string sample_lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += fmt::format("{{\"Event\":\"Sample\",\"Number\":{},\"Square\":{}}}\n", i, i * i);
  }
  return text;
}

std::string noise(std::size_t count) {
  std::mt19937 random(7);
  std::string bytes(count, '\0');
  std::generate(bytes.begin(), bytes.end(), [&random] { return static_cast<char>(random() & 0xFFU); });
  return bytes;
}

std::string joined(const std::vector<std::string>& pieces) {
  std::string all;
  for (const auto& piece : pieces) {
    all += piece;
  }
  return all;
}

std::set<std::size_t> borders(const std::vector<std::string>& pieces) {
  std::set<std::size_t> sizes{0};
  for (const auto& piece : pieces) {
    sizes.insert(*sizes.rbegin() + piece.size());
  }
  return sizes;
}

void expect_plain(MakeDecoder make, const std::string& stored, std::string_view plain) {
  constexpr std::size_t kSteps[] = {1, 2, 3, 7, 21, 1000, 4096, 32 * 1024, 100'000, 256 * 1024};
  for (const auto source_step : {std::size_t{1}, std::size_t{19}, std::string::npos}) {
    for (const auto buffer_bytes : kSteps) {
      const auto decoded = decode(make, stored, source_step, buffer_bytes);
      ASSERT_TRUE(decoded.plain == plain) << "read in steps of " << source_step << ", into " << buffer_bytes << " bytes";
      ASSERT_EQ(decoded.damage, "");
    }
  }
}

void expect_cuts_are_told(MakeDecoder make, const std::string& stored, std::string_view plain, const std::set<std::size_t>& whole_sizes) {
  std::size_t before = 0;
  for (std::size_t size = 0; size < stored.size(); ++size) {
    const auto decoded = decode(make, stored.substr(0, size));
    ASSERT_TRUE(plain.starts_with(decoded.plain)) << "cut at " << size;
    ASSERT_GE(decoded.plain.size(), before) << "cut at " << size;
    ASSERT_EQ(decoded.damage.empty(), whole_sizes.contains(size)) << "cut at " << size << ": " << decoded.damage;
    before = decoded.plain.size();
  }
}

void expect_changed_bytes_are_survived(MakeDecoder make, const std::string& stored, std::size_t most_bytes) {
  for (std::size_t at = 0; at < stored.size(); ++at) {
    for (const int change : {0x01, 0x80, 0xFF, 0x55}) {
      auto changed = stored;
      changed[at] = static_cast<char>(changed[at] ^ change);
      ASSERT_LE(decode(make, std::move(changed)).plain.size(), most_bytes) << "byte " << at << " changed by " << change;
    }
  }
}

std::string test_data(std::string_view name) {
  std::ifstream file(fmt::format(STAGEGATE_TEST_DATA "/{}", name), std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string codec_fixture(std::string_view name) {
  return test_data(fmt::format("codecs/{}", name));
}

}  // namespace stagegate
