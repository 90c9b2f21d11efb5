#include "ingest/packed_tasks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/few_bytes.h"

namespace stagegate {
namespace {

// A task is a word that says which numbers it has and how it ended, a word that says which of them are not 0, then the widths of those,
// sixteen to a word, then they themselves, each as wide as it needs, then its texts. Neither way needs a branch for a number. Negative ones
// take eight bytes; only broken logs have them.
constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr std::size_t kBitsOfAWidth = 4;
constexpr std::size_t kWidthsInAWord = 64 / kBitsOfAWidth;

constexpr std::size_t kHeadWords = 2;
constexpr std::size_t kHeadNumbers = 6 + 1;  // ids, and the sizes of the texts
constexpr std::size_t kMostNumbers = kHeadNumbers + TaskNumbers::kCount;

// Behind the bits of the numbers.
constexpr std::size_t kKindBit = TaskNumbers::kCount;
constexpr std::size_t kSpeculativeBit = kKindBit + 2;
constexpr std::size_t kCountBit = kSpeculativeBit + 1;  // of the numbers that are not 0
static_assert(kCountBit + std::bit_width(TaskNumbers::kCount) <= 64);

constexpr std::size_t kTexts = 5;
using Texts = std::array<std::string_view, kTexts>;
using Sizes = std::array<std::size_t, kTexts>;

// The sizes of texts are one number. Where one is larger than its part of that can hold, they stand in front of the texts, each as a word.
constexpr std::size_t kBitsOfASize = 12;
constexpr std::uint64_t kLargestSize = (std::uint64_t{1} << kBitsOfASize) - 1;
constexpr std::uint64_t kSizesStandBefore = std::uint64_t{1} << (kBitsOfASize * kTexts);

constexpr std::size_t widths_of(std::size_t numbers) {
  return (numbers + kWidthsInAWord - 1) / kWidthsInAWord * kWord;
}

constexpr std::size_t kMostBytesBeforeTexts = kHeadWords * kWord + widths_of(kMostNumbers) + kMostNumbers * kWord + kTexts * kWord;

std::uint64_t sizes_of(const Texts& texts) {
  std::uint64_t sizes = 0;
  std::uint64_t all_bits = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    sizes |= std::uint64_t{texts[i].size()} << (kBitsOfASize * i);
    all_bits |= texts[i].size();
  }
  return all_bits > kLargestSize ? kSizesStandBefore : sizes;
}

Sizes sizes_in(std::uint64_t number) {
  Sizes sizes{};
  for (auto& size : sizes) {
    size = number & kLargestSize;
    number >>= kBitsOfASize;
  }
  return sizes;
}

// Gives the end of the copy. A call of the library for a word of a few bytes would cost more than all the numbers of a task.
char* copy(std::string_view text, char* to) {
  const auto* from = text.data();
  const auto size = text.size();
  if (size > 2 * kWord) {
    std::memcpy(to, from, size);
  } else if (size >= kWord) {
    const auto last = word_at(from + size - kWord);
    set_word(to, word_at(from));
    set_word(to + size - kWord, last);
  } else {
    for (std::size_t i = 0; i < size; ++i) {
      to[i] = from[i];
    }
  }
  return to + size;
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

  // Behind the last number.
  Sizes words() {
    Sizes words{};
    std::generate(words.begin(), words.end(), [&] {
      at_ += kWord;
      return static_cast<std::size_t>(word_at(at_ - kWord));
    });
    return words;
  }
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

// Calls ON_NUMBER with the place of each bit of MASK that is set.
template <typename OnNumber>
void for_each_bit(std::uint64_t mask, OnNumber&& on_number) {
  for (auto left = mask; left != 0; left &= left - 1) {
    on_number(static_cast<std::size_t>(std::countr_zero(left)));
  }
}

// Numbers that are there and not 0.
struct Stored {
  std::uint64_t mask = 0;
  std::uint64_t count = 0;
};

Stored stored_of(const TaskNumbers& numbers) {
  Stored stored;
  for_each_bit(numbers.present, [&](std::size_t number) {
    const std::uint64_t is_stored = numbers.values[number] != 0 ? 1 : 0;
    stored.mask |= is_stored << number;
    stored.count += is_stored;
  });
  return stored;
}

}  // namespace

std::size_t PackedTasks::add(const TaskEnd& task) {
  const auto position = bytes_.size();
  const Texts texts{task.executor, task.host, task.reason, task.error_class, task.error};
  std::size_t text_bytes = 0;
  for (const auto text : texts) {
    text_bytes += text.size();
  }
  const auto stored = stored_of(task.numbers);
  auto* const begin = bytes_.room(kMostBytesBeforeTexts + text_bytes);
  set_word(begin, task.numbers.present | std::uint64_t{static_cast<std::uint8_t>(task.kind)} << kKindBit |
                      (task.speculative ? TaskNumbers::bit(kSpeculativeBit) : 0) | stored.count << kCountBit);
  set_word(begin + kWord, stored.mask);
  Packer packer(begin + kHeadWords * kWord, kHeadNumbers + stored.count);
  for (const auto number : {task.stage, task.attempt, task.partition, task.attempt_number}) {
    packer.put(std::int64_t{number});
  }
  packer.put(task.task_id);
  packer.put(task.launched_ms);
  const auto sizes = sizes_of(texts);
  packer.put(sizes);
  for_each_bit(stored.mask, [&](std::size_t number) { packer.put(task.numbers.values[number]); });
  auto* end = packer.finish();
  if (sizes == kSizesStandBefore) {
    for (const auto text : texts) {
      set_word(end, text.size());
      end += kWord;
    }
  }
  for (const auto text : texts) {
    end = copy(text, end);
  }
  bytes_.grow(static_cast<std::size_t>(end - begin));
  return position;
}

std::size_t PackedTasks::unpack(std::size_t position, TaskEnd& task) const {
  const char* const begin = bytes_.view().data() + position;
  const auto head = word_at(begin);
  const auto stored = word_at(begin + kWord);
  task.kind = static_cast<TaskEndKind>(head >> kKindBit & 3U);
  task.speculative = (head & TaskNumbers::bit(kSpeculativeBit)) != 0;
  Unpacker from(begin + kHeadWords * kWord, kHeadNumbers + (head >> kCountBit));
  task.stage = from.small();
  task.attempt = from.small();
  task.partition = from.small();
  task.attempt_number = from.small();
  task.task_id = from.integer();
  task.launched_ms = from.integer();
  const auto packed_sizes = from.number();
  task.numbers = TaskNumbers();
  task.numbers.present = head & (TaskNumbers::bit(TaskNumbers::kCount) - 1);
  for_each_bit(stored, [&](std::size_t number) { task.numbers.values[number] = from.integer(); });
  const auto sizes = packed_sizes == kSizesStandBefore ? from.words() : sizes_in(packed_sizes);
  std::size_t next = 0;
  for (auto* text : {&task.executor, &task.host, &task.reason, &task.error_class, &task.error}) {
    *text = from.text(sizes[next++]);
  }
  return position + static_cast<std::size_t>(from.at() - begin);
}

}  // namespace stagegate
