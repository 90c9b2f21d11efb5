#include "ingest/packed_tasks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "base/few_bytes.h"

namespace stagegate {
namespace {

// A task is a word that says which numbers it has and how it ended, then the widths of its numbers, sixteen to a word, then the numbers,
// each as wide as it needs, then its texts. Neither way needs a branch for a number. Negative ones take eight bytes; only broken logs
// have them.
constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr std::size_t kBitsOfAWidth = 4;
constexpr std::size_t kWidthsInAWord = 64 / kBitsOfAWidth;

constexpr std::size_t kTexts = 5;
constexpr std::size_t kHeadNumbers = 6 + kTexts;  // ids, and sizes of texts
constexpr std::size_t kMostNumbers = kHeadNumbers + TaskNumbers::kCount;

// Behind the bits of the numbers.
constexpr std::size_t kKindBit = TaskNumbers::kCount;
constexpr std::size_t kSpeculativeBit = kKindBit + 2;
static_assert(kSpeculativeBit < 64);

constexpr std::size_t widths_of(std::size_t numbers) {
  return (numbers + kWidthsInAWord - 1) / kWidthsInAWord * kWord;
}

constexpr std::size_t kMostBytesBeforeTexts = kWord + widths_of(kMostNumbers) + kMostNumbers * kWord;

std::size_t numbers_in(std::uint64_t present) {
  return kHeadNumbers + static_cast<std::size_t>(std::popcount(present));
}

class Packer {
 public:
  Packer(char* to, std::size_t numbers) : widths_at_(to), end_(to + widths_of(numbers)) {}

  // Writes a whole word, of which the next number takes what is not needed.
  void put(std::uint64_t number) {
    const auto width = bytes_for(number);
    set_word(end_, number);
    end_ += width;
    widths_ |= std::uint64_t{width} << shift_;
    shift_ += kBitsOfAWidth;
    if (shift_ == 64) {
      put_widths();
    }
  }
  void put(std::int64_t number) { put(static_cast<std::uint64_t>(number)); }

  // Gives the end of the last number.
  char* finish() {
    if (shift_ > 0) {
      put_widths();
    }
    return end_;
  }

 private:
  void put_widths() {
    set_word(widths_at_, widths_);
    widths_at_ += kWord;
    widths_ = 0;
    shift_ = 0;
  }

  char* widths_at_;
  char* end_;
  std::uint64_t widths_ = 0;
  std::size_t shift_ = 0;
};

class Unpacker {
 public:
  Unpacker(const char* from, std::size_t numbers) : widths_at_(from), at_(from + widths_of(numbers)) {}

  std::uint64_t number() {
    if (left_ == 0) {
      widths_ = word_at(widths_at_);
      widths_at_ += kWord;
      left_ = kWidthsInAWord;
    }
    const auto width = static_cast<std::size_t>(widths_ % (1U << kBitsOfAWidth));
    widths_ >>= kBitsOfAWidth;
    --left_;
    const auto number = word_at(at_) & mask_of(width);
    at_ += width;
    return number;
  }
  std::int64_t integer() { return static_cast<std::int64_t>(number()); }
  std::int32_t small() { return static_cast<std::int32_t>(number()); }

  std::string_view text(std::size_t size) {
    at_ += size;
    return {at_ - size, size};
  }

  const char* at() const { return at_; }

 private:
  const char* widths_at_;
  const char* at_;
  std::uint64_t widths_ = 0;
  std::size_t left_ = 0;
};

// Calls ON_NUMBER with the place of each number that is PRESENT.
template <typename OnNumber>
void for_each_present(std::uint64_t present, OnNumber&& on_number) {
  for (auto left = present; left != 0; left &= left - 1) {
    on_number(static_cast<std::size_t>(std::countr_zero(left)));
  }
}

}  // namespace

std::size_t PackedTasks::add(const TaskEnd& task) {
  const auto position = bytes_.size();
  const std::array<std::string_view, kTexts> texts{task.executor, task.host, task.reason, task.error_class, task.error};
  std::size_t text_bytes = 0;
  for (const auto text : texts) {
    text_bytes += text.size();
  }
  const auto present = task.numbers.present;
  auto* const begin = bytes_.room(kMostBytesBeforeTexts + text_bytes);
  set_word(begin, present | std::uint64_t{static_cast<std::uint8_t>(task.kind)} << kKindBit |
                      (task.speculative ? TaskNumbers::bit(kSpeculativeBit) : 0));
  Packer packer(begin + kWord, numbers_in(present));
  for (const auto number : {task.stage, task.attempt, task.partition, task.attempt_number}) {
    packer.put(std::int64_t{number});
  }
  packer.put(task.task_id);
  packer.put(task.launched_ms);
  for (const auto text : texts) {
    packer.put(std::uint64_t{text.size()});
  }
  for_each_present(present, [&](std::size_t number) { packer.put(task.numbers.values[number]); });
  auto* end = packer.finish();
  for (const auto text : texts) {
    end += text.copy(end, text.size());
  }
  bytes_.grow(static_cast<std::size_t>(end - begin));
  return position;
}

std::size_t PackedTasks::unpack(std::size_t position, TaskEnd& task) const {
  const char* const begin = bytes_.view().data() + position;
  const auto head = word_at(begin);
  const auto present = head & (TaskNumbers::bit(TaskNumbers::kCount) - 1);
  task.kind = static_cast<TaskEndKind>(head >> kKindBit & 3U);
  task.speculative = (head & TaskNumbers::bit(kSpeculativeBit)) != 0;
  Unpacker from(begin + kWord, numbers_in(present));
  task.stage = from.small();
  task.attempt = from.small();
  task.partition = from.small();
  task.attempt_number = from.small();
  task.task_id = from.integer();
  task.launched_ms = from.integer();
  std::array<std::size_t, kTexts> sizes{};
  std::generate(sizes.begin(), sizes.end(), [&] { return static_cast<std::size_t>(from.number()); });
  task.numbers = TaskNumbers();
  task.numbers.present = present;
  for_each_present(present, [&](std::size_t number) { task.numbers.values[number] = from.integer(); });
  std::size_t next = 0;
  for (auto* text : {&task.executor, &task.host, &task.reason, &task.error_class, &task.error}) {
    *text = from.text(sizes[next++]);
  }
  return position + static_cast<std::size_t>(from.at() - begin);
}

}  // namespace stagegate
