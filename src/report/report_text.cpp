#include <string>

#include <fmt/format.h>

#include "report/application_facts.h"
#include "report/finding_text.h"
#include "report/report.h"

namespace stagegate {
std::string render_report_text(const Application& application, std::span<const Stage> stages, std::span<const Finding> findings,
                               const StageTableOptions& options) {
  std::string text = application_lines(application, options.color);
  text += '\n' + render_stage_table(application, stages, findings, options);
  text += fmt::format("total: {}\n\n", totals_text(stages));
  text += findings.empty() ? no_findings_text(application, stages) : findings_text(findings, options.color);
  return text;
}

}  // namespace stagegate
