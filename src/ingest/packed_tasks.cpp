#include "ingest/packed_tasks.h"

#include <bit>
#include <cstdint>
#include <string_view>

namespace stagegate {
namespace {

// Integers are written seven bits a byte, the lowest first; all but the last byte have the highest bit set.
void put(std::string& bytes, std::uint64_t value) {
  while (value >= 0x80) {
    bytes += static_cast<char>(value | 0x80U);
    value >>= 7U;
  }
  bytes += static_cast<char>(value);
}

// Negative ones, which only a broken log has, take ten bytes.
void put(std::string& bytes, std::int64_t value) {
  put(bytes, static_cast<std::uint64_t>(value));
}

void put(std::string& bytes, std::string_view text) {
  put(bytes, static_cast<std::uint64_t>(text.size()));
  bytes += text;
}

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

  std::string_view text() {
    const auto size = static_cast<std::size_t>(number());
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
  put(bytes_, std::int64_t{task.stage});
  put(bytes_, std::int64_t{task.attempt});
  put(bytes_, std::int64_t{task.partition});
  put(bytes_, std::int64_t{task.attempt_number});
  put(bytes_, task.task_id);
  put(bytes_, task.launched_ms);
  put(bytes_, static_cast<std::uint64_t>(task.kind) << 1U | (task.speculative ? 1U : 0U));
  for (const auto text : {task.executor, task.host, task.reason, task.error_class, task.error}) {
    put(bytes_, text);
  }
  const auto some = without_zeros(task.numbers);
  put(bytes_, task.numbers.present);
  put(bytes_, some);
  for (auto left = some; left != 0; left ^= lowest_bit(left)) {
    put(bytes_, task.numbers.values[static_cast<std::size_t>(std::countr_zero(left))]);
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
  for (auto* text : {&task.executor, &task.host, &task.reason, &task.error_class, &task.error}) {
    *text = from.text();
  }
  task.numbers.present = from.number();
  for (auto left = from.number(); left != 0; left ^= lowest_bit(left)) {
    task.numbers.values[static_cast<std::size_t>(std::countr_zero(left))] = from.integer();
  }
  return from.position();
}

}  // namespace stagegate
