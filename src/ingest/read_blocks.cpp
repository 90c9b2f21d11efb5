#include "ingest/read_blocks.h"

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/start_threads.h"
#include "ingest/block_cutter.h"
#include "ingest/event_batch.h"

namespace stagegate {
namespace {

// Blocks that wait to be parsed, for each thread: enough to keep all busy, little enough to stay in the processor's cache.
constexpr std::size_t kWaitingPerThread = 4;

class BlockReader {
 public:
  BlockReader(Decoder& decoder, TaskDepth depth, int threads)
      : decoder_(decoder), cutter_(decoder), depth_(depth), most_waiting_(kWaitingPerThread * static_cast<std::size_t>(threads)) {
    start_threads(threads_, 1, [this] { run([this](PartReader& reader) { decode(reader); }); });
    if (has_threads()) {
      start_threads(threads_, threads - 2, [this] { run([this](PartReader& reader) { help(reader); }); });
    }
  }
  BlockReader(const BlockReader&) = delete;
  BlockReader& operator=(const BlockReader&) = delete;

  ~BlockReader() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
    for (auto& thread : threads_) {
      thread.join();
    }
  }

  // False: nobody decodes.
  bool has_threads() const { return !threads_.empty(); }

  Result<PartSummary> hand_over(const std::function<void(Event&)>& on_event) {
    PartReader reader(depth_);
    PartSummary summary;
    std::unique_lock lock(mutex_);
    for (;;) {
      if (exception_) {
        std::rethrow_exception(exception_);
      }
      if (!jobs_.empty() && jobs_.front()->state == State::parsed) {
        const auto job = std::move(jobs_.front());
        jobs_.pop_front();
        changed_.notify_all();
        lock.unlock();
        job->batch.replay(on_event);
        append(summary, std::move(job->summary));
        lock.lock();
        spare_.push_back(std::move(job->block));
      } else if (auto* job = take_waiting()) {
        parse(*job, reader, lock);
      } else if (jobs_.empty() && decoded_all_) {
        return error_ ? Result<PartSummary>(tl::unexpected(*error_)) : std::move(summary);
      } else {
        changed_.wait(lock);
      }
    }
  }

 private:
  enum class State : std::uint8_t { waiting, taken, parsed };

  struct Job {
    Block block;
    bool is_rest = false;  // the last line, which has no line feed
    std::string damage;    // of the decoder, where it is the rest
    State state = State::waiting;
    EventBatch batch;
    PartSummary summary;
  };

  template <typename Work>
  void run(Work&& work) {
    try {
      PartReader reader(depth_);
      work(reader);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      exception_ = exception_ ? exception_ : std::current_exception();
      changed_.notify_all();
    }
  }

  void decode(PartReader& reader) {
    std::unique_lock lock(mutex_);
    while (!stopped_ && !decoded_all_) {
      if (jobs_.size() < most_waiting_) {
        cut(lock);
      } else if (auto* job = take_waiting()) {
        parse(*job, reader, lock);
      } else {
        changed_.wait(lock);
      }
    }
    lock.unlock();
    help(reader);
  }

  void help(PartReader& reader) {
    std::unique_lock lock(mutex_);
    while (!stopped_) {
      if (auto* job = take_waiting()) {
        parse(*job, reader, lock);
      } else if (decoded_all_) {
        return;
      } else {
        changed_.wait(lock);
      }
    }
  }

  // The oldest block that nobody parses, with the lock held.
  Job* take_waiting() {
    const auto waiting = std::find_if(jobs_.begin(), jobs_.end(), [](const auto& job) { return job->state == State::waiting; });
    if (waiting == jobs_.end()) {
      return nullptr;
    }
    (*waiting)->state = State::taken;
    return waiting->get();
  }

  void parse(Job& job, PartReader& reader, std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    const auto on_event = [&](Event& event, std::size_t line_bytes) {
      job.batch.add(event, line_bytes);
      return true;
    };
    job.summary = job.is_rest ? reader.read_rest(job.block.view(), job.damage, on_event) : reader.read_lines(job.block.view(), on_event);
    lock.lock();
    job.state = State::parsed;
    changed_.notify_all();
  }

  void cut(std::unique_lock<std::mutex>& lock) {
    auto job = std::make_unique<Job>();
    if (!spare_.empty()) {
      job->block = std::move(spare_.back());
      spare_.pop_back();
    }
    lock.unlock();
    const auto more = cutter_.next(job->block);
    if (more && !*more) {
      job->is_rest = true;
      job->damage = decoder_.damage();
    }
    lock.lock();
    if (more) {
      jobs_.push_back(std::move(job));
    } else {
      error_ = more.error();
    }
    decoded_all_ = !more || !*more;
    changed_.notify_all();
  }

  Decoder& decoder_;
  BlockCutter cutter_;
  TaskDepth depth_;
  std::size_t most_waiting_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Job>> jobs_;  // in the order of the log
  std::vector<Block> spare_;
  bool decoded_all_ = false;
  bool stopped_ = false;
  std::optional<Error> error_;  // of the source, behind the last block
  std::exception_ptr exception_;
  std::vector<std::thread> threads_;
};

}  // namespace

Result<PartSummary> read_in_blocks(Decoder& decoder, TaskDepth depth, int threads, const std::function<void(Event&)>& on_event) {
  BlockReader reader(decoder, depth, threads);
  if (reader.has_threads()) {
    return reader.hand_over(on_event);
  }
  return PartReader(depth).read(decoder, [&](Event& event, std::size_t) {
    on_event(event);
    return true;
  });
}

}  // namespace stagegate
