#include "ingest/task_end_line.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include "ingest/plain_json.h"
#include "ingest/task_numbers.h"

namespace stagegate {
namespace {

using namespace std::string_view_literals;

std::uint64_t word_at(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

// Keys are short, and a call of memcmp costs more than comparing them.
bool are_equal(const char* a, const char* b, std::size_t size) {
  if (size < sizeof(std::uint64_t)) {
    return std::equal(a, a + size, b);
  }
  for (std::size_t i = 0; i + sizeof(std::uint64_t) < size; i += sizeof(std::uint64_t)) {
    if (word_at(a + i) != word_at(b + i)) {
      return false;
    }
  }
  const auto last = size - sizeof(std::uint64_t);
  return word_at(a + last) == word_at(b + last);
}

// Walks through the line. What is not there makes it fail, once and for all.
class Cursor {
 public:
  explicit Cursor(std::string_view line) : at_(line.data()), end_(line.data() + line.size()) {}

  bool failed() const { return failed_; }
  bool at_end() const { return !failed_ && at_ == end_; }
  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }

  bool skip_if(std::string_view text) {
    if (rest().size() < text.size() || !are_equal(at_, text.data(), text.size())) {
      return false;
    }
    at_ += text.size();
    return true;
  }

  void expect(std::string_view text) { failed_ = !skip_if(text) || failed_; }
  void fail() { failed_ = true; }
  void jump_to(const char* place) { at_ = place; }

  // A whole number of at most 18 digits.
  std::int64_t integer() {
    const bool negative = at_ != end_ && *at_ == '-';
    const char* const begin = at_ + (negative ? 1 : 0);
    const char* const limit = begin + std::min<std::ptrdiff_t>(end_ - begin, 18);
    const char* at = begin;
    std::int64_t value = 0;
    while (at != limit && *at >= '0' && *at <= '9') {
      value = value * 10 + (*at++ - '0');
    }
    const bool good = at != begin && (at - begin == 1 || *begin != '0') && at != end_ && (*at == ',' || *at == '}');
    failed_ = failed_ || !good;
    at_ = at;
    return negative ? -value : value;
  }

  std::int32_t small_integer() {
    const auto value = integer();
    failed_ = failed_ || value < 0 || value > std::numeric_limits<std::int32_t>::max();
    return failed_ ? 0 : static_cast<std::int32_t>(value);
  }

  bool boolean() {
    if (skip_if("true"sv)) {
      return true;
    }
    expect("false"sv);
    return false;
  }

  // What is between quotes, without escapes.
  std::string_view text() {
    expect("\""sv);
    const char* const begin = at_;
    const char* at = at_;
    bool plain = true;
    while (at != end_ && *at != '"') {
      plain = plain && *at >= 0x20 && *at != 0x7F && *at != '\\';
      ++at;
    }
    failed_ = failed_ || !plain;
    at_ = at;
    expect("\""sv);
    return {begin, static_cast<std::size_t>(at - begin)};
  }

  // The key of a field, with its colon.
  std::string_view key() {
    const auto name = text();
    expect(":"sv);
    return name;
  }

  // Behind a value: true where another field follows, false behind the end of the object.
  bool next_field() {
    if (skip_if(","sv)) {
      return !failed_;
    }
    expect("}"sv);
    return false;
  }

 private:
  const char* at_;
  const char* end_;
  bool failed_ = false;
};

// What stands where a key is to be: compares as the key of a field, with its quotes and its colon.
struct KeyAt {
  std::string_view rest;

  friend bool operator==(const KeyAt& at, std::string_view key) {
    const auto size = key.size();
    return at.rest.size() > size + 3 && at.rest[size + 1] == '"' && at.rest[size + 2] == ':' && at.rest.front() == '"' &&
           are_equal(at.rest.data() + 1, key.data(), size);
  }
};

// The next key where it is one of those that are searched for. Other fields make the line not ours.
const NumberKey* match(KeySearch& keys, Cursor& cursor) {
  const auto rest = cursor.rest();
  const auto* found = keys.find(KeyAt{rest});
  if (found != nullptr) {
    cursor.jump_to(rest.data() + found->key.size() + 3);
  }
  return found;
}

void read_numbers(Cursor& cursor, std::span<const NumberKey> keys, TaskDepth depth, TaskNumbers& numbers) {
  KeySearch fields(keys);
  cursor.expect("{"sv);
  if (cursor.skip_if("}"sv)) {
    return;
  }
  do {
    if (const auto* key = match(fields, cursor)) {
      add_number(*key, cursor.integer(), depth, numbers);
    } else if (keys.data() == kShuffleReadKeys.data() && cursor.skip_if("\"Push Based Shuffle\":"sv)) {
      read_numbers(cursor, kPushMergedKeys, depth, numbers);
    } else {
      cursor.fail();
    }
  } while (!cursor.failed() && cursor.next_field());
}

void read_metrics(Cursor& cursor, TaskDepth depth, TaskNumbers& numbers) {
  KeySearch own(kOwnKeys);
  do {
    if (const auto* key = match(own, cursor)) {
      add_number(*key, cursor.integer(), depth, numbers);
    } else if (cursor.skip_if("\"Shuffle Read Metrics\":"sv)) {
      read_numbers(cursor, kShuffleReadKeys, depth, numbers);
    } else if (cursor.skip_if("\"Shuffle Write Metrics\":"sv)) {
      read_numbers(cursor, kShuffleWriteKeys, depth, numbers);
    } else if (cursor.skip_if("\"Input Metrics\":"sv)) {
      read_numbers(cursor, kInputKeys, depth, numbers);
    } else if (cursor.skip_if("\"Output Metrics\":"sv)) {
      read_numbers(cursor, kOutputKeys, depth, numbers);
    } else {
      cursor.expect("\"Updated Blocks\":[]"sv);
    }
  } while (!cursor.failed() && cursor.next_field());
}

// Up to the value of `Accumulables`.
void read_info(Cursor& cursor, TaskInfoTimes& info, TaskEnd& task) {
  for (;;) {
    if (cursor.skip_if("\"Accumulables\":["sv) || cursor.failed()) {
      return;
    }
    const auto key = cursor.key();
    if (key == "Task ID") {
      task.task_id = cursor.integer();
    } else if (key == "Index") {
      info.index = cursor.integer();
    } else if (key == "Attempt") {
      task.attempt_number = cursor.small_integer();
    } else if (key == "Partition ID") {
      info.partition = cursor.integer();
    } else if (key == "Launch Time") {
      task.launched_ms = cursor.integer();
    } else if (key == "Executor ID") {
      task.executor = cursor.text();
    } else if (key == "Host") {
      task.host = cursor.text();
    } else if (key == "Locality") {
      cursor.text();
    } else if (key == "Speculative") {
      task.speculative = cursor.boolean();
    } else if (key == "Getting Result Time") {
      info.getting_result_ms = cursor.integer();
    } else if (key == "Finish Time") {
      info.finish_ms = cursor.integer();
    } else if (key == "Failed" || key == "Killed") {
      cursor.boolean();
    } else {
      cursor.fail();
    }
    cursor.expect(","sv);
  }
}

constexpr auto kMetricsKey = "\"Task Metrics\":{"sv;

// Such a key of TEXT about where it stood in the line before: what is behind it differs by a few digits.
const char* find_metrics_near(std::string_view text, std::size_t tail_bytes) {
  constexpr std::size_t kSlack = 64;
  const auto near = text.substr(text.size() - std::min(text.size(), tail_bytes + kSlack));
  const auto first_word = word_at(kMetricsKey.data());
  for (std::size_t i = 0; i < 2 * kSlack && i + kMetricsKey.size() <= near.size(); ++i) {
    if (word_at(near.data() + i) == first_word && near.substr(i, kMetricsKey.size()) == kMetricsKey) {
      return near.data() + i;
    }
  }
  return nullptr;
}

const char* find_last_metrics(std::string_view text) {
  const auto place = text.rfind(kMetricsKey);
  return place == std::string_view::npos ? nullptr : text.data() + place;
}

// Whether BETWEEN ends in the ends of the accumulables and of the task's info, with nothing or the executor's metrics behind them. Any
// other field there is for the parser that knows them all.
bool ends_the_info(std::string_view between) {
  if (between.ends_with("]},"sv)) {
    return true;
  }
  const auto* brace = between.empty() ? nullptr : static_cast<const char*>(::memrchr(between.data(), '{', between.size()));
  const auto before = brace == nullptr ? ""sv : between.substr(0, static_cast<std::size_t>(brace - between.data()));
  return before.ends_with("]},\"Task Executor Metrics\":"sv) && between.ends_with("},"sv);
}

// What is behind the opening bracket of the accumulables, with the metrics at METRICS: the accumulables, the ends of their array and of the
// task's info, perhaps the executor's metrics, and the task's up to the end of the line.
bool read_rest(Cursor cursor, const char* metrics, TaskDepth depth, TaskNumbers& numbers) {
  const std::string_view between(cursor.rest().data(), static_cast<std::size_t>(metrics - cursor.rest().data()));
  if (!ends_the_info(between) || !is_plain_json(between, {.braces = -1, .brackets = -1})) {
    return false;
  }
  cursor.jump_to(metrics + kMetricsKey.size());
  read_metrics(cursor, depth, numbers);
  cursor.expect("}"sv);
  return cursor.at_end();
}

}  // namespace

bool TaskEndLine::parse(std::string_view line, TaskEnd& task) {
  Cursor cursor(line);
  TaskInfoTimes info;
  cursor.expect("{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":"sv);
  if (cursor.failed()) {
    return false;
  }
  task.stage = cursor.small_integer();
  cursor.expect(",\"Stage Attempt ID\":"sv);
  task.attempt = cursor.small_integer();
  cursor.expect(",\"Task Type\":"sv);
  cursor.text();
  cursor.expect(",\"Task End Reason\":{\"Reason\":\"Success\"},\"Task Info\":{"sv);
  if (cursor.failed()) {
    return false;
  }
  task.kind = TaskEndKind::success;
  task.reason = "Success"sv;
  read_info(cursor, info, task);
  if (cursor.failed()) {
    return false;
  }
  const auto* metrics = find_metrics_near(cursor.rest(), tail_bytes_);
  if (metrics == nullptr || !read_rest(cursor, metrics, depth_, task.numbers)) {
    // A line says the same whatever came before it: its last metrics count.
    const auto* last = find_last_metrics(cursor.rest());
    task.numbers = TaskNumbers();
    if (last == nullptr || last == metrics || !read_rest(cursor, last, depth_, task.numbers)) {
      return false;
    }
    metrics = last;
  }
  tail_bytes_ = static_cast<std::size_t>(line.data() + line.size() - metrics);
  return apply(info, depth_, task);
}

}  // namespace stagegate
