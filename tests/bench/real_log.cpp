#include "bench/real_log.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

namespace stagegate::bench {
namespace {

namespace json = boost::json;

constexpr std::int64_t kRemoteOfLocal = 3;  // of four machines, three are others
constexpr std::int64_t kBytesOfARecord = 27;

std::int64_t number(const json::object& object, std::string_view key) {
  const auto* value = object.if_contains(key);
  return value != nullptr && value->is_int64() ? value->as_int64() : 0;
}

void set_update(json::object& task_end, std::string_view name, std::int64_t value) {
  for (auto& element : task_end.at("Task Info").at("Accumulables").as_array()) {
    auto& accumulable = element.as_object();
    const auto* found = accumulable.if_contains("Name");
    if (found != nullptr && *found == json::value(name)) {
      accumulable["Update"] = value;
      accumulable["Value"] = value;
    }
  }
}

void check_task_end(const json::object& event) {
  if (event.at("Task End Reason").at("Reason") != "Success") {
    throw std::runtime_error("a task of the real log did not succeed");
  }
}

// `k#12L` to `k#112L`: the expression ids of another copy of the query.
std::string shift_expressions(std::string_view text, std::int64_t by) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (std::size_t i = 0; i < text.size(); ++i) {
    out.push_back(text[i]);
    std::int64_t id = 0;
    std::size_t digits = 0;
    while (text[i] == '#' && i + digits + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + digits + 1])) != 0) {
      id = 10 * id + (text[i + digits + 1] - '0');
      ++digits;
    }
    if (digits > 0) {
      out += std::to_string(id + by);
      i += digits;
    }
  }
  return out;
}

void shift_plan(json::value& value, std::string_view key, std::int64_t accumulators, std::int64_t expressions) {
  if (auto* object = value.if_object()) {
    for (auto& field : *object) {
      shift_plan(field.value(), field.key(), accumulators, expressions);
    }
  } else if (auto* array = value.if_array()) {
    for (auto& element : *array) {
      shift_plan(element, key, accumulators, expressions);
    }
  } else if (key == "accumulatorId") {
    value = value.as_int64() + accumulators;
  } else if (key == "simpleString") {
    value = shift_expressions(value.as_string(), expressions);
  }
}

}  // namespace

std::string_view class_of(const json::object& event) {
  const std::string_view name = event.at("Event").as_string();
  return name.substr(name.rfind('.') + 1);
}

RealLog read_real_log(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) {
    throw std::runtime_error(fmt::format("{}: cannot be read", path.string()));
  }
  RealLog log;
  bool started = false;
  for (std::string line; std::getline(file, line);) {
    auto event = json::parse(line, {}, {.max_depth = 2048}).as_object();
    const auto name = class_of(event);
    if (name == "SparkListenerTaskEnd") {
      check_task_end(event);
    }
    auto& part = name == "SparkListenerApplicationEnd" ? log.tail : started ? log.round : log.head;
    if (name == "SparkListenerApplicationStart") {
      started = true;
      log.application = event.at("App ID").as_string();
      log.start_ms = event.at("Timestamp").as_int64();
    }
    part.push_back(std::move(event));
  }
  if (log.round.empty() || log.tail.empty()) {
    throw std::runtime_error(fmt::format("{}: not the log of an application that ended", path.string()));
  }
  return log;
}

void as_on_a_cluster(json::object& task_end) {
  auto& metrics = task_end.at("Task Metrics").as_object();
  auto& shuffle = metrics.at("Shuffle Read Metrics").as_object();
  if (number(shuffle, "Remote Bytes Read") == 0 && number(shuffle, "Local Bytes Read") > 0) {
    const auto bytes = kRemoteOfLocal * number(shuffle, "Local Bytes Read");
    const auto blocks = kRemoteOfLocal * number(shuffle, "Local Blocks Fetched");
    shuffle["Remote Bytes Read"] = bytes;
    shuffle["Remote Blocks Fetched"] = blocks;
    set_update(task_end, "internal.metrics.shuffle.read.remoteBytesRead", bytes);
    set_update(task_end, "internal.metrics.shuffle.read.remoteBlocksFetched", blocks);
  }
  auto& input = metrics.at("Input Metrics").as_object();
  if (number(input, "Bytes Read") == 0) {
    input["Bytes Read"] = kBytesOfARecord * number(input, "Records Read");
  }
}

void shorten(json::object& task_end, std::size_t bytes) {
  auto& list = task_end.at("Task Info").at("Accumulables").as_array();
  const auto whole = json::serialize(task_end).size();
  const auto of_list = json::serialize(list).size();
  if (whole <= bytes || list.empty()) {
    return;
  }
  const auto room = bytes > whole - of_list ? bytes - (whole - of_list) : 0;
  const auto kept = room * list.size() / of_list;
  json::array shorter;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i * kept / list.size() != (i + 1) * kept / list.size()) {
      shorter.push_back(list[i]);
    }
  }
  list = std::move(shorter);
}

void add_settings(json::object& event, int count) {
  auto* properties = event.if_contains("Properties");
  if (properties == nullptr || !properties->is_object()) {
    return;
  }
  for (int i = 1; i <= count; ++i) {
    properties->as_object()[fmt::format("spark.hadoop.fs.s3a.bucket.team-{}.endpoint", i)] =
        fmt::format("https://objects-{}.storage.example:8443", i % 7);
  }
}

json::object with_union_plan(const json::object& event, int copies, std::int64_t accumulators) {
  auto larger = event;
  auto& root = larger.at("sparkPlanInfo").as_object();
  auto& description = larger.at("physicalPlanDescription").as_string();
  const json::value query = root.at("children").as_array().empty() ? json::value(root) : root.at("children").as_array().front();
  const std::string text(description);
  json::array queries;
  for (int copy = 0; copy < copies; ++copy) {
    auto& branch = queries.emplace_back(query);
    shift_plan(branch, "", copy * accumulators, copy * 100);
    if (copy > 0) {
      description += shift_expressions(text, copy * 100);
    }
  }
  const json::object made{{"nodeName", "Union"},
                          {"simpleString", "Union"},
                          {"children", std::move(queries)},
                          {"metadata", json::object()},
                          {"metrics", json::array()}};
  root["children"] = json::array{made};
  return larger;
}

}  // namespace stagegate::bench
