// What holds for every codec: the tests of each say what they store, and these read it.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/growth_guard.h"

namespace stagegate {

struct Decoded {
  std::string plain;
  std::string damage;
};

// The source gives at most SOURCE_STEP bytes at a time, and BUFFER_BYTES are asked for.
Decoded decode(MakeDecoder make, std::string stored, std::size_t source_step = std::string::npos, std::size_t buffer_bytes = 4096);

// Lines of which every one is different and much like the one before.
std::string sample_lines(int count);

// Bytes in which a compressor finds nothing.
std::string noise(std::size_t count);

std::string joined(const std::vector<std::string>& pieces);

// The sizes at which JOINED pieces may be cut without leaving half a piece.
std::set<std::size_t> borders(const std::vector<std::string>& pieces);

// STORED becomes PLAIN, whatever the sizes of reads from it and by it.
void expect_plain(MakeDecoder make, const std::string& stored, std::string_view plain);

// STORED cut at any place gives a beginning of PLAIN, never a shorter one than a cut before; and damage, except at WHOLE_SIZES.
void expect_cuts_are_told(MakeDecoder make, const std::string& stored, std::string_view plain, const std::set<std::size_t>& whole_sizes);

// Any byte may be changed to anything: the end comes, and what is given stays within MOST_BYTES.
void expect_changed_bytes_are_survived(MakeDecoder make, const std::string& stored, std::size_t most_bytes = 1U << 20U);

// A file of tests/data.
std::string test_data(std::string_view name);

// A file of tests/data/codecs, written by other implementations; `make` there says how.
std::string codec_fixture(std::string_view name);

}  // namespace stagegate
