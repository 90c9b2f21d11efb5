#include "rules/evaluate.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/work_together.h"
#include "rules/compiled_rule.h"
#include "rules/names.h"
#include "rules/run_sums.h"
#include "rules/text_names.h"

namespace stagegate {
namespace {

// A rule, ready, with the subjects on which it fired.
struct JudgedRule {
  const ConfiguredRule* configured = nullptr;
  CompiledRule compiled;
  std::vector<bool> fired;
};

// What the rules of one scope are held against.
using Subjects = std::vector<Subject>;

CompiledRule::Values values_of(const Subject& subject) {
  return [&subject](const NameInfo& name) { return value_of(name, subject); };
}

std::string where(const Rule& rule, const Subject& subject) {
  return rule.scope == RuleScope::run ? "on the run" : fmt::format("on stage '{}'", subject.stage->key.label);
}

tl::unexpected<Error> broken(const Rule& rule, const Subject& subject, const Error& error) {
  return fail(error.kind, fmt::format("{}: {} {}", rule.file, error.message, where(rule, subject)));
}

// A rule that speaks of the first stages only is silenced on those that rest, however far up, on one on which it fired.
void keep_first(JudgedRule& judged, const Subjects& subjects) {
  const auto fired = judged.fired;
  std::vector<bool> rests_on_one(fired.size(), false);
  for (std::size_t i = 0; i < fired.size(); ++i) {
    const auto& producers = subjects[i].stage->producers;
    rests_on_one[i] = std::any_of(producers.begin(), producers.end(), [&](std::size_t p) { return fired[p] || rests_on_one[p]; });
    judged.fired[i] = fired[i] && !rests_on_one[i];
  }
}

Result<JudgedRule> judge(const ConfiguredRule& configured, const Subjects& subjects) {
  const Rule& rule = *configured.rule;
  auto compiled = CompiledRule::compile(rule, configured.parameters);
  if (!compiled) {
    return fail(ErrorKind::usage, fmt::format("{}: {}", rule.file, compiled.error().message));
  }
  JudgedRule judged{&configured, *std::move(compiled), {}};
  judged.fired.reserve(subjects.size());
  for (const auto& subject : subjects) {
    const auto fires = judged.compiled.fires(values_of(subject));
    if (!fires) {
      return broken(rule, subject, fires.error());
    }
    judged.fired.push_back(*fires);
  }
  if (rule.first_only) {
    keep_first(judged, subjects);
  }
  return judged;
}

// Whether one of the rules that RULE yields to fired on the same subject, be it silenced itself or not.
bool is_silenced(const Rule& rule, std::size_t subject, std::span<const JudgedRule> all) {
  return std::any_of(all.begin(), all.end(), [&](const JudgedRule& other) {
    const Rule& candidate = *other.configured->rule;
    return candidate.scope == rule.scope && other.fired[subject] &&
           std::find(rule.unless.begin(), rule.unless.end(), candidate.id) != rule.unless.end();
  });
}

Result<Finding> make_finding(JudgedRule& judged, const Subject& subject) {
  const Rule& rule = *judged.configured->rule;
  const auto values = values_of(subject);
  const auto value = judged.compiled.value(values);
  if (!value) {
    return broken(rule, subject, value.error());
  }
  Finding finding;
  finding.rule = rule.id;
  finding.level = judged.configured->level;
  finding.value_thousandths = thousandths_of(*value);
  finding.unit = rule.unit;
  finding.tolerance_thousandths = rule.tolerance_thousandths;
  finding.message = judged.compiled.message(
      values, [&](TextName name) { return text_of(name, subject); }, *value);
  finding.advice = rule.hint.empty() ? rule.advice : fmt::format("{} More: stagegate explain {}", rule.hint, rule.id);
  finding.compares_with_baseline = judged.compiled.compares_with_baseline();
  finding.compares_runs = judged.compiled.compares_runs();
  if (finding.compares_runs && subject.stage->repeats && !subject.stage->repeats->reason.empty()) {
    finding.message += "; " + subject.stage->repeats->reason;
  }
  if (rule.scope == RuleScope::stage) {
    finding.stage_label = subject.stage->key.label;
    finding.stage_fingerprint = subject.stage->key.fingerprint;
    finding.stage_id = subject.stage->id;
  }
  return finding;
}

Subjects subjects_of(const JudgedRun& run, const Stage& sums, const AcceptedRun* accepted, const BaselineStage* accepted_sums) {
  Subjects subjects;
  subjects.reserve(run.stages.size());
  for (std::size_t i = 0; i < run.stages.size(); ++i) {
    subjects.push_back({.stage = &run.stages[i],
                        .accepted = accepted == nullptr ? nullptr : accepted->partners[i],
                        .run = &sums,
                        .accepted_run = accepted_sums});
  }
  return subjects;
}

}  // namespace

Result<std::vector<Finding>> evaluate(std::span<const ConfiguredRule> rules, const JudgedRun& run, const AcceptedRun* accepted,
                                      int threads) {
  assert(accepted == nullptr || accepted->partners.size() == run.stages.size());
  const Stage sums = sums_of(run.stages);
  const auto accepted_sums = accepted == nullptr ? BaselineStage() : accepted_sums_of(accepted->stages);
  const Subjects whole{{.stage = &sums, .stages = static_cast<std::int64_t>(run.stages.size()), .facts = &run.facts}};
  const Subjects each = subjects_of(run, sums, accepted, accepted == nullptr ? nullptr : &accepted_sums);
  const auto subjects = [&](const Rule& rule) -> const Subjects& { return rule.scope == RuleScope::run ? whole : each; };

  std::vector<std::optional<Result<JudgedRule>>> results(rules.size());
  work_together(rules.size(), threads, [&](std::size_t i) { results[i].emplace(judge(rules[i], subjects(*rules[i].rule))); });
  std::vector<JudgedRule> judged;
  for (auto& result : results) {
    STAGEGATE_TRY_ASSIGN(one, std::move(*result));
    judged.push_back(std::move(one));
  }
  std::vector<Finding> findings;
  for (auto& one : judged) {
    const Rule& rule = *one.configured->rule;
    for (std::size_t i = 0; i < one.fired.size(); ++i) {
      if (one.fired[i] && !is_silenced(rule, i, judged)) {
        STAGEGATE_TRY_ASSIGN(finding, make_finding(one, subjects(rule)[i]));
        findings.push_back(std::move(finding));
      }
    }
  }
  return findings;
}

}  // namespace stagegate
