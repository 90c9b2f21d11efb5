#include "ingest/packed_tasks.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/few_bytes.h"

namespace stagegate {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);

// A task begins with fields of a fixed size. Its metrics follow, then its details, then its texts. Nothing here needs a branch for a
// number: the numbers of either are all 0, or take four bytes each, or eight where one of them needs it. (Negative ones, of broken logs,
// do.)
constexpr std::size_t kFixedBytes = 48;

// Values one behind the other. Each is written and read by itself: a processor waits where it is to read in one piece what was just written
// in several.
class Writer {
 public:
  explicit Writer(char* to) : to_(to) {}

  template <typename Value>
  void put(Value value) {
    std::memcpy(to_, &value, sizeof value);
    to_ += sizeof value;
  }

  void put_text(std::string_view text);

  char* end() const { return to_; }

 private:
  char* to_;
};

class Reader {
 public:
  explicit Reader(const char* from) : from_(from) {}

  template <typename Value>
  Value take() {
    Value value;
    std::memcpy(&value, from_, sizeof value);
    from_ += sizeof value;
    return value;
  }

  template <typename Value>
  void take(Value& value) {
    value = take<Value>();
  }

  std::string_view take_text(std::size_t size) { return {std::exchange(from_, from_ + size), size}; }

  const char* end() const { return from_; }

 private:
  const char* from_;
};

enum class Width : std::uint8_t { none, four_bytes, eight_bytes };

constexpr std::uint64_t kAllNumbers = TaskNumbers::bit(TaskNumbers::kCount) - 1;
constexpr std::uint64_t kAllMetrics = TaskNumbers::bit(kMetricCount) - 1;

// In the word of numbers that are present, behind their bits. Each takes two.
constexpr std::size_t kKindBit = TaskNumbers::kCount;
constexpr std::size_t kSpeculativeBit = kKindBit + 2;
constexpr std::size_t kMetricWidthBit = kSpeculativeBit + 2;
constexpr std::size_t kDetailWidthBit = kMetricWidthBit + 2;
static_assert(kDetailWidthBit + 2 <= 64);

template <typename Value>
std::uint64_t at_bit(std::size_t bit, Value value) {
  return std::uint64_t{static_cast<std::uint8_t>(value)} << bit;
}

template <typename Value>
Value value_at_bit(std::size_t bit, std::uint64_t word) {
  return static_cast<Value>(word >> bit & 3U);
}

template <std::size_t kSize>
Width width_of(std::span<const std::int64_t, kSize> numbers) {
  std::uint64_t all_bits = 0;
  for (const auto number : numbers) {
    all_bits |= static_cast<std::uint64_t>(number);
  }
  return all_bits == 0 ? Width::none : all_bits <= std::numeric_limits<std::uint32_t>::max() ? Width::four_bytes : Width::eight_bytes;
}

template <typename Stored, std::size_t kSize>
void store(std::span<const std::int64_t, kSize> numbers, Writer& to) {
  for (const auto number : numbers) {
    to.put(static_cast<Stored>(number));
  }
}

template <std::size_t kSize>
void store(std::span<const std::int64_t, kSize> numbers, Width width, Writer& to) {
  if (width == Width::four_bytes) {
    store<std::uint32_t>(numbers, to);
  } else if (width == Width::eight_bytes) {
    store<std::int64_t>(numbers, to);
  }
}

template <typename Stored, std::size_t kSize>
void load(Reader& from, std::span<std::int64_t, kSize> numbers) {
  for (auto& number : numbers) {
    number = std::int64_t{from.take<Stored>()};
  }
}

// Most tasks of a log have no details: so many zeros are written only where something else is.
template <std::size_t kSize>
void load(Reader& from, Width width, bool all_are_zero, std::span<std::int64_t, kSize> numbers) {
  if (width == Width::four_bytes) {
    load<std::uint32_t>(from, numbers);
  } else if (width == Width::eight_bytes) {
    load<std::int64_t>(from, numbers);
  } else if (!all_are_zero) {
    std::fill(numbers.begin(), numbers.end(), 0);
  }
}

// Fields of a fixed size that stand in a task as they are, in their order. Task: a TaskEnd, to read or to set.
template <typename Task>
auto fixed_fields(Task& task) {
  return std::tie(task.task_id, task.launched_ms, task.stage, task.attempt, task.partition, task.attempt_number);
}

template <typename Task>
auto texts_of(Task& task) {
  return std::array{&task.executor, &task.host, &task.reason, &task.error_class, &task.error};
}

constexpr std::size_t kTexts = 5;
using Sizes = std::array<std::size_t, kTexts>;

// The sizes of texts are one number. Where one is larger than its part of that can hold, they stand in front of the texts, each as a word.
constexpr std::size_t kBitsOfASize = 12;
constexpr std::uint64_t kLargestSize = (std::uint64_t{1} << kBitsOfASize) - 1;
constexpr std::uint64_t kSizesStandBefore = std::uint64_t{1} << (kBitsOfASize * kTexts);

std::uint64_t as_one_number(const Sizes& sizes_of_texts) {
  std::uint64_t sizes = 0;
  std::uint64_t all_bits = 0;
  for (std::size_t i = 0; i < sizes_of_texts.size(); ++i) {
    sizes |= std::uint64_t{sizes_of_texts[i]} << (kBitsOfASize * i);
    all_bits |= sizes_of_texts[i];
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

// SIZE bytes, of which a Word holds half or more.
template <typename Word>
void copy_ends(const char* from, std::size_t size, char* to) {
  Word first = 0;
  Word last = 0;
  std::memcpy(&first, from, sizeof(Word));
  std::memcpy(&last, from + size - sizeof(Word), sizeof(Word));
  std::memcpy(to, &first, sizeof(Word));
  std::memcpy(to + size - sizeof(Word), &last, sizeof(Word));
}

// A call of the library for a word of a few bytes would cost more than all the numbers of a task.
void Writer::put_text(std::string_view text) {
  const auto* from = text.data();
  const auto size = text.size();
  if (size > 2 * kWord) {
    std::memcpy(to_, from, size);
  } else if (size >= kWord) {
    copy_ends<std::uint64_t>(from, size, to_);
  } else if (size >= kWord / 2) {
    copy_ends<std::uint32_t>(from, size, to_);
  } else if (size > 0) {
    to_[0] = from[0];
    to_[size / 2] = from[size / 2];
    to_[size - 1] = from[size - 1];
  }
  to_ += size;
}

}  // namespace

std::size_t PackedTasks::add(const TaskEnd& task) {
  const auto position = bytes_.size();
  const auto texts = texts_of(task);
  Sizes sizes{};
  std::transform(texts.begin(), texts.end(), sizes.begin(), [](const std::string_view* text) { return text->size(); });
  const auto text_bytes = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  const std::span numbers(task.numbers.values);
  const auto metrics = numbers.first<kMetricCount>();
  const auto details = numbers.last<kTaskDetailCount>();
  const auto metric_width = width_of(metrics);
  const auto detail_width = width_of(details);
  const auto text_sizes = as_one_number(sizes);
  auto* const begin = bytes_.room(kFixedBytes + (TaskNumbers::kCount + kTexts) * kWord + text_bytes);
  Writer to(begin);
  to.put(task.numbers.present | at_bit(kKindBit, task.kind) | at_bit(kSpeculativeBit, task.speculative) |
         at_bit(kMetricWidthBit, metric_width) | at_bit(kDetailWidthBit, detail_width));
  to.put(text_sizes);
  std::apply([&](const auto&... field) { (to.put(field), ...); }, fixed_fields(task));
  assert(to.end() == begin + kFixedBytes);
  store(metrics, metric_width, to);
  store(details, detail_width, to);
  if (text_sizes == kSizesStandBefore) {
    for (const auto size : sizes) {
      to.put(size);
    }
  }
  for (const auto* text : texts) {
    to.put_text(*text);
  }
  bytes_.grow(static_cast<std::size_t>(to.end() - begin));
  return position;
}

std::size_t PackedTasks::unpack(std::size_t position, TaskEnd& task) const {
  const char* const begin = bytes_.view().data() + position;
  Reader from(begin);
  const auto present = from.take<std::uint64_t>();
  const auto text_sizes = from.take<std::uint64_t>();
  std::apply([&](auto&... field) { (from.take(field), ...); }, fixed_fields(task));
  task.kind = value_at_bit<TaskEndKind>(kKindBit, present);
  task.speculative = value_at_bit<bool>(kSpeculativeBit, present);
  const auto before = std::exchange(task.numbers.present, present & kAllNumbers);
  const std::span numbers(task.numbers.values);
  load(from, value_at_bit<Width>(kMetricWidthBit, present), (before & kAllMetrics) == 0, numbers.first<kMetricCount>());
  load(from, value_at_bit<Width>(kDetailWidthBit, present), (before & ~kAllMetrics) == 0, numbers.last<kTaskDetailCount>());
  Sizes sizes = sizes_in(text_sizes);
  if (text_sizes == kSizesStandBefore) {
    for (auto& size : sizes) {
      from.take(size);
    }
  }
  std::size_t next = 0;
  for (auto* text : texts_of(task)) {
    *text = from.take_text(sizes[next++]);
  }
  return position + static_cast<std::size_t>(from.end() - begin);
}

}  // namespace stagegate
