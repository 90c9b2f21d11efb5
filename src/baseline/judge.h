// From a run's stages and findings to a verdict on each, by the baseline and the manifest's suppressions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/application.h"
#include "model/baseline.h"
#include "model/finding.h"
#include "model/job_variant.h"
#include "model/rule_settings.h"
#include "model/stage.h"
#include "model/stage_links.h"
#include "model/verdict.h"

namespace stagegate {

// The conditions and values of this run; what its stages are recognised by is identity/'s to add. Secrets and absolute local paths are not
// kept (baseline/kept_conf.h), nor are findings that come of comparing with a baseline: with the new numbers they are gone.
Baseline make_baseline(const JobVariant& job_variant, const Application& application, std::span<const Stage> stages,
                       std::span<const Finding> findings);

// The fields in which the two differ, a line each: "spark: 3.5 in the baseline, 4.3 now". Empty: comparable. LINKS: from the stages of
// ACCEPTED to those of CURRENT.
std::vector<std::string> differing_conditions(const Baseline& accepted, const Baseline& current, const StageLinks& links = {},
                                              SparkVersions versions = SparkVersions::must_be_the_same);

struct Judgement {
  std::vector<JudgedFinding> findings;  // in the order of FINDINGS
  std::vector<GoneFinding> gone;
  std::vector<std::size_t> used_suppressions;  // indices into SUPPRESSIONS
};

// A finding is known by its rule and its stage, as LINKS has it; else by its rule and its stage's label. It is worse where its value lies
// beyond the accepted one by more than the finding's tolerance, exactly. A finding that comes of comparing with the baseline is always new.
// A suppression counts while TODAY ("2026-11-29", ISO) is not after its `until`, whatever the baseline says; of several that fit the first
// one gives the reason. ACCEPTED is null where there is no (comparable) baseline: then findings are `unjudged`, or, with BaselineUse::off,
// `new_finding`.
enum class BaselineUse : std::uint8_t { on, off };
Judgement judge(const std::string& job, const std::string& variant, std::span<const Finding> findings, std::span<const Stage> stages,
                const Baseline* accepted, BaselineUse use, std::span<const Suppression> suppressions, const std::string& today,
                const StageLinks& links = {});

}  // namespace stagegate
