#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "baseline/baseline_format.h"
#include "baseline/baseline_json.h"
#include "baseline/json_writer.h"

namespace stagegate {
namespace {

std::string_view name_of(ValueUnit unit) {
  return std::find_if(kUnitNames.begin(), kUnitNames.end(), [&](const auto& entry) { return entry.first == unit; })->second;
}

void write_conditions(JsonWriter& out, const Conditions& conditions) {
  out.begin_object("conditions");
  out.begin_object("conf");
  for (const auto& [key, value] : conditions.conf) {
    out.text(key, value);
  }
  out.end_object();
  if (conditions.cores) {
    out.integer("cores", *conditions.cores);
  }
  out.begin_object("source_records");
  for (const auto& [label, records] : conditions.source_records) {
    out.integer(label, records);
  }
  out.end_object();
  out.text("spark", conditions.spark);
  out.end_object();
}

void write_seen(JsonWriter& out, std::string_view key, const Seen& seen) {
  if (seen.varies()) {
    out.pair(key, seen.least, seen.most);
  } else {
    out.integer(key, seen.most);
  }
}

void write_texts(JsonWriter& out, std::string_view key, const std::vector<std::string>& texts) {
  out.begin_list(key);
  for (const auto& text : texts) {
    out.text({}, text);
  }
  out.end_list();
}

void write_finding(JsonWriter& out, const BaselineFinding& finding) {
  out.begin_object();
  out.text("fingerprint", finding.stage_fingerprint);
  out.text("rule", finding.rule);
  out.text("stage", finding.stage_label);
  out.text("unit", name_of(finding.unit));
  write_seen(out, "value_thousandths", {finding.least_thousandths.value_or(finding.value_thousandths), finding.value_thousandths});
  out.end_object();
}

void write_totals(JsonWriter& out, const BaselineStage& stage) {
  std::vector<std::pair<std::string_view, Seen>> totals;
  for (const auto& info : kMetrics) {
    if (const auto& total = stage.totals[index_of(info.metric)]; total && is_kept_in_baseline(info.metric)) {
      totals.emplace_back(info.name, *total);
    }
  }
  std::sort(totals.begin(), totals.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  out.begin_object("totals");
  for (const auto& [name, total] : totals) {
    write_seen(out, name, total);
  }
  out.end_object();
}

void write_stage(JsonWriter& out, const BaselineStage& stage, int schema) {
  out.begin_object();
  out.text("fingerprint", stage.key.fingerprint);
  out.text("label", stage.key.label);
  if (schema > 1) {
    out.text("purpose", stage.purpose);
    write_texts(out, "reads", stage.producers);
  }
  write_seen(out, "tasks", stage.tasks);
  write_totals(out, stage);
  if (schema > 1) {
    write_texts(out, "work", stage.work);
  }
  out.end_object();
}

void write_order(JsonWriter& out, const std::vector<std::vector<std::string>>& actions) {
  out.begin_list("order");
  for (const auto& action : actions) {
    write_texts(out, {}, action);
  }
  out.end_list();
}

// What the first schema cannot say is left out.
Baseline as_schema(Baseline baseline) {
  if (baseline.schema == 1) {
    for (auto& finding : baseline.findings) {
      finding.least_thousandths.reset();
    }
  }
  sort_baseline(baseline);
  return baseline;
}

}  // namespace

void sort_baseline(Baseline& baseline) {
  std::sort(baseline.findings.begin(), baseline.findings.end(), [](const BaselineFinding& a, const BaselineFinding& b) {
    return std::tie(a.rule, a.stage_label, a.stage_fingerprint, a.value_thousandths) <
           std::tie(b.rule, b.stage_label, b.stage_fingerprint, b.value_thousandths);
  });
  std::sort(baseline.stages.begin(), baseline.stages.end(), [](const BaselineStage& a, const BaselineStage& b) {
    return std::tie(a.key.label, a.key.fingerprint) < std::tie(b.key.label, b.key.fingerprint);
  });
}

std::string write_baseline(const Baseline& baseline) {
  const auto sorted = as_schema(baseline);
  JsonWriter out;
  out.begin_object();
  write_conditions(out, sorted.conditions);
  out.begin_list("findings");
  for (const auto& finding : sorted.findings) {
    write_finding(out, finding);
  }
  out.end_list();
  out.text("job", sorted.job);
  if (sorted.schema > 1) {
    write_order(out, sorted.actions);
  }
  out.text("schema", fmt::format("{}{}", kSchemaFamily, sorted.schema));
  out.begin_list("stages");
  for (const auto& stage : sorted.stages) {
    write_stage(out, stage, sorted.schema);
  }
  out.end_list();
  out.text("variant", sorted.variant);
  out.end_object();
  return out.finish();
}

}  // namespace stagegate
