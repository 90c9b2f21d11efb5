#include "ingest/read_ahead.h"

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace stagegate {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{256} * 1024;
constexpr std::size_t kMaxChunks = 8;

class ReadAhead : public Decoder {
 public:
  explicit ReadAhead(std::unique_ptr<Decoder> decoder) : decoder_(std::move(decoder)), thread_([this] { work(); }) {}
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  ~ReadAhead() override {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    room_.notify_all();
    thread_.join();
  }

  Result<std::size_t> read(std::span<char> buffer) override {
    if (given_ == current_.size()) {
      STAGEGATE_TRY_ASSIGN(more, take_chunk());
      if (!more) {
        return 0;
      }
    }
    const auto count = std::min(buffer.size(), current_.size() - given_);
    std::memcpy(buffer.data(), current_.data() + given_, count);
    given_ += count;
    return count;
  }

  // Nobody decodes any more when this is asked.
  std::string damage() const override { return decoder_->damage(); }
  bool is_plain() const override { return decoder_->is_plain(); }

 private:
  using Chunk = std::vector<char>;

  Result<bool> take_chunk() {
    std::unique_lock lock(mutex_);
    if (current_.capacity() > 0) {
      spare_.push_back(std::move(current_));
    }
    current_.clear();
    given_ = 0;
    news_.wait(lock, [&] { return !ready_.empty() || ended_; });
    if (!ready_.empty()) {
      current_ = std::move(ready_.front());
      ready_.pop_front();
      lock.unlock();
      room_.notify_one();
      return true;
    }
    if (exception_) {
      std::rethrow_exception(exception_);
    }
    if (!status_) {
      return tl::unexpected(status_.error());
    }
    return false;
  }

  void work() {
    try {
      decode();
    } catch (...) {
      exception_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    ended_ = true;
    news_.notify_one();
  }

  void decode() {
    for (;;) {
      auto chunk = empty_chunk();
      const auto filled = fill(chunk);
      std::unique_lock lock(mutex_);
      if (!chunk.empty()) {
        ready_.push_back(std::move(chunk));
        news_.notify_one();
      }
      if (!filled) {
        status_ = tl::unexpected(filled.error());
        return;
      }
      room_.wait(lock, [&] { return ready_.size() < kMaxChunks || stopped_; });
      if (*filled == 0 || stopped_) {
        return;
      }
    }
  }

  Chunk empty_chunk() {
    const std::lock_guard lock(mutex_);
    Chunk chunk;
    if (!spare_.empty()) {
      chunk = std::move(spare_.back());
      spare_.pop_back();
    }
    chunk.resize(kChunkBytes);
    return chunk;
  }

  // Until CHUNK is full or the decoder at its end: what the last read() gave.
  Result<std::size_t> fill(Chunk& chunk) {
    std::size_t size = 0;
    Result<std::size_t> count = 0;
    do {
      count = decoder_->read(std::span(chunk).subspan(size));
      size += count.value_or(0);
    } while (count && *count > 0 && size < chunk.size());
    chunk.resize(size);
    return count;
  }

  std::unique_ptr<Decoder> decoder_;
  Chunk current_;
  std::size_t given_ = 0;

  std::mutex mutex_;
  std::condition_variable room_;  // a chunk was taken
  std::condition_variable news_;  // a chunk is ready, or the decoder at its end
  std::deque<Chunk> ready_;
  std::vector<Chunk> spare_;
  bool ended_ = false;
  bool stopped_ = false;
  Status status_;
  std::exception_ptr exception_;
  std::thread thread_;  // starts when all the others are there
};

}  // namespace

std::unique_ptr<Decoder> read_ahead(std::unique_ptr<Decoder> decoder) {
  if (decoder->is_plain()) {
    return decoder;
  }
  return std::make_unique<ReadAhead>(std::move(decoder));
}

}  // namespace stagegate
