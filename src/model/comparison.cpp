#include "model/comparison.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/saturating.h"
#include "model/baseline.h"

namespace stagegate {
namespace {

constexpr std::int64_t kNoise = 1024;
constexpr std::int64_t kNoisePart = 100;  // one of so many

std::string or_unknown(std::string_view text) {
  return text.empty() ? "unknown" : std::string(text);
}

class Comparer {
 public:
  Comparer(const ComparedRun& before, const ComparedRun& after, SparkVersions versions) : before_(before), after_(after) {
    result_.differences = differences_between(before, after, versions);
    if (major_minor(before.spark_version) != major_minor(after.spark_version)) {
      result_.left_out.push_back(Metric::output_bytes);  // footers of files differ by version
    }
  }

  Comparison run(std::span<const StageMatch> matches) {
    std::vector<bool> has_partner(before_.stages.size(), false);
    std::vector<std::optional<StageMatch>> match_of(after_.stages.size());
    for (const auto& match : matches) {
      has_partner[match.before] = true;
      match_of[match.after] = match;
    }
    for (std::size_t i = 0; i < after_.stages.size(); ++i) {
      add(match_of[i] ? std::optional(match_of[i]->before) : std::nullopt, i, match_of[i]);
    }
    for (std::size_t i = 0; i < before_.stages.size(); ++i) {
      if (!has_partner[i]) {
        add(i, std::nullopt, std::nullopt);
      }
    }
    std::stable_sort(result_.rows.begin(), result_.rows.end(), [](const StageComparison& a, const StageComparison& b) {
      return std::abs(a.bytes_after - a.bytes_before) > std::abs(b.bytes_after - b.bytes_before);
    });
    return std::move(result_);
  }

 private:
  void add(std::optional<std::size_t> before, std::optional<std::size_t> after, const std::optional<StageMatch>& match) {
    StageComparison row;
    row.before = before;
    row.after = after;
    row.match = match;
    row.bytes_before = before ? bytes_of(before_.stages[*before]) : 0;
    row.bytes_after = after ? bytes_of(after_.stages[*after]) : 0;
    const auto both = saturating_add(row.bytes_before, row.bytes_after);
    result_.all_bytes = saturating_add(result_.all_bytes, both);
    result_.matched_bytes = saturating_add(result_.matched_bytes, match ? both : 0);
    compare_findings(row);
    row.change = change_of(row);
    result_.rows.push_back(std::move(row));
  }

  std::int64_t bytes_of(const Stage& stage) const {
    std::int64_t sum = 0;
    for (const auto metric : kComparedBytes) {
      const auto& distribution = stage.metrics[index_of(metric)];
      const bool counts = std::find(result_.left_out.begin(), result_.left_out.end(), metric) == result_.left_out.end();
      // What a broken log has below zero counts for nothing, so that differences fit.
      sum = saturating_add(sum, distribution && counts ? std::max<std::int64_t>(distribution->sum, 0) : 0);
    }
    return sum;
  }

  void compare_findings(StageComparison& row) const {
    const auto before = row.before ? findings_of(before_, *row.before) : std::vector<const Finding*>();
    const auto after = row.after ? findings_of(after_, *row.after) : std::vector<const Finding*>();
    const auto without = [](const std::vector<const Finding*>& all, const std::vector<const Finding*>& others) {
      std::vector<const Finding*> rest;
      for (const auto* finding : all) {
        const bool has_other =
            std::any_of(others.begin(), others.end(), [&](const Finding* other) { return other->rule == finding->rule; });
        if (!has_other) {
          rest.push_back(finding);
        }
      }
      return rest;
    };
    row.new_findings = without(after, before);
    row.gone_findings = without(before, after);
  }

  static std::vector<const Finding*> findings_of(const ComparedRun& run, std::size_t stage) {
    std::vector<const Finding*> found;
    for (const auto& finding : run.findings) {
      if (finding.stage_fingerprint == run.stages[stage].key.fingerprint) {
        found.push_back(&finding);
      }
    }
    return found;
  }

  static Change change_of(const StageComparison& row) {
    if (!row.new_findings.empty()) {
      return Change::new_finding;
    }
    if (!row.gone_findings.empty()) {
      return Change::finding_gone;
    }
    if (!row.match) {
      return Change::not_comparable;
    }
    if (row.match->ambiguous) {
      return Change::ambiguous;
    }
    const auto difference = row.bytes_after - row.bytes_before;
    if (std::abs(difference) <= std::max(kNoise, row.bytes_before / kNoisePart)) {
      return Change::same;
    }
    return difference > 0 ? Change::worse : Change::better;
  }

  const ComparedRun& before_;
  const ComparedRun& after_;
  Comparison result_;
};

}  // namespace

char mark_of(Change change) {
  switch (change) {
    case Change::worse:
      return '+';
    case Change::better:
      return '-';
    case Change::same:
      return '~';
    case Change::new_finding:
      return '!';
    case Change::finding_gone:
      return '*';
    case Change::not_comparable:
      return 'x';
    case Change::ambiguous:
      return '?';
  }
  return '?';
}

std::string_view name_of(Change change) {
  switch (change) {
    case Change::worse:
      return "worse";
    case Change::better:
      return "better";
    case Change::same:
      return "same";
    case Change::new_finding:
      return "new-finding";
    case Change::finding_gone:
      return "finding-gone";
    case Change::not_comparable:
      return "not-comparable";
    case Change::ambiguous:
      return "ambiguous";
  }
  return "ambiguous";
}

std::vector<std::string> differences_between(const ComparedRun& before, const ComparedRun& after, SparkVersions versions) {
  std::vector<std::string> differences;
  if (versions == SparkVersions::must_be_the_same && major_minor(before.spark_version) != major_minor(after.spark_version)) {
    differences.push_back(fmt::format("Spark: {} before, {} after", or_unknown(before.spark_version), or_unknown(after.spark_version)));
  }
  if (before.cores != after.cores) {
    const auto cores = [](const auto& count) { return count ? fmt::format("{}", *count) : std::string("unknown"); };
    differences.push_back(
        fmt::format("cores: {} before, {} after, which decides how many tasks there are", cores(before.cores), cores(after.cores)));
  }
  return differences;
}

Comparison compare_runs(const ComparedRun& before, const ComparedRun& after, std::span<const StageMatch> matches, SparkVersions versions) {
  return Comparer(before, after, versions).run(matches);
}

}  // namespace stagegate
