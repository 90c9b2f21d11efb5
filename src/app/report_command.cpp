#include <vector>

#include <fmt/format.h>

#include "app/commands.h"
#include "app/console.h"
#include "app/read_source.h"
#include "identity/identify.h"
#include "model/pool_attempts.h"
#include "rules/evaluate.h"

namespace stagegate {
namespace {

// What the built-in rules say, with their defaults: a report needs no manifest.
Result<std::vector<Finding>> find(const std::vector<Stage>& stages) {
  STAGEGATE_TRY_ASSIGN(rules, load_rules({}));
  const auto configured = configure(rules, {}, {}, {});
  const std::vector<const BaselineStage*> no_baseline(stages.size(), nullptr);
  return evaluate(configured, stages, no_baseline);
}

std::string render(const Application& application, const std::vector<Stage>& stages, const std::vector<Finding>& findings,
                   const ReportOptions& options) {
  if (options.format == ReportFormat::json) {
    return render_report_json(application, stages, findings);
  }
  return render_report_text(application, stages, findings,
                            {.color = color_for(options.color, Stream::out), .sort = options.sort, .filter = options.filter, .indent = 0});
}

// Evidence that is not whole is shown as far as it goes; what is missing is in the report and, for who only looks there, on stderr.
void print_problems(const ReportOptions& options, const std::vector<EvidenceProblem>& problems) {
  for (const auto& problem : problems) {
    print_message(fmt::format("{}: incomplete: {} ({})", options.source, problem.message, problem.code));
  }
}

}  // namespace

int report_command(const ReportOptions& options) {
  const auto application = read_source(options.source);
  if (!application) {
    return report_error(application.error());
  }
  auto stages = pool_attempts(*application);
  identify(*application, stages);
  const auto findings = find(stages);
  if (!findings) {
    return report_error(findings.error());
  }
  print_result(render(*application, stages, *findings, options));
  print_problems(options, application->evidence.problems);
  return 0;
}

}  // namespace stagegate
