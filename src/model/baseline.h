// What was accepted of one job under one variant: the values of a baseline file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/finding.h"
#include "model/metric.h"
#include "model/plan_facts.h"
#include "model/stage.h"

namespace stagegate {

// What two runs must share to be compared at all (design 8).
struct Conditions {
  std::string spark;                        // "4.3": major.minor
  std::optional<std::int64_t> cores;        // Spark's defaultParallelism
  std::map<std::string, std::string> conf;  // as the variant asked for it, without what differs from run to run
  // Records read by each stage that reads from outside, by stage label. Two runs are comparable where the labels they share
  // have equal numbers: a scan that only one of them has is a change of the job, another number of records in the same scan
  // a change of the data.
  std::map<std::string, std::int64_t> source_records;

  friend bool operator==(const Conditions&, const Conditions&) = default;
};

struct BaselineStage {
  StageKey key;
  std::int64_t tasks = 0;
  // Sums over the winners. Times and spills, which the machine decides, are never kept, nor are input bytes, which Spark does
  // not count the same way in every version.
  PerMetric<std::int64_t> totals;
  // Those that are kept; absent where the file is older than they are.
  PlanCounts plan = {};

  friend bool operator==(const BaselineStage&, const BaselineStage&) = default;
};

struct BaselineFinding {
  std::string rule;
  std::string stage_label;
  std::string stage_fingerprint;
  std::int64_t value_thousandths = 0;
  ValueUnit unit = ValueUnit::ratio;

  friend bool operator==(const BaselineFinding&, const BaselineFinding&) = default;
};

struct Baseline {
  std::string job;
  std::string variant;
  Conditions conditions;
  std::vector<BaselineFinding> findings;  // by rule, then stage label
  std::vector<BaselineStage> stages;      // by label

  friend bool operator==(const Baseline&, const Baseline&) = default;
};

// Which metrics a baseline keeps: all that move with job and data alone.
bool is_kept_in_baseline(Metric metric);

// What a baseline keeps of STAGE.
BaselineStage kept_of(const Stage& stage);

// "4.1.1" -> "4.1", "3.5.8-amzn-0" -> "3.5": of which two runs must be the same to be compared.
std::string major_minor(std::string_view spark_version);

}  // namespace stagegate
