// Bytes in a row that grow at their end.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace stagegate {

// Bytes behind them, as many as kLinePadding, can be read, and written to: for readers and writers of whole words that run over the end.
class Block {
 public:
  Block() = default;
  Block(Block&& other) noexcept;
  Block& operator=(Block&& other) noexcept;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() = default;

  std::string_view view() const { return {bytes_.get(), size_}; }
  std::size_t size() const { return size_; }
  // What there is memory for.
  std::size_t capacity() const { return capacity_; }

  // At least BYTES behind the end, which grow() takes in; the bytes before may move.
  char* room(std::size_t bytes) {
    if (capacity_ - size_ < bytes) {
      enlarge(bytes);
    }
    return bytes_.get() + size_;
  }
  void grow(std::size_t bytes) { size_ += bytes; }
  // Keeps its memory.
  void shrink(std::size_t size) { size_ = size; }

 private:
  void enlarge(std::size_t bytes);

  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace stagegate
