// A column of 64-bit integers, packed: what a million tasks are kept in.
//
// A column of equal values costs nothing but the object itself (24 bytes). Others are cut into chunks of 1024 rows; each row of a chunk
// takes as many bytes as the largest distance from the chunk's first value needs: 1 for a partition, a task id or an executor, 2 to 4 for
// most bytes and records, 8 at the worst. Reading and writing a row are a few instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace stagegate {

class PackedColumn {
 public:
  PackedColumn();
  explicit PackedColumn(const std::vector<std::int64_t>& values);
  PackedColumn(const PackedColumn& other);
  PackedColumn(PackedColumn&& other) noexcept;
  PackedColumn& operator=(PackedColumn other) noexcept;
  ~PackedColumn();

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // ROW is below size().
  std::int64_t operator[](std::size_t row) const;
  void set(std::size_t row, std::int64_t value);

  void push_back(std::int64_t value) {
    if (!chunks_ && size_ > 0 && value == constant_) {
      ++size_;  // without a call: most columns of most stages stay so
    } else {
      push_back_other(value);
    }
  }
  void pop_back();  // not of an empty column
  // Appends zeros up to ROWS; never takes away.
  void fill_up(std::size_t rows);
  void clear() { *this = PackedColumn(); }

  std::vector<std::int64_t> values() const;
  // Whether all rows are known to be equal, of a column with rows.
  bool is_constant() const { return !chunks_; }
  std::size_t heap_bytes() const;

 private:
  struct Chunk;

  void push_back_other(std::int64_t value);
  void leave_constant();

  std::size_t size_ = 0;
  std::int64_t constant_ = 0;  // every row, while there are no chunks
  std::unique_ptr<std::vector<Chunk>> chunks_;
};

}  // namespace stagegate
