#include "ingest/packed_tasks.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/few_bytes.h"

namespace stagegate {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr std::size_t kShort = sizeof(std::uint32_t);

// A task begins with this. Its numbers follow, those that are not 0, each in four bytes where they suffice, else in eight; then its texts.
// Broken logs alone have negative ones, which take eight. Nothing here needs a branch for a number.
struct Head {
  std::uint64_t present;  // which numbers it has, and how it ended
  std::uint64_t stored;   // which of them are not 0
  std::uint64_t wide;     // which of those take eight bytes
  std::int32_t stage;
  std::int32_t attempt;
  std::int32_t partition;
  std::int32_t attempt_number;
  std::int64_t task_id;
  std::int64_t launched_ms;
  std::uint64_t text_sizes;
};
static_assert(std::is_trivially_copyable_v<Head> && sizeof(Head) == 64);

// In the word of numbers that are present, behind their bits.
constexpr std::size_t kKindBit = TaskNumbers::kCount;
constexpr std::size_t kSpeculativeBit = kKindBit + 2;
static_assert(kSpeculativeBit < 64);

constexpr std::uint64_t kLargestShort = std::numeric_limits<std::uint32_t>::max();

constexpr std::size_t kTexts = 5;
using Texts = std::array<std::string_view, kTexts>;
using Sizes = std::array<std::size_t, kTexts>;

// The sizes of texts are one number. Where one is larger than its part of that can hold, they stand in front of the texts, each as a word.
constexpr std::size_t kBitsOfASize = 12;
constexpr std::uint64_t kLargestSize = (std::uint64_t{1} << kBitsOfASize) - 1;
constexpr std::uint64_t kSizesStandBefore = std::uint64_t{1} << (kBitsOfASize * kTexts);

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

// Calls ON_NUMBER with the place of each bit of MASK that is set.
template <typename OnNumber>
void for_each_bit(std::uint64_t mask, OnNumber&& on_number) {
  for (auto left = mask; left != 0; left &= left - 1) {
    on_number(static_cast<std::size_t>(std::countr_zero(left)));
  }
}

// Written out for each number: a loop would take as long as all the rest.
template <std::size_t... kNumbers>
std::uint64_t stored_of(const TaskNumbers& numbers, std::index_sequence<kNumbers...>) {
  return ((std::uint64_t{numbers.values[kNumbers] != 0} << kNumbers) | ...);
}

std::uint64_t stored_of(const TaskNumbers& numbers) {
  return stored_of(numbers, std::make_index_sequence<TaskNumbers::kCount>());
}

}  // namespace

std::size_t PackedTasks::add(const TaskEnd& task) {
  const auto position = bytes_.size();
  const Texts texts{task.executor, task.host, task.reason, task.error_class, task.error};
  std::size_t text_bytes = 0;
  for (const auto text : texts) {
    text_bytes += text.size();
  }
  auto* const begin = bytes_.room(sizeof(Head) + (TaskNumbers::kCount + kTexts) * kWord + text_bytes);
  auto* end = begin + sizeof(Head);
  Head head{.present = task.numbers.present | std::uint64_t{static_cast<std::uint8_t>(task.kind)} << kKindBit |
                       (task.speculative ? TaskNumbers::bit(kSpeculativeBit) : 0),
            .stored = stored_of(task.numbers),
            .wide = 0,
            .stage = task.stage,
            .attempt = task.attempt,
            .partition = task.partition,
            .attempt_number = task.attempt_number,
            .task_id = task.task_id,
            .launched_ms = task.launched_ms,
            .text_sizes = sizes_of(texts)};
  for_each_bit(head.stored, [&](std::size_t number) {
    const auto value = static_cast<std::uint64_t>(task.numbers.values[number]);
    const std::uint64_t is_wide = value > kLargestShort ? 1 : 0;
    head.wide |= is_wide << number;
    // A whole word, of which the next number takes what is not needed.
    set_word(end, value);
    end += kShort + kShort * is_wide;
  });
  std::memcpy(begin, &head, sizeof head);
  if (head.text_sizes == kSizesStandBefore) {
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
  Head head;
  std::memcpy(&head, begin, sizeof head);
  const char* at = begin + sizeof head;
  task.kind = static_cast<TaskEndKind>(head.present >> kKindBit & 3U);
  task.speculative = (head.present & TaskNumbers::bit(kSpeculativeBit)) != 0;
  task.stage = head.stage;
  task.attempt = head.attempt;
  task.partition = head.partition;
  task.attempt_number = head.attempt_number;
  task.task_id = head.task_id;
  task.launched_ms = head.launched_ms;
  task.numbers = TaskNumbers();
  task.numbers.present = head.present & (TaskNumbers::bit(TaskNumbers::kCount) - 1);
  for_each_bit(head.stored, [&](std::size_t number) {
    const auto is_wide = head.wide >> number & 1U;
    const auto mask = kLargestShort | (0 - is_wide);
    task.numbers.values[number] = static_cast<std::int64_t>(word_at(at) & mask);
    at += kShort + kShort * is_wide;
  });
  Sizes sizes = sizes_in(head.text_sizes);
  if (head.text_sizes == kSizesStandBefore) {
    for (auto& size : sizes) {
      size = word_at(at);
      at += kWord;
    }
  }
  std::size_t next = 0;
  for (auto* text : {&task.executor, &task.host, &task.reason, &task.error_class, &task.error}) {
    const auto size = sizes[next++];
    *text = {at, size};
    at += size;
  }
  return position + static_cast<std::size_t>(at - begin);
}

}  // namespace stagegate
