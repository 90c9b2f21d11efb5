#include "ingest/read_parts.h"

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/start_threads.h"
#include "ingest/event_batch.h"
#include "ingest/read_blocks.h"

namespace stagegate {
namespace {

// Of all batches that wait for their turn.
constexpr std::size_t kMaxWaitingBytes = std::size_t{24} * 1024 * 1024;

Result<PartSummary> read_part(const LogPart& part, PartReader& reader, const PartReader::OnEvent& on_event) {
  STAGEGATE_TRY_ASSIGN(decoder, part.open());
  return reader.read(*decoder, on_event);
}

Status read_in_turn(std::span<const LogPart> parts, TaskDepth depth, const PartsConsumer& consumer) {
  PartReader reader(depth);
  for (const auto& part : parts) {
    STAGEGATE_TRY_ASSIGN(summary, read_part(part, reader, [&](Event& event, std::size_t) {
                           consumer.on_event(event);
                           return true;
                         }));
    consumer.on_part_end(part, summary);
  }
  return {};
}

Status read_together(const LogPart& part, TaskDepth depth, int threads, const PartsConsumer& consumer) {
  STAGEGATE_TRY_ASSIGN(decoder, part.open());
  STAGEGATE_TRY_ASSIGN(summary, read_in_blocks(*decoder, depth, threads, consumer.on_event));
  consumer.on_part_end(part, summary);
  return {};
}

class ParallelReader {
 public:
  ParallelReader(std::span<const LogPart> parts, TaskDepth depth, int threads) : parts_(parts), depth_(depth), states_(parts.size()) {
    start_threads(threads_, threads, [this] { work(); });
  }
  ParallelReader(const ParallelReader&) = delete;
  ParallelReader& operator=(const ParallelReader&) = delete;

  ~ParallelReader() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    room_.notify_all();
    for (auto& thread : threads_) {
      thread.join();
    }
  }

  // False: nothing has been opened yet, and nobody would.
  bool has_threads() const { return !threads_.empty(); }

  Status hand_over(const PartsConsumer& consumer) {
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      while (auto batch = next_batch(part)) {
        batch->replay(consumer.on_event);
      }
      auto& state = states_[part];
      if (state.exception) {
        std::rethrow_exception(state.exception);
      }
      if (!state.summary) {
        return tl::unexpected(state.error);
      }
      consumer.on_part_end(parts_[part], *state.summary);
    }
    return {};
  }

 private:
  struct PartState {
    std::deque<EventBatch> waiting;
    bool ended = false;
    std::optional<PartSummary> summary;  // else there is an error or an exception
    Error error;
    std::exception_ptr exception;
  };

  // The next batch of PART, which is the first that has not been handed over; none at its end.
  std::optional<EventBatch> next_batch(std::size_t part) {
    std::unique_lock lock(mutex_);
    if (current_ != part) {
      current_ = part;
      room_.notify_all();
    }
    auto& state = states_[part];
    news_.wait(lock, [&] { return !state.waiting.empty() || state.ended; });
    if (state.waiting.empty()) {
      return std::nullopt;
    }
    auto batch = std::move(state.waiting.front());
    state.waiting.pop_front();
    waiting_bytes_ -= batch.bytes();
    room_.notify_all();
    return batch;
  }

  void work() {
    PartReader reader(depth_);
    for (;;) {
      std::size_t part = 0;
      {
        const std::lock_guard lock(mutex_);
        if (stopped_ || next_part_ == parts_.size()) {
          return;
        }
        part = next_part_++;
      }
      read(part, reader);
    }
  }

  void read(std::size_t part, PartReader& reader) {
    auto& state = states_[part];
    try {
      EventBatch batch;
      auto summary = read_part(parts_[part], reader, [&](Event& event, std::size_t line_bytes) {
        batch.add(event, line_bytes);
        return !batch.is_full() || put(part, batch);
      });
      put(part, batch);
      if (summary) {
        state.summary = *std::move(summary);
      } else {
        state.error = std::move(summary).error();
      }
    } catch (...) {
      state.exception = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    state.ended = true;
    news_.notify_all();
  }

  // Leaves BATCH empty. False where nobody wants more.
  bool put(std::size_t part, EventBatch& batch) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return stopped_ || part == current_ || waiting_bytes_ < kMaxWaitingBytes; });
    if (stopped_ || batch.empty()) {
      return !stopped_;
    }
    waiting_bytes_ += batch.bytes();
    states_[part].waiting.push_back(std::exchange(batch, EventBatch()));
    news_.notify_all();
    return true;
  }

  std::span<const LogPart> parts_;
  TaskDepth depth_;

  std::mutex mutex_;
  std::condition_variable room_;  // batches were taken, or another part's turn has come
  std::condition_variable news_;  // a batch was put, or a part has ended
  std::vector<PartState> states_;
  std::size_t next_part_ = 0;  // that no thread has begun
  std::size_t current_ = 0;    // whose batches are being taken: may always put more
  std::size_t waiting_bytes_ = 0;
  bool stopped_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

Status read_parts(std::span<const LogPart> parts, TaskDepth depth, int threads, const PartsConsumer& consumer) {
  if (threads <= 1 || parts.empty()) {
    return read_in_turn(parts, depth, consumer);
  }
  if (parts.size() == 1) {
    return read_together(parts.front(), depth, threads, consumer);
  }
  ParallelReader reader(parts, depth, static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(threads), parts.size())));
  return reader.has_threads() ? reader.hand_over(consumer) : read_in_turn(parts, depth, consumer);
}

}  // namespace stagegate
