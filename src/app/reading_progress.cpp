#include "app/reading_progress.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/counted_source.h"
#include "base/units.h"
#include "sys/machine.h"

namespace stagegate {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kQuietTime = std::chrono::seconds(1);
constexpr auto kRedrawTime = std::chrono::milliseconds(250);

class CountedFolder : public Folder {
 public:
  CountedFolder(std::unique_ptr<Folder> folder, std::atomic<std::uint64_t>& count) : folder_(std::move(folder)), count_(count) {}

  Result<std::vector<FolderEntry>> list() const override { return folder_->list(); }
  Result<std::unique_ptr<ByteSource>> open(std::string_view name) const override {
    STAGEGATE_TRY_ASSIGN(source, folder_->open(name));
    return std::make_unique<CountedSource>(std::move(source), count_);
  }
  Result<std::unique_ptr<Folder>> folder(std::string_view name) const override {
    STAGEGATE_TRY_ASSIGN(inner, folder_->folder(name));
    return std::make_unique<CountedFolder>(std::move(inner), count_);
  }

 private:
  std::unique_ptr<Folder> folder_;
  std::atomic<std::uint64_t>& count_;
};

// "reading  38 %  1.2 GiB of 3.1 GiB  512 MiB/s  4 s left"
std::string progress_line(std::uint64_t read, std::uint64_t total, std::chrono::duration<double> elapsed) {
  const auto rate = static_cast<double>(read) / elapsed.count();
  const auto bytes = [](auto count) { return format_bytes(static_cast<std::int64_t>(count)); };
  if (total == 0 || read == 0 || read > total) {
    return fmt::format("reading  {}  {}/s", bytes(read), bytes(rate));
  }
  const auto left = std::chrono::milliseconds(static_cast<std::int64_t>(static_cast<double>(total - read) / rate * 1000));
  return fmt::format("reading  {} %  {} of {}  {}/s  {} left", read * 100 / total, bytes(read), bytes(total), bytes(rate),
                     format_duration(left));
}

}  // namespace

ReadingProgress::ReadingProgress(std::uint64_t total_bytes) : total_bytes_(total_bytes) {
  if (is_terminal(Stream::err)) {
    thread_.start(1, [this] { redraw(); });
  }
}

ReadingProgress::~ReadingProgress() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ended_changed_.notify_all();
  thread_.join();
}

std::unique_ptr<ByteSource> ReadingProgress::watch(std::unique_ptr<ByteSource> source) {
  return std::make_unique<CountedSource>(std::move(source), read_bytes_);
}

std::unique_ptr<Folder> ReadingProgress::watch(std::unique_ptr<Folder> folder) {
  return std::make_unique<CountedFolder>(std::move(folder), read_bytes_);
}

void ReadingProgress::redraw() {
  const auto start = Clock::now();
  const auto width = static_cast<std::size_t>(std::max(terminal_width(Stream::err), 20));
  std::unique_lock lock(mutex_);
  auto next = start + kQuietTime;
  while (!ended_changed_.wait_until(lock, next, [&] { return ended_; })) {
    const auto line = progress_line(read_bytes_, total_bytes_, Clock::now() - start);
    fmt::print(stderr, "\r\x1b[K{}", std::string_view(line).substr(0, width - 1));
    std::fflush(stderr);
    next = Clock::now() + kRedrawTime;
  }
  if (next > start + kQuietTime) {
    fmt::print(stderr, "\r\x1b[K");
    std::fflush(stderr);
  }
}

}  // namespace stagegate
