#include "ingest/task_end_line.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "ingest/line_cursor.h"
#include "ingest/plain_json.h"
#include "ingest/task_numbers.h"

namespace stagegate {
namespace {

using namespace std::string_view_literals;

// The next key where it is one of those that are searched for. Other fields make the line not ours.
template <typename Entry>
const Entry* match(KeySearch<Entry>& keys, LineCursor& cursor) {
  return keys.find([&](const KeyText& key) { return cursor.skip_if(key); });
}

constexpr auto kZero = "0,"sv;

constexpr std::size_t size_of_zeros(std::span<const NumberKey> keys) {
  std::size_t size = 0;
  for (const auto& key : keys) {
    size += key.key.size() + kZero.size();
  }
  return size;
}

// What stands in an object of KEYS whose numbers are all 0.
template <const auto& kKeys>
constexpr auto zeros_of() {
  std::array<char, size_of_zeros(kKeys)> text{};
  auto* end = text.data();
  for (const auto& key : kKeys) {
    end = std::copy_n(key.key.text().data(), key.key.size(), end);
    end = std::copy(kZero.begin(), kZero.end(), end);
  }
  return text;
}

template <const auto& kKeys>
inline constexpr auto kZeros = zeros_of<kKeys>();

constexpr std::uint64_t wanted_of(std::span<const NumberKey> keys, TaskDepth depth) {
  std::uint64_t wanted = 0;
  for (const auto& key : keys) {
    wanted |= is_wanted(key.number, depth) ? TaskNumbers::bit(key.number) : 0;
    wanted |= is_wanted(key.also, depth) ? TaskNumbers::bit(key.also) : 0;
  }
  return wanted;
}

// An object of numbers. A task has nothing to say in most of them: no shuffle, no output, no merged blocks.
struct NumberGroup {
  std::span<const NumberKey> keys;
  std::string_view zeros;
  std::array<std::uint64_t, 2> wanted;  // at TaskDepth::judged and TaskDepth::all: what TaskNumbers::present gets
  bool has_push_merged = false;
};

template <const auto& kKeys>
constexpr NumberGroup group_of(bool has_push_merged = false) {
  return {.keys = kKeys,
          .zeros = {kZeros<kKeys>.data(), kZeros<kKeys>.size() - 1},  // without the last comma
          .wanted = {wanted_of(kKeys, TaskDepth::judged), wanted_of(kKeys, TaskDepth::all)},
          .has_push_merged = has_push_merged};
}

constexpr auto kShuffleReadGroup = group_of<kShuffleReadKeys>(true);
constexpr auto kPushMergedGroup = group_of<kPushMergedKeys>();
constexpr auto kShuffleWriteGroup = group_of<kShuffleWriteKeys>();
constexpr auto kInputGroup = group_of<kInputKeys>();
constexpr auto kOutputGroup = group_of<kOutputKeys>();

constexpr KeyText kPushBasedShuffle("Push Based Shuffle");

void read_numbers(LineCursor& cursor, const NumberGroup& group, TaskDepth depth, TaskNumbers& numbers) {
  KeySearch fields(group.keys);
  cursor.expect('{');
  if (cursor.skip_if('}')) {
    return;
  }
  if (cursor.skip_if(group.zeros)) {
    numbers.present |= group.wanted[depth == TaskDepth::all ? 1 : 0];
    if (!cursor.next_field()) {
      return;
    }
  }
  do {
    if (group.has_push_merged && fields.at_front() && cursor.skip_if(kPushBasedShuffle)) {
      read_numbers(cursor, kPushMergedGroup, depth, numbers);
    } else if (const auto* key = match(fields, cursor)) {
      add_number(*key, cursor.integer(), depth, numbers);
    } else {
      cursor.fail();
    }
  } while (!cursor.failed() && cursor.next_field());
}

// Of `Task Metrics`: a number, else a group of them, else blocks that were updated.
struct MetricsKey {
  KeyText key;
  const NumberKey* number = nullptr;
  const NumberGroup* group = nullptr;
};

template <std::size_t... kOwn>
constexpr auto metrics_keys(std::index_sequence<kOwn...>) {
  return std::array{
      MetricsKey{kOwnKeys[kOwn].key, &kOwnKeys[kOwn]}...,
      MetricsKey{"Shuffle Read Metrics", nullptr, &kShuffleReadGroup},
      MetricsKey{"Shuffle Write Metrics", nullptr, &kShuffleWriteGroup},
      MetricsKey{"Input Metrics", nullptr, &kInputGroup},
      MetricsKey{"Output Metrics", nullptr, &kOutputGroup},
      MetricsKey{"Updated Blocks"},
  };
}

constexpr auto kMetricsKeys = metrics_keys(std::make_index_sequence<kOwnKeys.size()>());

void read_metrics(LineCursor& cursor, TaskDepth depth, TaskNumbers& numbers) {
  KeySearch<MetricsKey> fields(kMetricsKeys);
  do {
    const auto* key = match(fields, cursor);
    if (key == nullptr) {
      cursor.fail();
    } else if (key->number != nullptr) {
      add_number(*key->number, cursor.integer(), depth, numbers);
    } else if (key->group != nullptr) {
      read_numbers(cursor, *key->group, depth, numbers);
    } else {
      cursor.expect("[]"sv);
    }
  } while (!cursor.failed() && cursor.next_field());
}

enum class InfoField : std::uint8_t {
  task_id,
  index,
  attempt,
  partition,
  launch_time,
  executor,
  host,
  locality,
  speculative,
  getting_result_time,
  finish_time,
  failed,
  killed,
  accumulables,
};

struct InfoKey {
  KeyText key;
  InfoField field;
};

constexpr std::array kInfoKeys{
    InfoKey{"Task ID", InfoField::task_id},
    InfoKey{"Index", InfoField::index},
    InfoKey{"Attempt", InfoField::attempt},
    InfoKey{"Partition ID", InfoField::partition},
    InfoKey{"Launch Time", InfoField::launch_time},
    InfoKey{"Executor ID", InfoField::executor},
    InfoKey{"Host", InfoField::host},
    InfoKey{"Locality", InfoField::locality},
    InfoKey{"Speculative", InfoField::speculative},
    InfoKey{"Getting Result Time", InfoField::getting_result_time},
    InfoKey{"Finish Time", InfoField::finish_time},
    InfoKey{"Failed", InfoField::failed},
    InfoKey{"Killed", InfoField::killed},
    InfoKey{"Accumulables", InfoField::accumulables},
};

void read_field(InfoField field, LineCursor& cursor, TaskInfoTimes& info, TaskEnd& task) {
  switch (field) {
    case InfoField::task_id:
      task.task_id = cursor.integer();
      break;
    case InfoField::index:
      info.index = cursor.integer();
      break;
    case InfoField::attempt:
      task.attempt_number = cursor.small_integer();
      break;
    case InfoField::partition:
      info.partition = cursor.integer();
      break;
    case InfoField::launch_time:
      task.launched_ms = cursor.integer();
      break;
    case InfoField::executor:
      task.executor = cursor.text();
      break;
    case InfoField::host:
      task.host = cursor.text();
      break;
    case InfoField::locality:
      cursor.text();
      break;
    case InfoField::speculative:
      task.speculative = cursor.boolean();
      break;
    case InfoField::getting_result_time:
      info.getting_result_ms = cursor.integer();
      break;
    case InfoField::finish_time:
      info.finish_ms = cursor.integer();
      break;
    case InfoField::failed:
    case InfoField::killed:
      cursor.boolean();
      break;
    case InfoField::accumulables:
      break;
  }
}

// Up to the elements of `Accumulables`.
void read_info(LineCursor& cursor, TaskInfoTimes& info, TaskEnd& task) {
  KeySearch<InfoKey> fields(kInfoKeys);
  while (!cursor.failed()) {
    const auto* key = match(fields, cursor);
    if (key == nullptr) {
      cursor.fail();
    } else if (key->field == InfoField::accumulables) {
      cursor.expect('[');
      return;
    } else {
      read_field(key->field, cursor, info, task);
      cursor.expect(',');
      // What nearly always follows.
      if (key->field == InfoField::locality && cursor.skip_if("\"Speculative\":false,\"Getting Result Time\":0,")) {
        task.speculative = false;
        info.getting_result_ms = 0;
      } else if (key->field == InfoField::finish_time && cursor.skip_if("\"Failed\":false,\"Killed\":false,\"Accumulables\":[")) {
        return;
      }
    }
  }
}

constexpr auto kMetricsKey = "\"Task Metrics\":{"sv;

// Such a key of TEXT about where it stood in the line before: the lines differ by a few digits.
const char* find_metrics_near(std::string_view text, std::size_t guess) {
  constexpr std::size_t kSlack = 64;
  const auto first_word = word_at(kMetricsKey.data());
  for (std::size_t away = 0; away < kSlack; ++away) {
    for (const auto place : {guess + away, guess - away}) {
      // A place in front of the text is one far behind it.
      if (place < text.size() && word_at(text.data() + place) == first_word && text.substr(place).starts_with(kMetricsKey)) {
        return text.data() + place;
      }
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
// task's info, perhaps the executor's metrics, and the task's up to the end of the line, which is given back; null where it is otherwise.
const char* read_rest(LineCursor cursor, const char* metrics, TaskDepth depth, TaskNumbers& numbers) {
  const std::string_view between(cursor.rest().data(), static_cast<std::size_t>(metrics - cursor.rest().data()));
  constexpr int kArrayAndInfo = 2;
  if (!ends_the_info(between) || !is_plain_json(between, -kArrayAndInfo)) {
    return nullptr;
  }
  cursor.jump_to(metrics + kMetricsKey.size());
  read_metrics(cursor, depth, numbers);
  cursor.expect('}');
  return cursor.failed() ? nullptr : cursor.rest().data();
}

// Up to the elements of `Accumulables`.
bool read_head(LineCursor& cursor, TaskInfoTimes& info, TaskEnd& task) {
  if (!cursor.skip_if("{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":")) {
    return false;
  }
  task.stage = cursor.small_integer();
  cursor.expect(",\"Stage Attempt ID\":");
  task.attempt = cursor.small_integer();
  cursor.expect(",\"Task Type\":");
  cursor.text();
  cursor.expect(",\"Task End Reason\":{\"Reason\":\"Success\"},\"Task Info\":{");
  if (cursor.failed()) {
    return false;
  }
  task.kind = TaskEndKind::success;
  task.reason = "Success"sv;
  read_info(cursor, info, task);
  return !cursor.failed();
}

}  // namespace

bool TaskEndLine::parse(std::string_view line, TaskEnd& task) {
  LineCursor cursor(line);
  TaskInfoTimes info;
  if (!read_head(cursor, info, task)) {
    return false;
  }
  const auto text = cursor.rest();
  const auto* const end = line.data() + line.size();
  const auto* metrics = find_metrics_near(text, text.size() - std::min(text.size(), tail_bytes_));
  if (metrics == nullptr || read_rest(cursor, metrics, depth_, task.numbers) != end) {
    // A line says the same whatever came before it: its last metrics count.
    const auto* last = find_last_metrics(text);
    task.numbers = TaskNumbers();
    if (last == nullptr || last == metrics || read_rest(cursor, last, depth_, task.numbers) != end) {
      return false;
    }
    metrics = last;
  }
  tail_bytes_ = static_cast<std::size_t>(end - metrics);
  middle_bytes(task.stage) = static_cast<std::size_t>(metrics - text.data());
  return apply(info, depth_, task);
}

std::size_t TaskEndLine::parse_first(std::string_view lines, TaskEnd& task) {
  LineCursor cursor(lines);
  TaskInfoTimes info;
  if (!read_head(cursor, info, task)) {
    return 0;
  }
  // Nothing that is taken has a line feed in it, so that these metrics, if they are taken, are of the line at the front.
  const auto text = cursor.rest();
  const auto* const metrics = find_metrics_near(text, middle_bytes(task.stage));
  const auto* const end = metrics == nullptr ? nullptr : read_rest(cursor, metrics, depth_, task.numbers);
  if (end == nullptr || end == lines.data() + lines.size() || *end != '\n' || !apply(info, depth_, task)) {
    return 0;
  }
  middle_bytes(task.stage) = static_cast<std::size_t>(metrics - text.data());
  return static_cast<std::size_t>(end - lines.data());
}

}  // namespace stagegate
