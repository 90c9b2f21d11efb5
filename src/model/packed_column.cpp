#include "model/packed_column.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <memory>
#include <utility>

#include "base/few_bytes.h"

namespace stagegate {
namespace {

constexpr std::size_t kChunkRows = 1024;

// Behind the last row of a chunk, so that a row is read as one word.
constexpr std::size_t kPadding = sizeof(std::uint64_t);

// Small distances in both directions become small numbers. Arithmetic is modulo 2^64, so that no distance is too large.
std::uint64_t distance(std::int64_t base, std::int64_t value) {
  const std::uint64_t difference = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(base);
  return difference << 1U ^ (difference >> 63U != 0 ? ~std::uint64_t{0} : 0);
}

std::int64_t at_distance(std::int64_t base, std::uint64_t distance) {
  const std::uint64_t difference = distance >> 1U ^ ((distance & 1U) != 0 ? ~std::uint64_t{0} : 0);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(base) + difference);
}

}  // namespace

struct PackedColumn::Chunk {
  std::int64_t base = 0;
  std::size_t rows = 0;
  std::size_t width = 0;                    // bytes a row
  std::size_t room = 0;                     // rows that there is memory for, where their width is not 0
  std::unique_ptr<unsigned char[]> packed;  // room * width, and kPadding

  Chunk() = default;
  Chunk(const Chunk& other) : base(other.base), rows(other.rows), width(other.width), room(other.rows) {
    if (other.packed) {
      packed = memory_for(room, width);
      std::memcpy(packed.get(), other.packed.get(), rows * width);
    }
  }
  Chunk(Chunk&&) noexcept = default;
  Chunk& operator=(const Chunk&) = delete;
  Chunk& operator=(Chunk&&) noexcept = default;
  ~Chunk() = default;

  // It is not cleared: what no row fills is not taken from the machine.
  static std::unique_ptr<unsigned char[]> memory_for(std::size_t rows, std::size_t width) {
    return std::make_unique_for_overwrite<unsigned char[]>(rows * width + kPadding);
  }

  // A chunk that gets many rows is likely to get all of them: room for these at once leaves no half-empty doublings behind.
  static std::size_t room_for(std::size_t rows) {
    constexpr std::size_t kManyRows = kChunkRows / 16;
    return rows >= kManyRows ? kChunkRows : std::bit_ceil(std::max(rows, std::size_t{4}));
  }

  std::size_t heap_bytes() const { return packed ? room * width + kPadding : 0; }

  // With rows behind it, which are in the upper bytes.
  std::uint64_t word_of(std::size_t row) const { return word_at(packed.get() + row * width); }
  void set_word_of(std::size_t row, std::uint64_t word) { set_word(packed.get() + row * width, word); }

  std::int64_t at(std::size_t row) const { return width == 0 ? base : at_distance(base, word_of(row) & mask_of(width)); }

  void set_width(std::size_t wider, std::size_t new_room) {
    auto larger = memory_for(new_room, wider);
    for (std::size_t row = 0; row < rows; ++row) {
      const auto distance = width == 0 ? 0 : word_of(row) & mask_of(width);
      set_word(larger.get() + row * wider, distance);
    }
    packed = std::move(larger);
    width = wider;
    room = new_room;
  }

  void set(std::size_t row, std::int64_t value) {
    const auto far = distance(base, value);
    if (bytes_for(far) > width) {
      set_width(bytes_for(far), room_for(rows));
    }
    if (width > 0) {
      set_word_of(row, (word_of(row) & ~mask_of(width)) | far);
    }
  }

  void push_back(std::int64_t value) {
    base = rows == 0 ? value : base;
    const auto far = distance(base, value);
    if (bytes_for(far) > width || (width > 0 && rows == room)) {
      set_width(std::max(bytes_for(far), width), room_for(rows + 1));
    }
    if (width > 0) {
      set_word_of(rows, far);  // there is no row behind it yet
    }
    ++rows;
  }

  void pop_back() { --rows; }
};

PackedColumn::PackedColumn() = default;

PackedColumn::PackedColumn(const std::vector<std::int64_t>& values) {
  for (const auto value : values) {
    push_back(value);
  }
}

PackedColumn::PackedColumn(const PackedColumn& other)
    : size_(other.size_),
      constant_(other.constant_),
      chunks_(other.chunks_ ? std::make_unique<std::vector<Chunk>>(*other.chunks_) : nullptr) {}

PackedColumn::PackedColumn(PackedColumn&& other) noexcept
    : size_(std::exchange(other.size_, 0)), constant_(other.constant_), chunks_(std::move(other.chunks_)) {}

PackedColumn& PackedColumn::operator=(PackedColumn other) noexcept {
  std::swap(size_, other.size_);
  std::swap(constant_, other.constant_);
  std::swap(chunks_, other.chunks_);
  return *this;
}

PackedColumn::~PackedColumn() = default;

std::int64_t PackedColumn::operator[](std::size_t row) const {
  assert(row < size_);
  return chunks_ ? (*chunks_)[row / kChunkRows].at(row % kChunkRows) : constant_;
}

void PackedColumn::set(std::size_t row, std::int64_t value) {
  assert(row < size_);
  if (!chunks_) {
    if (value == constant_) {
      return;
    }
    leave_constant();
  }
  (*chunks_)[row / kChunkRows].set(row % kChunkRows, value);
}

void PackedColumn::push_back_other(std::int64_t value) {
  if (size_ == 0) {
    constant_ = value;
    chunks_.reset();
  }
  if (!chunks_ && value != constant_) {
    leave_constant();
  }
  if (chunks_) {
    if (size_ % kChunkRows == 0) {
      chunks_->emplace_back();
    }
    chunks_->back().push_back(value);
  }
  ++size_;
}

void PackedColumn::pop_back() {
  assert(size_ > 0);
  --size_;
  if (!chunks_) {
    return;
  }
  chunks_->back().pop_back();
  if (chunks_->back().rows == 0) {
    chunks_->pop_back();
  }
}

void PackedColumn::fill_up(std::size_t rows) {
  while (size_ < rows) {
    push_back(0);
  }
}

std::vector<std::int64_t> PackedColumn::values() const {
  std::vector<std::int64_t> all(size_, constant_);
  auto next = all.begin();
  for (std::size_t chunk = 0; chunks_ && chunk < chunks_->size(); ++chunk) {
    for (std::size_t row = 0; row < (*chunks_)[chunk].rows; ++row) {
      *next++ = (*chunks_)[chunk].at(row);
    }
  }
  return all;
}

std::size_t PackedColumn::heap_bytes() const {
  if (!chunks_) {
    return 0;
  }
  std::size_t bytes = sizeof(std::vector<Chunk>) + chunks_->capacity() * sizeof(Chunk);
  for (const auto& chunk : *chunks_) {
    bytes += chunk.heap_bytes();
  }
  return bytes;
}

void PackedColumn::leave_constant() {
  chunks_ = std::make_unique<std::vector<Chunk>>();
  for (std::size_t row = 0; row < size_; row += kChunkRows) {
    auto& chunk = chunks_->emplace_back();
    chunk.base = constant_;
    chunk.rows = std::min(kChunkRows, size_ - row);
  }
}

}  // namespace stagegate
