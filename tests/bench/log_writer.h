// Where the lines of a made log go: one file or a rolling folder, in any of the forms of which the readers are measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace stagegate::bench {

enum class Codec : std::uint8_t {
  none,
  zstd,       // as Spark writes it: level 1, a new frame after every flush
  lz4,        // as Spark writes it: LZ4BlockOutputStream
  lz4_frame,  // as the lz4 command writes it
};

enum class Layout : std::uint8_t { single, rolling };

enum class Flush : std::uint8_t { no, yes };

// Encodes into a file. Errors of the file system and of the libraries are exceptions.
class Encoder {
 public:
  virtual ~Encoder() = default;
  virtual void write(std::string_view bytes) = 0;
  virtual void flush() = 0;
  virtual void finish() = 0;
};

class LogWriter {
 public:
  // PATH: of the file, or of the folder that the folder eventlog_v2_APPLICATION is made in.
  LogWriter(std::filesystem::path path, std::string application, Layout layout, Codec codec);

  // LINE with its line feed. FLUSH: whether Spark's writer flushes after it.
  void write(std::string_view line, Flush flush);
  void finish();

  std::uint64_t lines() const { return lines_; }
  std::uint64_t bytes() const { return bytes_; }  // before they were encoded

 private:
  void open_part();

  std::filesystem::path path_;
  std::string application_;
  Layout layout_;
  Codec codec_;
  std::unique_ptr<Encoder> part_;
  int parts_ = 0;
  std::uint64_t part_bytes_ = 0;
  std::uint64_t unflushed_lines_ = 0;
  std::uint64_t lines_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace stagegate::bench
