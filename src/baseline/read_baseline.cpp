#include "baseline/baseline_json.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "base/text.h"
#include "baseline/baseline_format.h"
#include "baseline/file_text.h"

namespace stagegate {
namespace {

namespace json = boost::json;

constexpr std::string_view kRenew = "`stagegate run` and `stagegate baseline accept`";

std::string_view kind_name(json::kind kind) {
  switch (kind) {
    case json::kind::null:
      return "null";
    case json::kind::bool_:
      return "a boolean";
    case json::kind::int64:
    case json::kind::uint64:
      return "an integer";
    case json::kind::double_:
      return "a fraction";
    case json::kind::string:
      return "a string";
    case json::kind::array:
      return "a list";
    case json::kind::object:
      return "an object";
  }
  return "something else";
}

// "conditions.conf" and "cores" -> "conditions.conf.cores"; names that are no words are quoted.
std::string member_path(const std::string& path, std::string_view name) {
  const bool is_word = name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
  if (!is_word) {
    return fmt::format("{}[\"{}\"]", path, clean_text(name));
  }
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

tl::unexpected<Error> wrong(const std::string& path, std::string_view found, std::string_view wanted) {
  return fail(ErrorKind::usage, fmt::format("{} is {}, not {}", path, found, wanted));
}

Result<const json::value*> member(const json::object& object, const std::string& path, std::string_view name) {
  if (const auto* const value = object.if_contains(name)) {
    return value;
  }
  return fail(ErrorKind::usage, fmt::format("{} is missing", member_path(path, name)));
}

Result<const json::object*> as_object(const json::value& value, const std::string& path) {
  if (const auto* const object = value.if_object()) {
    return object;
  }
  return wrong(path, kind_name(value.kind()), "an object");
}

Result<std::int64_t> as_integer(const json::value& value, const std::string& path) {
  if (const auto* const integer = value.if_int64()) {
    return *integer;
  }
  if (value.is_uint64()) {
    return wrong(path, "beyond 64 bits", "an integer");
  }
  return wrong(path, kind_name(value.kind()), "an integer");
}

// 7, or [7, 9] of a number that was not the same in each run.
Result<Seen> as_seen(const json::value& value, const std::string& path) {
  const auto* const pair = value.if_array();
  if (pair == nullptr) {
    return as_integer(value, path);
  }
  if (pair->size() != 2) {
    return wrong(path, fmt::format("a list of {}", pair->size()), "an integer or [smallest, largest]");
  }
  STAGEGATE_TRY_ASSIGN(least, as_integer((*pair)[0], path + "[0]"));
  STAGEGATE_TRY_ASSIGN(most, as_integer((*pair)[1], path + "[1]"));
  if (least > most) {
    return wrong(path, fmt::format("[{}, {}]", least, most), "[smallest, largest]");
  }
  return Seen(least, most);
}

Result<std::string> as_text(const json::value& value, const std::string& path) {
  if (const auto* const text = value.if_string()) {
    return std::string(*text);
  }
  return wrong(path, kind_name(value.kind()), "a string");
}

// A member as AS reads it.
template <typename As>
auto read(const json::object& object, const std::string& path, std::string_view name, As as) {
  return member(object, path, name).and_then([&](const json::value* value) { return as(*value, member_path(path, name)); });
}

template <typename T, typename As>
Result<std::map<std::string, T>> read_map(const json::object& parent, const std::string& path, std::string_view name, As as) {
  STAGEGATE_TRY_ASSIGN(object, read(parent, path, name, as_object));
  std::map<std::string, T> map;
  for (const auto& [key, value] : *object) {
    STAGEGATE_TRY_ASSIGN(entry, as(value, member_path(member_path(path, name), key)));
    map.emplace(std::string(key), std::move(entry));
  }
  return map;
}

template <typename T, typename As>
Result<std::vector<T>> as_list(const json::value& value, const std::string& path, As as) {
  const auto* const array = value.if_array();
  if (array == nullptr) {
    return wrong(path, kind_name(value.kind()), "a list");
  }
  std::vector<T> list;
  for (std::size_t i = 0; i < array->size(); ++i) {
    STAGEGATE_TRY_ASSIGN(entry, as((*array)[i], fmt::format("{}[{}]", path, i)));
    list.push_back(std::move(entry));
  }
  return list;
}

Result<std::vector<std::string>> as_texts(const json::value& value, const std::string& path) {
  return as_list<std::string>(value, path, as_text);
}

// A list of objects, each read by AS.
template <typename T, typename As>
Result<std::vector<T>> read_objects(const json::object& root, std::string_view name, As as) {
  const auto as_entry = [&](const json::value& value, const std::string& path) {
    return as_object(value, path).and_then([&](const json::object* object) { return as(*object, path); });
  };
  return read(root, "", name, [&](const json::value& value, const std::string& path) { return as_list<T>(value, path, as_entry); });
}

Result<Conditions> read_conditions(const json::object& root) {
  const std::string path = "conditions";
  STAGEGATE_TRY_ASSIGN(object, read(root, "", path, as_object));
  Conditions conditions;
  STAGEGATE_TRY_ASSIGN(spark, read(*object, path, "spark", as_text));
  STAGEGATE_TRY_ASSIGN(conf, (read_map<std::string>(*object, path, "conf", as_text)));
  STAGEGATE_TRY_ASSIGN(records, (read_map<std::int64_t>(*object, path, "source_records", as_integer)));
  if (object->contains("cores")) {
    STAGEGATE_TRY_ASSIGN(cores, read(*object, path, "cores", as_integer));
    conditions.cores = cores;
  }
  conditions.spark = std::move(spark);
  conditions.conf = std::move(conf);
  conditions.source_records = std::move(records);
  return conditions;
}

Result<ValueUnit> as_unit(const json::value& value, const std::string& path) {
  STAGEGATE_TRY_ASSIGN(name, as_text(value, path));
  for (const auto& [unit, unit_name] : kUnitNames) {
    if (unit_name == name) {
      return unit;
    }
  }
  return wrong(path, fmt::format("\"{}\"", clean_text(name)), "one of ratio, bytes, count, percent");
}

Result<BaselineFinding> read_finding(const json::object& object, const std::string& path) {
  STAGEGATE_TRY_ASSIGN(rule, read(object, path, "rule", as_text));
  STAGEGATE_TRY_ASSIGN(label, read(object, path, "stage", as_text));
  STAGEGATE_TRY_ASSIGN(fingerprint, read(object, path, "fingerprint", as_text));
  STAGEGATE_TRY_ASSIGN(value, read(object, path, "value_thousandths", as_seen));
  STAGEGATE_TRY_ASSIGN(unit, read(object, path, "unit", as_unit));
  return BaselineFinding{.rule = std::move(rule),
                         .stage_label = std::move(label),
                         .stage_fingerprint = std::move(fingerprint),
                         .value_thousandths = value.most,
                         .unit = unit,
                         .least_thousandths = value.varies() ? std::optional(value.least) : std::nullopt};
}

Result<BaselineStage> read_keys_and_totals(const json::object& object, const std::string& path) {
  BaselineStage stage;
  STAGEGATE_TRY_ASSIGN(label, read(object, path, "label", as_text));
  STAGEGATE_TRY_ASSIGN(fingerprint, read(object, path, "fingerprint", as_text));
  STAGEGATE_TRY_ASSIGN(tasks, read(object, path, "tasks", as_seen));
  STAGEGATE_TRY_ASSIGN(totals, (read_map<Seen>(object, path, "totals", as_seen)));
  for (const auto& info : kMetrics) {
    if (const auto total = totals.find(std::string(info.name)); total != totals.end() && is_kept_in_baseline(info.metric)) {
      stage.totals[index_of(info.metric)] = total->second;
    }
  }
  stage.key = {.label = std::move(label), .fingerprint = std::move(fingerprint)};
  stage.tasks = tasks;
  return stage;
}

Result<BaselineStage> read_stage(const json::object& object, const std::string& path) {
  STAGEGATE_TRY_ASSIGN(stage, read_keys_and_totals(object, path));
  STAGEGATE_TRY_ASSIGN(purpose, read(object, path, "purpose", as_text));
  STAGEGATE_TRY_ASSIGN(producers, read(object, path, "reads", as_texts));
  STAGEGATE_TRY_ASSIGN(work, read(object, path, "work", as_texts));
  stage.purpose = std::move(purpose);
  stage.producers = std::move(producers);
  stage.work = std::move(work);
  return stage;
}

Result<json::value> parse(std::string_view text, const std::string& file) {
  json::error_code error;
  json::stream_parser parser;
  const auto read = parser.write_some(text.data(), text.size(), error);
  if (!error && read == text.size()) {
    parser.finish(error);
  }
  if (error || read < text.size()) {
    const auto what = error ? error.message() : "more text after the end";
    return fail(ErrorKind::usage, fmt::format("{}:{}: this is not JSON ({}): take the file from git again, or make it anew with {}", file,
                                              place_of(text, read), what, kRenew));
  }
  return parser.release();
}

Result<int> read_schema(const json::object& root) {
  STAGEGATE_TRY_ASSIGN(schema, read(root, "", "schema", as_text));
  for (int known = 1; known <= kNewestSchema; ++known) {
    if (schema == fmt::format("{}{}", kSchemaFamily, known)) {
      return known;
    }
  }
  const auto version = std::string_view(schema).substr(std::min(kSchemaFamily.size(), schema.size()));
  const bool is_number = !version.empty() && version.front() != '0' && version.find_first_not_of("0123456789") == std::string_view::npos;
  if (schema.starts_with(kSchemaFamily) && is_number) {
    return fail(ErrorKind::usage,
                fmt::format("schema \"{}\" is newer than this stagegate, which reads \"{}{}\" and older ones: update stagegate", schema,
                            kSchemaFamily, kNewestSchema));
  }
  return fail(ErrorKind::usage,
              fmt::format("schema \"{}\" is not one of a baseline: make the file anew with {}", clean_text(schema), kRenew));
}

Result<Baseline> read_root(const json::object& root) {
  STAGEGATE_TRY_ASSIGN(schema, read_schema(root));
  STAGEGATE_TRY_ASSIGN(job, read(root, "", "job", as_text));
  STAGEGATE_TRY_ASSIGN(variant, read(root, "", "variant", as_text));
  STAGEGATE_TRY_ASSIGN(conditions, read_conditions(root));
  STAGEGATE_TRY_ASSIGN(findings, (read_objects<BaselineFinding>(root, "findings", read_finding)));
  STAGEGATE_TRY_ASSIGN(stages, (read_objects<BaselineStage>(root, "stages", schema == 1 ? read_keys_and_totals : read_stage)));
  Baseline baseline{.job = std::move(job),
                    .variant = std::move(variant),
                    .conditions = std::move(conditions),
                    .findings = std::move(findings),
                    .stages = std::move(stages),
                    .actions = {},
                    .schema = schema};
  if (schema > 1) {
    STAGEGATE_TRY_ASSIGN(actions, read(root, "", "order", [](const json::value& value, const std::string& path) {
                           return as_list<std::vector<std::string>>(value, path, as_texts);
                         }));
    baseline.actions = std::move(actions);
  }
  return baseline;
}

}  // namespace

Result<Baseline> read_baseline(std::string_view text, const std::string& file, const std::string& job, const std::string& variant) {
  if (const auto line = conflict_line(text)) {
    return fail(ErrorKind::usage, fmt::format("{}:{}: git left conflict markers here: take either side, then run {}", file, *line, kRenew));
  }
  STAGEGATE_TRY_ASSIGN(value, parse(text, file));
  auto baseline = as_object(value, "the file").and_then([](const json::object* root) { return read_root(*root); });
  if (!baseline) {
    return fail(ErrorKind::usage, fmt::format("{}: {}", file, baseline.error().message));
  }
  if (baseline->job != job || baseline->variant != variant) {
    return fail(ErrorKind::usage,
                fmt::format("{}: this is the baseline of job '{}', variant '{}', but stands where that of job '{}', variant '{}' belongs",
                            file, clean_text(baseline->job), clean_text(baseline->variant), job, variant));
  }
  sort_baseline(*baseline);
  return baseline;
}

}  // namespace stagegate
