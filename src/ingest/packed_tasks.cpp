#include "ingest/packed_tasks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

namespace stagegate {
namespace {

// Integers are written seven bits a byte, the lowest first; all but the last byte have the highest bit set. Negative ones, which only a
// broken log has, take ten bytes.
constexpr std::size_t kMostBytesOfANumber = 10;
constexpr std::size_t kTexts = 5;
constexpr std::size_t kMostNumbers = 9 + kTexts + TaskNumbers::kCount;

// The numbers of one task. They are put together here and appended at once: that costs a third of appending byte by byte.
class Packer {
 public:
  void put(std::uint64_t value) {
    while (value >= 0x80) {
      *end_++ = static_cast<char>(value | 0x80U);
      value >>= 7U;
    }
    *end_++ = static_cast<char>(value);
  }

  void put(std::int64_t value) { put(static_cast<std::uint64_t>(value)); }

  std::string_view bytes() const { return {buffer_.data(), static_cast<std::size_t>(end_ - buffer_.data())}; }

 private:
  std::array<char, kMostNumbers * kMostBytesOfANumber>
      buffer_;  // NOLINT(cppcoreguidelines-pro-type-member-init): written before it is read
  char* end_ = buffer_.data();
};

class Unpacker {
 public:
  Unpacker(std::string_view bytes, std::size_t position) : bytes_(bytes), position_(position) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_[position_++]);
      value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
      if (byte < 0x80) {
        return value;
      }
    }
  }

  std::int64_t integer() { return static_cast<std::int64_t>(number()); }
  std::int32_t small() { return static_cast<std::int32_t>(number()); }

  std::string_view text(std::size_t size) {
    position_ += size;
    return bytes_.substr(position_ - size, size);
  }

  std::size_t position() const { return position_; }

 private:
  std::string_view bytes_;
  std::size_t position_;
};

std::uint64_t lowest_bit(std::uint64_t bits) {
  return bits & (~bits + 1);
}

std::uint64_t without_zeros(const TaskNumbers& numbers) {
  std::uint64_t some = 0;
  for (auto left = numbers.present; left != 0; left ^= lowest_bit(left)) {
    const auto number = static_cast<std::size_t>(std::countr_zero(left));
    some |= numbers.values[number] == 0 ? 0 : TaskNumbers::bit(number);
  }
  return some;
}

}  // namespace

std::size_t PackedTasks::add(const TaskEnd& task) {
  const auto position = bytes_.size();
  const std::array<std::string_view, kTexts> texts{task.executor, task.host, task.reason, task.error_class, task.error};
  Packer packer;
  for (const auto number : {task.stage, task.attempt, task.partition, task.attempt_number}) {
    packer.put(std::int64_t{number});
  }
  packer.put(task.task_id);
  packer.put(task.launched_ms);
  packer.put(static_cast<std::uint64_t>(task.kind) << 1U | (task.speculative ? 1U : 0U));
  for (const auto text : texts) {
    packer.put(static_cast<std::uint64_t>(text.size()));
  }
  const auto some = without_zeros(task.numbers);
  packer.put(task.numbers.present);
  packer.put(some);
  for (auto left = some; left != 0; left ^= lowest_bit(left)) {
    packer.put(task.numbers.values[static_cast<std::size_t>(std::countr_zero(left))]);
  }
  bytes_ += packer.bytes();
  for (const auto text : texts) {
    bytes_ += text;
  }
  return position;
}

std::size_t PackedTasks::unpack(std::size_t position, TaskEnd& task) const {
  Unpacker from(bytes_, position);
  task.stage = from.small();
  task.attempt = from.small();
  task.partition = from.small();
  task.attempt_number = from.small();
  task.task_id = from.integer();
  task.launched_ms = from.integer();
  const auto end = from.number();
  task.kind = static_cast<TaskEndKind>(end >> 1U);
  task.speculative = (end & 1U) != 0;
  std::array<std::size_t, kTexts> sizes{};
  std::generate(sizes.begin(), sizes.end(), [&] { return static_cast<std::size_t>(from.number()); });
  task.numbers = TaskNumbers();
  task.numbers.present = from.number();
  for (auto left = from.number(); left != 0; left ^= lowest_bit(left)) {
    task.numbers.values[static_cast<std::size_t>(std::countr_zero(left))] = from.integer();
  }
  std::size_t next = 0;
  for (auto* text : {&task.executor, &task.host, &task.reason, &task.error_class, &task.error}) {
    *text = from.text(sizes[next++]);
  }
  return from.position();
}

}  // namespace stagegate
