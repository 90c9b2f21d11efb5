// What was accepted of one job under one variant: the values of a baseline file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/finding.h"
#include "model/metric.h"
#include "model/plan_facts.h"
#include "model/seen.h"
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
  Seen tasks;
  // Sums over the winners. Times and spills, which the machine decides, are never kept, nor are input bytes, which Spark does
  // not count the same way in every version.
  PerMetric<Seen> totals;
  // Those that are kept; absent where the file is older than they are.
  PlanCounts plan = {};
  // What the stage is recognised by in a run in which its fingerprint has changed: identity/keep_traits.h.
  std::string purpose = {};
  std::vector<std::string> work = {};
  std::vector<std::string> producers = {};  // fingerprints of the stages that it reads from

  friend bool operator==(const BaselineStage&, const BaselineStage&) = default;
};

// Whether runs of different minor versions of Spark are compared: --across-versions.
enum class SparkVersions : std::uint8_t { must_be_the_same, may_differ };

struct BaselineFinding {
  std::string rule;
  std::string stage_label;
  std::string stage_fingerprint;
  std::int64_t value_thousandths = 0;  // the largest, where it was not the same in each run
  ValueUnit unit = ValueUnit::ratio;
  std::optional<std::int64_t> least_thousandths = {};  // the smallest, where it was not the same

  friend bool operator==(const BaselineFinding&, const BaselineFinding&) = default;
};

struct Baseline {
  std::string job;
  std::string variant;
  Conditions conditions;
  std::vector<BaselineFinding> findings;  // by rule, then stage label
  std::vector<BaselineStage> stages;      // by label
  // The stages of each action by their fingerprints, in the order in which they ran: which stage a changed one is shows from its place.
  std::vector<std::vector<std::string>> actions = {};
  // Of the file that it was read from. The first schema keeps nothing but keys and totals of a stage.
  int schema = 2;

  friend bool operator==(const Baseline&, const Baseline&) = default;
};

// Which metrics a baseline keeps: all that move with job and data alone.
bool is_kept_in_baseline(Metric metric);

// What a baseline keeps of STAGE, of all its runs where there were several.
BaselineStage kept_of(const Stage& stage);

// Takes out what minor versions of Spark do not count alike: output bytes, since the footers of files hold the version.
void leave_out_across_versions(std::span<BaselineStage> stages);

// "4.1.1" -> "4.1", "3.5.8-amzn-0" -> "3.5": of which two runs must be the same to be compared.
std::string major_minor(std::string_view spark_version);

}  // namespace stagegate
