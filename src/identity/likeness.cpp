#include "identity/likeness.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string_view>

#include "identity/characters.h"
#include "identity/stable_hash.h"

namespace stagegate {
namespace {

using WordSet = std::set<std::uint64_t>;

// A line as a whole, and each word in it.
void add_words(WordSet& words, std::string_view line) {
  words.insert(stable_hash(line));
  while (!line.empty()) {
    const auto word = line.substr(0, run_length(line, is_word));
    if (!word.empty()) {
      words.insert(stable_hash(word));
    }
    line.remove_prefix(std::min(line.size(), word.size() + 1));
  }
}

WordSet words_in(const StageTraits& stage) {
  WordSet words;
  for (const auto& line : stage.work) {
    add_words(words, line);
  }
  return words;
}

std::vector<WordSet> words_in(std::span<const StageTraits> stages) {
  std::vector<WordSet> words;
  words.reserve(stages.size());
  for (const auto& stage : stages) {
    words.push_back(words_in(stage));
  }
  return words;
}

using Counts = std::unordered_map<std::uint64_t, std::size_t>;

std::vector<WorkWords> weighed(const std::vector<WordSet>& stages, const Counts& counts, std::size_t all) {
  std::vector<WorkWords> result;
  result.reserve(stages.size());
  for (const auto& words : stages) {
    WorkWords weighed_words;
    for (const auto word : words) {
      weighed_words.emplace_back(word, std::log(1.0 + static_cast<double>(all) / static_cast<double>(counts.at(word))));
    }
    result.push_back(std::move(weighed_words));
  }
  return result;
}

// Where the rows of a stage go, as the last line of its work has it: "to shuffle hashpartitioning(...)".
std::string_view sink_of(const StageTraits& stage) {
  const std::string_view line = stage.work.empty() ? std::string_view() : std::string_view(stage.work.back());
  return line.starts_with("to ") ? line.substr(3, line.find(' ', 3) - 3) : std::string_view();
}

}  // namespace

WordsOfGraphs words_of(std::span<const StageTraits> before, std::span<const StageTraits> after) {
  const auto in_before = words_in(before);
  const auto in_after = words_in(after);
  Counts counts;
  for (const auto* side : {&in_before, &in_after}) {
    for (const auto& words : *side) {
      for (const auto word : words) {
        ++counts[word];
      }
    }
  }
  const auto all = before.size() + after.size();
  return {weighed(in_before, counts, all), weighed(in_after, counts, all)};
}

double work_likeness(const WorkWords& a, const WorkWords& b) {
  double shared = 0;
  double either = 0;
  for (auto left = a.begin(), right = b.begin(); left != a.end() || right != b.end();) {
    const bool only_right = left == a.end() || (right != b.end() && right->first < left->first);
    const bool only_left = right == b.end() || (left != a.end() && left->first < right->first);
    const auto weight = only_right ? right->second : left->second;
    either += weight;
    shared += only_left || only_right ? 0 : weight;
    left += only_right ? 0 : 1;
    right += only_left ? 0 : 1;
  }
  return either > 0 ? shared / either : 1.0;
}

double amount_likeness(const StageTraits& a, const StageTraits& b) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < a.amounts.size(); ++i) {
    const auto [least, most] = std::minmax(a.amounts[i], b.amounts[i]);
    if (most > 0) {
      sum += static_cast<double>(std::max<std::int64_t>(least, 0)) / static_cast<double>(most);
      ++count;
    }
  }
  return count > 0 ? sum / count : 1.0;
}

double sink_likeness(const StageTraits& a, const StageTraits& b) {
  const auto [one, other] = std::pair(sink_of(a), sink_of(b));
  const auto is_exchange = [](std::string_view sink) { return sink == "shuffle" || sink == "broadcast"; };
  return one == other ? 1.0 : is_exchange(one) && is_exchange(other) ? 0.6 : 0.0;
}

}  // namespace stagegate
