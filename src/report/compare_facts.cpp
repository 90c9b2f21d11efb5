#include "report/compare_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units.h"
#include "report/compare.h"
#include "report/finding_text.h"
#include "report/terminal.h"

namespace stagegate {
namespace {

std::string tasks_of(const ComparedRun& run, const std::optional<std::size_t>& stage) {
  return stage ? format_count(run.stages[*stage].tasks) : std::string("-");
}

std::string percent(double part) {
  return std::abs(part) < 10 ? fmt::format("{:+.1f} %", part) : fmt::format("{:+.0f} %", part);
}

std::string thousandths_text(std::int64_t thousandths) {
  return fmt::format("{}.{} %", thousandths / 10, thousandths % 10);
}

}  // namespace

const Stage& stage_of(const ComparedRun& before, const ComparedRun& after, const StageComparison& row) {
  return row.after ? after.stages[*row.after] : before.stages[*row.before];
}

std::string stage_number_text(const ComparedRun& run, const std::optional<std::size_t>& stage) {
  if (!stage) {
    return "-";
  }
  const auto id = run.stages[*stage].id;
  return id < 0 ? std::string("·") : fmt::format("{}", id);
}

std::string tasks_change_text(const ComparedRun& before, const ComparedRun& after, const StageComparison& row) {
  const auto was = tasks_of(before, row.before);
  const auto is = tasks_of(after, row.after);
  return was == is ? is : fmt::format("{} -> {}", was, is);
}

std::string left_out_text(const Comparison& comparison) {
  std::vector<std::string> names;
  for (const auto metric : comparison.left_out) {
    names.emplace_back(kMetrics[index_of(metric)].name);
  }
  return fmt::format("{} bytes are left out: versions of Spark do not count them alike", join(names, " and "));
}

std::string difference_text(std::int64_t before, std::int64_t after) {
  const auto difference = after - before;
  return (difference > 0 ? "+" : difference < 0 ? "-" : "") + format_bytes(std::abs(difference));
}

std::string percent_text(const StageComparison& row) {
  if (!row.before || !row.after) {
    return row.after ? "new" : "gone";
  }
  if (row.bytes_before == row.bytes_after) {
    return "";
  }
  return row.bytes_before == 0
             ? "-"
             : percent(100.0 * static_cast<double>(row.bytes_after - row.bytes_before) / static_cast<double>(row.bytes_before));
}

std::string findings_change_text(const StageComparison& row) {
  std::vector<std::string> words;
  for (const auto* finding : row.new_findings) {
    words.push_back("new " + flag_text(*finding));
  }
  for (const auto* finding : row.gone_findings) {
    words.push_back(flag_text(*finding) + " gone");
  }
  return join(words, "; ");
}

std::string reason_of(const StageMatch& match) {
  const auto like = [&](std::string_view words) { return fmt::format("{}, {:.0f} % alike", words, std::floor(100 * match.likeness)); };
  std::string reason;
  switch (match.basis) {
    case MatchBasis::same_lineage:
      reason = "the same work for the same purpose, reading from and read by the same stages";
      break;
    case MatchBasis::same_work:
      reason = "the same work for the same purpose; what it reads from, or what reads from it, has changed";
      break;
    case MatchBasis::renamed:
      reason = "the same work under another description or job group";
      break;
    case MatchBasis::neighbours:
      reason = like("the one that is left between stages that are matched");
      break;
    case MatchBasis::likeness:
      reason = like("work, numbers and neighbours are like no other's");
      break;
  }
  return match.ambiguous ? reason + "; but another pairing would be as good" : reason;
}

std::string compare_summary_text(const Comparison& comparison) {
  constexpr std::array kinds{std::pair(Change::new_finding, "with new findings"),
                             std::pair(Change::finding_gone, "with findings gone"),
                             std::pair(Change::worse, "heavier"),
                             std::pair(Change::better, "lighter"),
                             std::pair(Change::ambiguous, "ambiguous"),
                             std::pair(Change::same, "the same")};
  const auto count = [&](auto is) { return std::count_if(comparison.rows.begin(), comparison.rows.end(), is); };
  std::vector<std::string> words;
  for (const auto& [change, name] : kinds) {
    if (const auto rows = count([wanted = change](const StageComparison& row) { return row.match && row.change == wanted; }); rows > 0) {
      words.push_back(fmt::format("{} {}", rows, name));
    }
  }
  const auto matched = count([](const StageComparison& row) { return row.match.has_value(); });
  auto text = counted(static_cast<std::size_t>(matched), "stage") + " compared" + (words.empty() ? "" : ": " + join(words, ", "));
  text += fmt::format("; {} only before, {} only after", count([](const auto& row) { return !row.after; }),
                      count([](const auto& row) { return !row.before; }));
  return text + fmt::format("; {} of the bytes are in stages that both have", thousandths_text(comparison.coverage_thousandths()));
}

}  // namespace stagegate
