// `stagegate compare --format json`: the schema stagegate.compare/1. Member names and their order are an interface.
#include <string_view>
#include <utility>

#include "report/compare.h"
#include "report/json_parts.h"

namespace stagegate {
namespace {

std::string_view name_of_basis(MatchBasis basis) {
  switch (basis) {
    case MatchBasis::same_lineage:
      return "same-lineage";
    case MatchBasis::same_work:
      return "same-work";
    case MatchBasis::renamed:
      return "renamed";
    case MatchBasis::neighbours:
      return "neighbours";
    case MatchBasis::likeness:
      return "likeness";
  }
  return {};
}

json::object run_json(const ComparedRun& run) {
  return {
      {"name", run.name},
      {"spark_version", text_or_null(run.spark_version)},
      {"cores", or_null(run.cores)},
      {"complete", run.complete},
      {"stages", run.stages.size()},
  };
}

json::value stage_id_json(const ComparedRun& run, const std::optional<std::size_t>& stage) {
  return stage && run.stages[*stage].id >= 0 ? json::value(run.stages[*stage].id) : json::value();
}

json::object match_json(const ComparedRun& before, const ComparedRun& after, const StageComparison& row) {
  return {
      {"before", stage_id_json(before, row.before)}, {"after", stage_id_json(after, row.after)},
      {"basis", name_of_basis(row.match->basis)},    {"likeness", row.match->likeness},
      {"ambiguous", row.match->ambiguous},           {"reason", reason_of(*row.match)},
  };
}

json::object values_json(const ComparedRun& run, const std::optional<std::size_t>& index) {
  json::object values;
  if (!index) {
    return values;
  }
  const auto& stage = run.stages[*index];
  values["tasks"] = stage.tasks;
  for (const auto& info : kMetrics) {
    const auto& distribution = stage.metrics[index_of(info.metric)];
    if (info.metric != Metric::duration_ms) {
      values[info.name] = distribution ? json::value(distribution->sum) : json::value();
    }
  }
  return values;
}

json::array rules_json(const std::vector<const Finding*>& findings) {
  json::array rules;
  for (const auto* finding : findings) {
    rules.push_back(json::value(finding->rule));
  }
  return rules;
}

json::object row_json(const ComparedRun& before, const ComparedRun& after, const StageComparison& row) {
  const auto label = [](const ComparedRun& run, const std::optional<std::size_t>& stage) {
    return stage ? json::value(run.stages[*stage].key.label) : json::value();
  };
  return {
      {"change", name_of(row.change)},
      {"before", stage_id_json(before, row.before)},
      {"after", stage_id_json(after, row.after)},
      {"label_before", label(before, row.before)},
      {"label_after", label(after, row.after)},
      {"bytes_before", row.bytes_before},
      {"bytes_after", row.bytes_after},
      {"values_before", values_json(before, row.before)},
      {"values_after", values_json(after, row.after)},
      {"new_findings", rules_json(row.new_findings)},
      {"gone_findings", rules_json(row.gone_findings)},
  };
}

}  // namespace

std::string render_compare_json(const ComparedRun& before, const ComparedRun& after, const Comparison& comparison) {
  json::array matches;
  json::array rows;
  for (const auto& row : comparison.rows) {
    if (row.match) {
      matches.push_back(match_json(before, after, row));
    }
    rows.push_back(row_json(before, after, row));
  }
  json::array differences;
  for (const auto& difference : comparison.differences) {
    differences.push_back(json::value(difference));
  }
  json::array left_out;
  for (const auto metric : comparison.left_out) {
    left_out.push_back(json::value(kMetrics[index_of(metric)].name));
  }
  return write_document({
      {"schema", "stagegate.compare/1"},
      {"before", run_json(before)},
      {"after", run_json(after)},
      {"differences", std::move(differences)},
      {"left_out", std::move(left_out)},
      {"coverage_thousandths", comparison.coverage_thousandths()},
      {"matches", std::move(matches)},
      {"stages", std::move(rows)},
  });
}

}  // namespace stagegate
