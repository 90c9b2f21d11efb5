#include "ingest/read_parts.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/thread_group.h"
#include "ingest/part_in_work.h"

namespace stagegate {
namespace {

// Of all batches that wait for their turn.
constexpr std::size_t kMaxWaitingBytes = std::size_t{8} * 1024 * 1024;

// Blocks that wait to be parsed, for each thread: enough to keep all busy, little enough to stay in the processor's cache.
constexpr std::size_t kCutAheadPerThread = 2;

// A part is even with the others where it has more or less left than they have by less than such a fraction of it.
constexpr std::uint64_t kMarginsInAPart = 128;

// To read a part takes about so many times as long as to hand over what waits of it, which the calling thread does alone.
constexpr std::uint64_t kReadingPerHandOver = 8;

// The tasks of a block take about as much as those of the last one, and by up to such a fraction more.
constexpr std::size_t kSlackOfABatch = 8;

// Waking a thread that sleeps takes as long as cutting a block. Who has nothing to do looks for news so many times before.
constexpr int kLooksForNews = 200;

PartReader::OnEvent straight_to(const PartsConsumer& consumer) {
  return [&consumer](Event& event, std::size_t) {
    consumer.on_event(event);
    return true;
  };
}

Status read_in_turn(std::span<const LogPart> parts, TaskDepth depth, const PartsConsumer& consumer) {
  PartReader reader(depth);
  for (const auto& part : parts) {
    StoredProgress progress;
    STAGEGATE_TRY_ASSIGN(decoder, part.open(progress));
    STAGEGATE_TRY_ASSIGN(summary, reader.read(*decoder, straight_to(consumer)));
    consumer.on_part_end(part, summary);
  }
  return {};
}

// What a thread works with.
struct Workbench {
  explicit Workbench(TaskDepth depth) : reader(depth) {}

  PartReader reader;
  std::optional<Block> block;      // the one that was parsed last: it is in the cache of this thread's processor
  std::size_t bytes_of_tasks = 0;  // in the batch that was filled last: the next one will be about as large
};

class ParallelReader {
 public:
  ParallelReader(std::span<const LogPart> sources, TaskDepth depth, int threads)
      : sources_(sources),
        depth_(depth),
        thread_count_(static_cast<std::size_t>(threads)),
        parts_(sources.size()),
        uncut_parts_(sources.size()) {
    threads_.start(threads - 1, [this] { work(); });
  }
  ParallelReader(const ParallelReader&) = delete;
  ParallelReader& operator=(const ParallelReader&) = delete;

  ~ParallelReader() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
      ++news_;
    }
    wake_worker_.notify_all();
    threads_.join();
  }

  Status hand_over(const PartsConsumer& consumer) {
    Workbench bench(depth_);
    for (std::size_t part = 0; part < sources_.size(); ++part) {
      STAGEGATE_TRY_ASSIGN(summary, hand_over(part, bench, consumer));
      consumer.on_part_end(sources_[part], summary);
    }
    return {};
  }

 private:
  using Lock = std::unique_lock<std::mutex>;

  enum class Role : std::uint8_t { worker, calling_thread };
  enum class Pace : std::uint8_t { behind, even, ahead };

  Result<PartSummary> hand_over(std::size_t current, Workbench& bench, const PartsConsumer& consumer) {
    PartSummary summary;
    Lock lock(mutex_);
    current_ = current;
    auto& jobs = parts_[current].jobs;
    for (;;) {
      if (!jobs.empty() && jobs.front()->state != BlockJob::State::taken && !leaves_to_others(*jobs.front())) {
        auto job = take_front(jobs);
        lock.unlock();
        STAGEGATE_TRY_ASSIGN(next, hand_over(*job, bench.reader, consumer));
        append(summary, std::move(next));
        lock.lock();
        put_aside(std::move(job), bench);
        tell_workers();
      } else if (jobs.empty() && parts_[current].all_cut) {
        return summary;
      } else if (!do_something(Role::calling_thread, bench, lock)) {
        wait(wake_caller_, lock);
      }
    }
  }

  std::unique_ptr<BlockJob> take_front(std::deque<std::unique_ptr<BlockJob>>& jobs) {
    auto job = std::move(jobs.front());
    jobs.pop_front();
    if (job->state == BlockJob::State::cut) {
      std::erase(to_parse_, job.get());
    } else {
      waiting_bytes_ -= job->batch.bytes();
    }
    return job;
  }

  // The events of the block whose turn it is go straight on where nobody has parsed it yet: that saves packing them.
  static Result<PartSummary> hand_over(BlockJob& job, PartReader& reader, const PartsConsumer& consumer) {
    if (job.exception) {
      std::rethrow_exception(job.exception);
    }
    if (job.error) {
      return tl::unexpected(*std::move(job.error));
    }
    if (job.state == BlockJob::State::cut) {
      return job.read(reader, straight_to(consumer));
    }
    job.batch.replay(consumer.on_event);
    return std::move(job.summary);
  }

  void work() {
    Workbench bench(depth_);
    Lock lock(mutex_);
    while (!stopped_) {
      if (!do_something(Role::worker, bench, lock)) {
        wait(wake_worker_, lock);
      }
    }
  }

  // The block whose turn it is, where the calling thread had better cut the next one.
  bool leaves_to_others(const BlockJob& job) const {
    return job.state == BlockJob::State::cut && cuts_ahead() && can_cut(current_) && pace_of(current_) == Pace::behind;
  }

  // Cuts a block, or parses one. False: there is nothing to do.
  bool do_something(Role role, Workbench& bench, Lock& lock) {
    const auto part = next_to_cut(role);
    const auto pace = part ? pace_of(*part) : Pace::even;
    const bool cuts_first = part && pace != Pace::ahead && (pace == Pace::behind || cuts_for_others()) && cuts_ahead();
    if (!to_parse_.empty() && !cuts_first) {
      auto& job = *to_parse_.front();
      to_parse_.pop_front();
      parse(job, bench, lock);
      return true;
    }
    if (!part) {
      return false;
    }
    auto& job = cut(*part, bench, lock);
    if (job.state == BlockJob::State::parsed) {
      return true;
    }
    // Who has cut it has it in the cache of its processor. Others who wait can cut for themselves where that is no more than to read.
    if (pace == Pace::behind || (cuts_for_others() && !parts_[*part].is_plain)) {
      to_parse_.push_back(&job);
      tell_workers();
    } else if (role == Role::worker || *part != current_ || &job != parts_[*part].jobs.front().get()) {
      parse(job, bench, lock);
    }
    return true;
  }

  // Others wait, or will, as there are fewer parts left than threads.
  bool cuts_for_others() const { return idle_ > 0 || uncut_parts_ < thread_count_; }
  bool cuts_ahead() const { return to_parse_.size() < kCutAheadPerThread * thread_count_; }

  // Where each thread has its last part to cut, all should end at the same time: what is left of a single part is cut by one thread however
  // many there are, and what the others have read waits for the calling thread. So those that are ahead parse for those that are behind.
  Pace pace_of(std::size_t part) const {
    if (uncut_parts_ > thread_count_ || uncut_parts_ < 2) {
      return Pace::even;
    }
    std::uint64_t left_of_all = 0;
    std::uint64_t waiting = 0;
    for (auto other = current_; other < parts_.size(); ++other) {
      const auto& state = parts_[other];
      if (!state.all_cut && state.progress.size == 0) {
        return Pace::even;
      }
      left_of_all += state.all_cut ? 0 : state.bytes_left();
      waiting += other == current_ ? 0 : state.bytes_read() / kReadingPerHandOver;
    }
    const auto mean = (left_of_all + waiting) / uncut_parts_;
    const auto left = parts_[part].bytes_left() + (part == current_ ? waiting : 0);
    const auto margin = parts_[part].progress.size / kMarginsInAPart;
    return left > mean + margin ? Pace::behind : left + margin < mean ? Pace::ahead : Pace::even;
  }

  // The calling thread keeps to the part that it hands over, the others go before it. They stop when too much waits, but that part goes on.
  std::optional<std::size_t> next_to_cut(Role role) const {
    const bool is_worker = role == Role::worker;
    for (auto part = current_ + (is_worker ? 1 : 0); part < parts_.size(); ++part) {
      if (can_cut(part)) {
        return part;
      }
    }
    return is_worker && can_cut(current_) ? std::optional(current_) : std::nullopt;
  }

  bool can_cut(std::size_t part) const {
    const auto& state = parts_[part];
    const bool has_room = waiting_bytes_ < kMaxWaitingBytes || (part == current_ && state.jobs.empty());
    return has_room && !state.is_taken && !state.all_cut;
  }

  BlockJob& cut(std::size_t index, Workbench& bench, Lock& lock) {
    auto& part = parts_[index];
    part.is_taken = true;
    auto job = new_job(bench);
    lock.unlock();
    const bool more = part.cut_next(sources_[index], *job);
    auto ended = more ? nullptr : std::move(part.decoder);
    lock.lock();
    if (job->error || job->exception) {
      set_parsed(*job);
    }
    part.jobs.push_back(std::move(job));
    part.is_taken = false;
    part.all_cut = !more;
    uncut_parts_ -= more ? 0 : 1;
    auto& last = *part.jobs.back();
    tell_caller();
    tell_workers();
    return last;
  }

  void parse(BlockJob& job, Workbench& bench, Lock& lock) {
    job.state = BlockJob::State::taken;
    lock.unlock();
    try {
      job.batch.reserve(bench.bytes_of_tasks + bench.bytes_of_tasks / kSlackOfABatch);
      job.summary = job.read(bench.reader, [&](Event& event, std::size_t line_bytes) {
        job.batch.add(event, line_bytes);
        return true;
      });
      bench.bytes_of_tasks = job.batch.bytes_of_tasks();
    } catch (...) {
      job.exception = std::current_exception();
    }
    lock.lock();
    put_aside(std::move(job.block), bench);
    set_parsed(job);
    tell_caller();
  }

  // From now on it waits for its turn.
  void set_parsed(BlockJob& job) {
    waiting_bytes_ += job.batch.bytes();
    job.state = BlockJob::State::parsed;
  }

  std::unique_ptr<BlockJob> new_job(Workbench& bench) {
    auto job = std::make_unique<BlockJob>();
    if (bench.block) {
      job->block = *std::exchange(bench.block, std::nullopt);
    } else if (!spare_blocks_.empty()) {
      job->block = std::move(spare_blocks_.back());
      spare_blocks_.pop_back();
    }
    if (!spare_batches_.empty()) {
      job->batch = std::move(spare_batches_.back());
      spare_batches_.pop_back();
    }
    return job;
  }

  // Its memory is for others.
  void put_aside(std::unique_ptr<BlockJob> job, Workbench& bench) {
    spare_batches_.push_back(std::move(job->batch));
    if (job->state == BlockJob::State::cut) {
      put_aside(std::move(job->block), bench);
    }
  }
  void put_aside(Block block, Workbench& bench) {
    if (bench.block) {
      spare_blocks_.push_back(std::move(block));
    } else {
      bench.block = std::move(block);
    }
  }

  // With the lock held.
  void tell_caller() {
    ++news_;
    wake_caller_.notify_one();
  }
  void tell_workers() {
    ++news_;
    wake_worker_.notify_one();
  }

  void wait(std::condition_variable& wake, Lock& lock) {
    const auto seen = news_.load();
    ++idle_;
    lock.unlock();
    for (int i = 0; i < kLooksForNews && news_.load(std::memory_order_relaxed) == seen; ++i) {
      std::this_thread::yield();
    }
    lock.lock();
    if (news_.load() == seen) {
      wake.wait(lock);
    }
    --idle_;
  }

  std::span<const LogPart> sources_;
  TaskDepth depth_;
  std::size_t thread_count_;

  std::mutex mutex_;
  std::condition_variable wake_caller_;
  std::condition_variable wake_worker_;
  std::atomic<std::uint64_t> news_ = 0;  // counts what the others are told; changes with the lock held
  std::vector<PartInWork> parts_;
  std::size_t uncut_parts_;
  std::deque<BlockJob*> to_parse_;
  std::vector<Block> spare_blocks_;
  std::vector<EventBatch> spare_batches_;
  std::size_t current_ = 0;  // the part that is handed over
  std::size_t waiting_bytes_ = 0;
  int idle_ = 0;  // threads that wait
  bool stopped_ = false;
  ThreadGroup threads_;
};

}  // namespace

Status read_parts(std::span<const LogPart> parts, TaskDepth depth, int threads, const PartsConsumer& consumer) {
  return threads <= 1 || parts.empty() ? read_in_turn(parts, depth, consumer) : ParallelReader(parts, depth, threads).hand_over(consumer);
}

}  // namespace stagegate
