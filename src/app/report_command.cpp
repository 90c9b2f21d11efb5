#include <algorithm>
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
    print_message(fmt::format("{}: incomplete: {} ({})", options.source.source, problem.message, problem.code));
  }
}

int show(const Result<Application>& application, const ReportOptions& options) {
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

// In text an empty line stands between two; the others follow each other as documents. What cannot be shown decides the exit code.
int show_all(const ReportOptions& options) {
  int code = 0;
  bool first = true;
  const auto status = read_all_of_source(options.source, TaskDepth::judged, [&](const Result<Application>& application) {
    if (!first && options.format == ReportFormat::text) {
      print_result("\n");
    }
    first = false;
    code = std::max(code, show(application, options));
  });
  return status ? code : report_error(status.error());
}

}  // namespace

int report_command(const ReportOptions& options) {
  return options.all_apps ? show_all(options) : show(read_source(options.source, TaskDepth::judged), options);
}

}  // namespace stagegate
