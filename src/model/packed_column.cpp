#include "model/packed_column.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <utility>

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

std::size_t bytes_for(std::uint64_t distance) {
  return (static_cast<std::size_t>(std::bit_width(distance)) + 7) / 8;
}

std::uint64_t mask_of(std::size_t width) {
  return width == sizeof(std::uint64_t) ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * width) - 1;
}

static_assert(std::endian::native == std::endian::little, "the low bytes of a word are read and written as they lie in memory");

}  // namespace

struct PackedColumn::Chunk {
  std::int64_t base = 0;
  std::size_t rows = 0;
  std::size_t width = 0;              // bytes a row
  std::vector<unsigned char> packed;  // rows * width, and kPadding

  std::uint64_t packed_at(std::size_t row) const {
    std::uint64_t word = 0;
    std::memcpy(&word, packed.data() + row * width, sizeof word);
    return word & mask_of(width);
  }

  std::int64_t at(std::size_t row) const { return width == 0 ? base : at_distance(base, packed_at(row)); }

  void pack(std::size_t row, std::uint64_t distance) { std::memcpy(packed.data() + row * width, &distance, width); }

  // A chunk that gets many rows is likely to get all of them: room for these at once leaves no half-empty doublings behind.
  static void make_room(std::vector<unsigned char>& bytes, std::size_t rows, std::size_t width) {
    if (rows >= kChunkRows / 16) {
      bytes.reserve(kChunkRows * width + kPadding);
    }
  }

  void widen(std::size_t wider) {
    std::vector<unsigned char> larger;
    make_room(larger, rows, wider);
    larger.resize(rows * wider + kPadding);
    for (std::size_t row = 0; row < rows; ++row) {
      const auto distance = width == 0 ? 0 : packed_at(row);
      std::memcpy(larger.data() + row * wider, &distance, wider);
    }
    packed = std::move(larger);
    width = wider;
  }

  void set(std::size_t row, std::int64_t value) {
    const auto far = distance(base, value);
    if (bytes_for(far) > width) {
      widen(bytes_for(far));
    }
    if (width > 0) {
      pack(row, far);
    }
  }

  void push_back(std::int64_t value) {
    base = rows == 0 ? value : base;
    ++rows;
    if (width > 0) {
      make_room(packed, rows, width);
      packed.resize(rows * width + kPadding);
    }
    set(rows - 1, value);
  }

  void pop_back() {
    --rows;
    if (width > 0) {
      packed.resize(rows * width + kPadding);
    }
  }
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

void PackedColumn::push_back(std::int64_t value) {
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
    bytes += chunk.packed.capacity();
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
