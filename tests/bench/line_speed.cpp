// How fast other people's code goes over the bytes of a log, in this process, one pass each, read in pieces of 256 KiB:
//
//   line_speed memchr FILE              finding the ends of the lines, as the repo's LineSplitter does it with memchr
//   line_speed dom FILE                 boost::json::parse of every line, in memory that is taken once
//   line_speed zstd FILE                ZSTD_decompressStream
//   line_speed lz4-blocks FILE          LZ4_decompress_safe of every block of a log that Spark wrote with lz4
//   line_speed lz4-blocks-checked FILE  with the checksum of each block
//   line_speed read-1 FILE...           reading alone, nobody looks at the bytes
//   line_speed read-2 FILE...           reading alone, by two threads, each a file at a time
//
// Prints one line of JSON: {"what":"memchr","bytes":...,"lines":...,"seconds":...,"cpu_seconds":...}. BYTES are uncompressed.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <iostream>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>
#include <boost/json.hpp>

#include "base/work_together.h"
#include "bench/lz4_block.h"
#include "ingest/line_splitter.h"

#include <fcntl.h>
#include <unistd.h>

namespace stagegate::bench {
namespace {

constexpr std::size_t kChunk = 256 * 1024;
constexpr std::size_t kMaxDepth = 2048;
constexpr std::size_t kDomBytes = 32 << 20;  // more than the largest line needs: nothing is allocated

struct Count {
  std::uint64_t bytes = 0;
  std::uint64_t lines = 0;
};

class Input {
 public:
  explicit Input(const char* path) : descriptor_(open(path, O_RDONLY)) {
    if (descriptor_ < 0) {
      throw std::runtime_error(fmt::format("{}: cannot be opened", path));
    }
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input() { close(descriptor_); }

  // 0: the end.
  std::size_t read(std::span<char> room) {
    const auto count = ::read(descriptor_, room.data(), room.size());
    if (count < 0) {
      throw std::runtime_error("cannot be read");
    }
    return static_cast<std::size_t>(count);
  }

 private:
  int descriptor_;
};

template <typename OnLine>
Count for_each_line(const char* path, OnLine&& on_line) {
  Input input(path);
  LineSplitter lines(kChunk);
  Count count;
  while (const auto bytes = input.read(lines.room())) {
    count.bytes += bytes;
    lines.filled(bytes, [&](std::string_view line) {
      ++count.lines;
      on_line(line);
      return true;
    });
  }
  return count;
}

Count find_lines(const char* path) {
  return for_each_line(path, [](std::string_view) {});
}

Count parse_lines(const char* path) {
  const auto buffer = std::make_unique<unsigned char[]>(kDomBytes);
  boost::json::monotonic_resource memory(buffer.get(), kDomBytes);
  return for_each_line(path, [&](std::string_view line) {
    if (!boost::json::parse(line, &memory, {.max_depth = kMaxDepth}).is_object()) {
      throw std::runtime_error("a line is no event");
    }
    memory.release();
  });
}

Count decompress_zstd(const char* path) {
  Input input(path);
  const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  std::vector<char> in(kChunk);
  std::vector<char> out(ZSTD_DStreamOutSize());
  Count count;
  while (const auto bytes = input.read(in)) {
    ZSTD_inBuffer from{in.data(), bytes, 0};
    bool out_was_full = true;
    while (from.pos < from.size || out_was_full) {
      ZSTD_outBuffer to{out.data(), out.size(), 0};
      if (ZSTD_isError(ZSTD_decompressStream(context.get(), &to, &from)) != 0) {
        throw std::runtime_error("a frame is damaged");
      }
      count.bytes += to.pos;
      out_was_full = to.pos == to.size;
    }
  }
  return count;
}

class BlockReader {
 public:
  BlockReader(const char* path, bool checked) : input_(path), checked_(checked), in_(2 * kChunk), out_(lz4_block::kBlockBytes) {}

  Count read_all() {
    Count count;
    while (have(lz4_block::kHeaderBytes)) {
      count.bytes += read_block();
    }
    return count;
  }

 private:
  // Whether so many bytes are there, in one piece from begin_.
  bool have(std::size_t bytes) {
    while (end_ - begin_ < bytes) {
      if (in_.size() - end_ < kChunk) {
        std::memmove(in_.data(), &in_[begin_], end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
      }
      const auto count = input_.read(std::span(in_).subspan(end_, kChunk));
      end_ += count;
      if (count == 0) {
        return false;
      }
    }
    return true;
  }

  std::uint64_t read_block() {
    if (std::string_view(&in_[begin_], lz4_block::kMagic.size()) != lz4_block::kMagic) {
      throw std::runtime_error("not a log that Spark wrote with lz4");
    }
    const auto header = lz4_block::decode(&in_[begin_]);
    begin_ += lz4_block::kHeaderBytes;
    if (header.stored_bytes > kChunk || !have(header.stored_bytes)) {
      throw std::runtime_error("a block is cut off");
    }
    const char* data = &in_[begin_];
    begin_ += header.stored_bytes;
    if (header.method == lz4_block::kCompressed) {
      if (LZ4_decompress_safe(data, out_.data(), static_cast<int>(header.stored_bytes), static_cast<int>(out_.size())) < 0) {
        throw std::runtime_error("a block is damaged");
      }
      data = out_.data();
    }
    if (checked_ && header.bytes > 0 && lz4_block::checksum(data, header.bytes) != header.checksum) {
      throw std::runtime_error("a checksum is wrong");
    }
    return header.bytes;
  }

  Input input_;
  bool checked_;
  std::vector<char> in_;
  std::vector<char> out_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

// The bytes of a file lie at the beginnings of pages. On some processors (AMD's Zen 3) the system copies them four times as slowly to where
// a page is a few bytes old, and there malloc() puts whatever is large.
std::unique_ptr<char, decltype(&std::free)> room_at_a_page() {
  constexpr std::size_t kPage = 4096;
  return {static_cast<char*>(std::aligned_alloc(kPage, kChunk)), &std::free};
}

// Each thread takes the next file.
Count read_alone(std::span<char*> paths, int threads) {
  std::atomic<std::uint64_t> bytes = 0;
  work_together(paths.size(), threads, [&](std::size_t i) {
    const auto room = room_at_a_page();
    Input input(paths[i]);
    while (const auto count = input.read({room.get(), kChunk})) {
      bytes += count;
    }
  });
  return {bytes, 0};
}

Count run(std::string_view what, std::span<char*> paths) {
  if (what == "read-1" || what == "read-2") {
    return read_alone(paths, what == "read-1" ? 1 : 2);
  }
  const char* path = paths.front();
  if (what == "memchr") {
    return find_lines(path);
  }
  if (what == "dom") {
    return parse_lines(path);
  }
  if (what == "zstd") {
    return decompress_zstd(path);
  }
  if (what == "lz4-blocks" || what == "lz4-blocks-checked") {
    return BlockReader(path, what == "lz4-blocks-checked").read_all();
  }
  throw std::runtime_error("the first argument is memchr, dom, zstd, lz4-blocks, lz4-blocks-checked, read-1 or read-2");
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void measure(std::string_view what, std::span<char*> paths) {
  const auto start = std::chrono::steady_clock::now();
  const auto cpu_start = cpu_seconds();
  const auto count = run(what, paths);
  const auto cpu = cpu_seconds() - cpu_start;
  const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  fmt::print(R"({{"what":"{}","bytes":{},"lines":{},"seconds":{:.6f},"cpu_seconds":{:.6f}}})"
             "\n",
             what, count.bytes, count.lines, seconds, cpu);
}

}  // namespace
}  // namespace stagegate::bench

int main(int argc, char** argv) {
  try {
    const std::span arguments(argv, static_cast<std::size_t>(argc));
    if (arguments.size() < 3) {
      throw std::runtime_error("two arguments: what to measure, and the file");
    }
    stagegate::bench::measure(arguments[1], arguments.subspan(2));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "line_speed: " << error.what() << '\n';
    return 1;
  }
}
