// Two runs held against each other: what changed, stage by stage.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/baseline.h"
#include "model/finding.h"
#include "model/metric.h"
#include "model/stage.h"
#include "model/stage_match.h"

namespace stagegate {

// One of the runs, as far as it is compared.
struct ComparedRun {
  std::string name;           // for people: its application's name or the source
  std::string spark_version;  // "" where it is not known
  std::optional<std::int64_t> cores;
  bool complete = true;
  std::vector<Stage> stages;
  std::vector<Finding> findings;
};

enum class Change : std::uint8_t { worse, better, same, new_finding, finding_gone, not_comparable, ambiguous };

// '+', '-', '~', '!', '*', 'x', '?': one mark a row.
char mark_of(Change change);
// "worse", "new-finding", ...: in JSON
std::string_view name_of(Change change);

// What is compared of a stage. Input bytes are not among them: Spark does not count them alike in every version.
inline constexpr std::array kComparedBytes{Metric::shuffle_read_bytes, Metric::shuffle_write_bytes, Metric::output_bytes};

struct StageComparison {
  std::optional<std::size_t> before;  // index into the run's stages; absent: only the other run has it
  std::optional<std::size_t> after;
  std::optional<StageMatch> match;
  Change change = Change::same;
  std::int64_t bytes_before = 0;  // sum of those that are compared
  std::int64_t bytes_after = 0;
  std::vector<const Finding*> new_findings;   // of AFTER
  std::vector<const Finding*> gone_findings;  // of BEFORE
};

struct Comparison {
  std::vector<StageComparison> rows;     // largest change first
  std::vector<std::string> differences;  // of what must be the same for bytes to be compared, a line each: "Spark 3.5 before, 4.3 after"
  std::vector<Metric> left_out;          // bytes that are not compared because of them
  std::int64_t matched_bytes = 0;        // of both runs
  std::int64_t all_bytes = 0;

  // A part of 1000.
  std::int64_t coverage_thousandths() const {
    return all_bytes == 0 ? 1000 : static_cast<std::int64_t>(1000.0 * static_cast<double>(matched_bytes) / static_cast<double>(all_bytes));
  }
};

// Comparison::differences alone; empty: the bytes of the two runs can be compared. Where versions may differ they are no difference.
std::vector<std::string> differences_between(const ComparedRun& before, const ComparedRun& after,
                                             SparkVersions versions = SparkVersions::must_be_the_same);

// MATCHES: indices into the stages of the runs. A stage is worse or better where its bytes differ by more than a hundredth and more than
// 1 KiB: what compression makes of another order of rows is neither. Findings are the same where rule and stage are. The runs must outlive
// the result.
Comparison compare_runs(const ComparedRun& before, const ComparedRun& after, std::span<const StageMatch> matches,
                        SparkVersions versions = SparkVersions::must_be_the_same);

}  // namespace stagegate
