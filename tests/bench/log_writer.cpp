#include "bench/log_writer.h"

#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <lz4.h>
#include <lz4frame.h>
#include <unistd.h>
#include <zstd.h>

#include <fmt/format.h>

#include "bench/lz4_block.h"

namespace stagegate::bench {
namespace {

constexpr std::size_t kFileBuffer = 256 * 1024;
constexpr std::uint64_t kPartBytes = 128ULL << 20U;  // spark.eventLog.rolling.maxFileSize
// Spark does not flush after the events of tasks, so that a large stage would be one frame.
constexpr std::uint64_t kFrameLines = 500;

class File {
 public:
  explicit File(const std::filesystem::path& path) : path_(path), descriptor_(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644)) {
    if (descriptor_ < 0) {
      throw std::system_error(errno, std::generic_category(), path_.string());
    }
    buffer_.reserve(2 * kFileBuffer);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { close(descriptor_); }

  void write(std::string_view bytes) {
    buffer_.append(bytes);
    if (buffer_.size() >= kFileBuffer) {
      flush();
    }
  }

  void flush() {
    for (std::string_view rest = buffer_; !rest.empty();) {
      const auto count = ::write(descriptor_, rest.data(), rest.size());
      if (count < 0) {
        throw std::system_error(errno, std::generic_category(), path_.string());
      }
      rest.remove_prefix(static_cast<std::size_t>(count));
    }
    buffer_.clear();
  }

 private:
  std::filesystem::path path_;
  int descriptor_;
  std::string buffer_;
};

class PlainEncoder : public Encoder {
 public:
  explicit PlainEncoder(const std::filesystem::path& path) : file_(path) {}
  void write(std::string_view bytes) override { file_.write(bytes); }
  void flush() override {}
  void finish() override { file_.flush(); }

 private:
  File file_;
};

class ZstdEncoder : public Encoder {
 public:
  explicit ZstdEncoder(const std::filesystem::path& path) : file_(path), context_(ZSTD_createCCtx()), out_(ZSTD_CStreamOutSize()) {
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, 1);
  }

  void write(std::string_view bytes) override {
    compress(bytes, ZSTD_e_continue);
    frame_open_ = true;
  }

  void flush() override {
    if (std::exchange(frame_open_, false)) {
      compress({}, ZSTD_e_end);
    }
  }

  void finish() override {
    flush();
    file_.flush();
  }

 private:
  void compress(std::string_view bytes, ZSTD_EndDirective directive) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    std::size_t left = 0;
    do {
      ZSTD_outBuffer out{out_.data(), out_.size(), 0};
      left = ZSTD_compressStream2(context_.get(), &out, &in, directive);
      if (ZSTD_isError(left) != 0) {
        throw std::runtime_error(ZSTD_getErrorName(left));
      }
      file_.write({out_.data(), out.pos});
    } while (in.pos < in.size || (directive == ZSTD_e_end && left > 0));
  }

  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };
  File file_;
  std::unique_ptr<ZSTD_CCtx, Free> context_;
  std::vector<char> out_;
  bool frame_open_ = false;
};

class Lz4BlockEncoder : public Encoder {
 public:
  explicit Lz4BlockEncoder(const std::filesystem::path& path)
      : file_(path), out_(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(lz4_block::kBlockBytes)))) {}

  void write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const auto part = bytes.substr(0, lz4_block::kBlockBytes - block_.size());
      block_.append(part);
      bytes.remove_prefix(part.size());
      if (block_.size() == lz4_block::kBlockBytes) {
        write_block();
      }
    }
  }

  void flush() override {}  // as Spark's: what is pending stays pending

  void finish() override {
    if (!block_.empty()) {
      write_block();
    }
    file_.write(lz4_block::encode({}));
    file_.flush();
  }

 private:
  void write_block() {
    const auto bytes = static_cast<std::uint32_t>(block_.size());
    const auto compressed = static_cast<std::uint32_t>(
        LZ4_compress_default(block_.data(), out_.data(), static_cast<int>(block_.size()), static_cast<int>(out_.size())));
    const bool smaller = compressed < bytes;
    file_.write(lz4_block::encode({.method = smaller ? lz4_block::kCompressed : lz4_block::kStored,
                                   .stored_bytes = smaller ? compressed : bytes,
                                   .bytes = bytes,
                                   .checksum = lz4_block::checksum(block_.data(), block_.size())}));
    file_.write(smaller ? std::string_view(out_.data(), compressed) : std::string_view(block_));
    block_.clear();
  }

  File file_;
  std::string block_;
  std::vector<char> out_;
};

class Lz4FrameEncoder : public Encoder {
 public:
  explicit Lz4FrameEncoder(const std::filesystem::path& path) : file_(path), out_(LZ4F_compressBound(kChunk, &preferences())) {
    LZ4F_cctx* context = nullptr;
    check(LZ4F_createCompressionContext(&context, LZ4F_VERSION));
    context_.reset(context);
    put(LZ4F_compressBegin(context, out_.data(), out_.size(), &preferences()));
  }

  void write(std::string_view bytes) override {
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kChunk))) {
      put(LZ4F_compressUpdate(context_.get(), out_.data(), out_.size(), bytes.data(), std::min(bytes.size(), kChunk), nullptr));
    }
  }

  void flush() override {}

  void finish() override {
    put(LZ4F_compressEnd(context_.get(), out_.data(), out_.size(), nullptr));
    file_.flush();
  }

 private:
  static constexpr std::size_t kChunk = 1 << 20;

  // The defaults of the command.
  static const LZ4F_preferences_t& preferences() {
    static const LZ4F_preferences_t command = [] {
      LZ4F_preferences_t made{};
      made.frameInfo.blockSizeID = LZ4F_max4MB;
      made.frameInfo.blockMode = LZ4F_blockIndependent;
      made.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
      return made;
    }();
    return command;
  }

  static std::size_t check(std::size_t code) {
    if (LZ4F_isError(code) != 0) {
      throw std::runtime_error(LZ4F_getErrorName(code));
    }
    return code;
  }
  void put(std::size_t bytes) { file_.write({out_.data(), check(bytes)}); }

  struct Free {
    void operator()(LZ4F_cctx* context) const { LZ4F_freeCompressionContext(context); }
  };
  File file_;
  std::vector<char> out_;
  std::unique_ptr<LZ4F_cctx, Free> context_;
};

std::unique_ptr<Encoder> make_encoder(Codec codec, const std::filesystem::path& path) {
  switch (codec) {
    case Codec::none:
      return std::make_unique<PlainEncoder>(path);
    case Codec::zstd:
      return std::make_unique<ZstdEncoder>(path);
    case Codec::lz4:
      return std::make_unique<Lz4BlockEncoder>(path);
    case Codec::lz4_frame:
      return std::make_unique<Lz4FrameEncoder>(path);
  }
  throw std::logic_error("no such codec");
}

std::string_view suffix_of(Codec codec) {
  switch (codec) {
    case Codec::none:
      return "";
    case Codec::zstd:
      return ".zstd";
    case Codec::lz4:
    case Codec::lz4_frame:
      return ".lz4";
  }
  return "";
}

}  // namespace

LogWriter::LogWriter(std::filesystem::path path, std::string application, Layout layout, Codec codec)
    : path_(std::move(path)), application_(std::move(application)), layout_(layout), codec_(codec) {
  if (layout_ == Layout::rolling) {
    path_ /= "eventlog_v2_" + application_;
    std::filesystem::create_directories(path_);
    File(path_ / ("appstatus_" + application_));
  }
  open_part();
}

void LogWriter::open_part() {
  if (part_) {
    part_->finish();
  }
  ++parts_;
  part_bytes_ = 0;
  const auto name = fmt::format("events_{}_{}{}", parts_, application_, suffix_of(codec_));
  part_ = make_encoder(codec_, layout_ == Layout::rolling ? path_ / name : path_);
}

void LogWriter::write(std::string_view line, Flush flush) {
  if (layout_ == Layout::rolling && part_bytes_ + line.size() > kPartBytes) {
    open_part();
  }
  part_->write(line);
  part_bytes_ += line.size();
  bytes_ += line.size();
  ++lines_;
  ++unflushed_lines_;
  if (flush == Flush::yes || unflushed_lines_ >= kFrameLines) {
    part_->flush();
    unflushed_lines_ = 0;
  }
}

void LogWriter::finish() {
  part_->finish();
}

}  // namespace stagegate::bench
