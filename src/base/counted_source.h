// A source of bytes of which somebody watches how many it has given.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "base/byte_source.h"

namespace stagegate {

class CountedSource : public ByteSource {
 public:
  // Adds to COUNT, which others may read on any thread, and which outlives it.
  CountedSource(std::unique_ptr<ByteSource> source, std::atomic<std::uint64_t>& count) : source_(std::move(source)), count_(count) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    auto count = source_->read(buffer);
    count_.fetch_add(count.value_or(0), std::memory_order_relaxed);
    return count;
  }
  std::uint64_t size() const override { return source_->size(); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::atomic<std::uint64_t>& count_;
};

}  // namespace stagegate
