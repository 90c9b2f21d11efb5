#include <string>

#include <gtest/gtest.h>

#include "report/report.h"
#include "unit/report/golden.h"
#include "unit/report/samples.h"

namespace stagegate {
namespace {

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string report_of(const Application& application) {
  return render_report_text(application, revenue_stages(), {}, {});
}

TEST(ReportText, ShowsApplicationTableTotalsAndFindings) {
  const std::vector<Finding> findings{skew_finding(), small_tasks_finding()};
  expect_golden("report_findings.txt", render_report_text(revenue_application(), revenue_stages(), findings, {}));
}

TEST(ReportText, GivesTheAdviceOfARuleOnce) {
  const std::vector<Finding> findings{small_tasks_finding(), small_tasks_finding()};
  const auto text = render_report_text(revenue_application(), revenue_stages(), findings, {});
  EXPECT_EQ(text.find("Lower spark"), text.rfind("Lower spark"));
}

TEST(ReportText, SaysPlainlyThatThereAreNoFindings) {
  EXPECT_TRUE(has(report_of(revenue_application()), "\nNo findings: no rule speaks on any stage.\n"));
}

TEST(ReportText, NeverCallsIncompleteEvidenceClean) {
  auto application = revenue_application();
  application.end_ms.reset();
  application.evidence.problems = {{"application-not-ended", "the log ends before the application does"},
                                   {"tasks-missing", "stage 2: 198 of 200\ntasks"}};
  const auto text = report_of(application);
  EXPECT_TRUE(has(text,
                  "\nSpark 4.3.0, duration unknown, 4 cores, INCOMPLETE\n"
                  "  application-not-ended: the log ends before the application does\n"
                  "  tasks-missing: stage 2: 198 of 200 tasks\n\n"));
  EXPECT_TRUE(has(text, "\nNo findings in what is there, but the evidence is incomplete.\n"));
}

TEST(ReportText, SaysWhatIsUnknownOfAnEmptyApplication) {
  EXPECT_EQ(render_report_text(Application(), {}, {}, {}),
            "application without a name\n"
            "Spark version unknown, duration unknown, cores unknown, complete\n"
            "\n"
            "no stage ran\n"
            "total: 0 stages, 0 tasks\n"
            "\n"
            "No findings: there is no stage to look at.\n");
}

}  // namespace
}  // namespace stagegate
