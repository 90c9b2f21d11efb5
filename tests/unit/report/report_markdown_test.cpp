#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/text.h"
#include "report/markdown.h"
#include "report/report.h"
#include "unit/report/golden.h"
#include "unit/report/samples.h"

namespace stagegate {
namespace {

constexpr std::size_t kCommentCharacters = 65'536;

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

Application application_with_stages(std::int32_t count, const std::string& description) {
  Application application;
  for (std::int32_t id = 0; id < count; ++id) {
    StageAttempt attempt;
    attempt.id = id;
    attempt.name = "count";
    attempt.description = description;
    attempt.status = StageStatus::complete;
    application.stages.push_back(attempt);
  }
  return application;
}

TEST(MarkdownText, IsReadAsItIs) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"join orders, customers", "join orders, customers"},
      {"scan > shuffle by customer_id", "scan &gt; shuffle by customer_id"},
      {"a | b", "a &#124; b"},
      {"`code` *bold* _it_ ~~gone~~", "&#96;code&#96; \\*bold\\* \\_it\\_ \\~\\~gone\\~\\~"},
      {"<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"},
      {"![x](http://e)", "\\!\\[x\\](http://e)"},
      {"&lt; \\| $x$", "&amp;lt; \\\\&#124; &#36;x&#36;"},
      {"two\nlines\r\nand\ttabs", "two lines and tabs"},
      {"esc \x1b[31mred", "esc red"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(markdown_text(text), expected) << text;
  }
}

TEST(MarkdownText, NotifiesNobody) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"@team", "@&#8203;team"},
      {"me@example.com", "me@&#8203;example.com"},
      {"#12", "\\#&#8203;12"},
      {"org/repo#12", "org/repo\\#&#8203;12"},
      {"!34", "\\!&#8203;34"},
      {"R&D 100%", "R&amp;D 100%"},
      {"&7 $8 %9", "&amp;&#8203;7 &#36;&#8203;8 %&#8203;9"},
      {"a @ b # c", "a @ b \\# c"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(markdown_text(text), expected) << text;
  }
}

TEST(ReportMarkdown, ShowsFindingsThenTheTable) {
  const std::vector<Finding> findings{skew_finding(), small_tasks_finding()};
  expect_golden("report_findings.md", render_report_markdown(revenue_application(), revenue_stages(), findings, {}));
}

TEST(ReportMarkdown, NeverCallsIncompleteEvidenceClean) {
  auto application = revenue_application();
  application.evidence.problems = {{"tasks-missing", "stage 2: 198 of 200\ntasks | @team"}};
  const auto text = render_report_markdown(application, revenue_stages(), {}, {});
  EXPECT_TRUE(has(text, "4 cores, **incomplete**\n"));
  EXPECT_TRUE(has(text, "> **The evidence is incomplete:**"));
  EXPECT_TRUE(has(text, "\n> - tasks-missing: stage 2: 198 of 200 tasks &#124; @&#8203;team\n"));
  EXPECT_TRUE(has(text, "\nNo findings in what is there, but the evidence is incomplete.\n"));
}

TEST(ReportMarkdown, EveryRowHasTheSameCells) {
  auto application = revenue_application();
  for (auto& attempt : application.stages) {
    attempt.description = "| a \\| b `|` <br> \n\n| - |";
  }
  std::vector<std::ptrdiff_t> borders;
  for (const auto& line : split(render_report_markdown(application, revenue_stages(), {}, {}), '\n')) {
    if (line.starts_with('|')) {
      borders.push_back(std::count(line.begin(), line.end(), '|'));
    }
  }
  EXPECT_EQ(borders.size(), 7U);  // the heading, the line below it, five attempts that ran
  EXPECT_EQ(std::count(borders.begin(), borders.end(), borders.front()), 7);
}

TEST(ReportMarkdown, FoldsALongTableUp) {
  EXPECT_FALSE(has(render_report_markdown(application_with_stages(25, "d"), {}, {}, {}), "<details>"));
  const auto text = render_report_markdown(application_with_stages(26, "d"), {}, {}, {});
  EXPECT_TRUE(has(text, "\n<details><summary>26 stages</summary>\n\n| stage |"));
  EXPECT_TRUE(has(text, "|\n\n</details>\n"));
}

TEST(ReportMarkdown, IsNeverLongerThanAComment) {
  const std::vector<Finding> findings(2000, skew_finding());
  const std::string nasty(400, '|');
  auto application = application_with_stages(3000, nasty);
  application.name = nasty;
  application.id = nasty;
  application.spark_version = nasty;
  for (int i = 0; i < 500; ++i) {
    application.evidence.problems.push_back({nasty, nasty});
  }
  const auto text = render_report_markdown(application, {}, findings, {});
  EXPECT_LT(text.size(), kCommentCharacters);
  EXPECT_TRUE(has(text, "more stages are left out here; `stagegate report --format csv` has them all."));
  EXPECT_TRUE(has(text, "more of these are left out here; `stagegate report` shows them."));
}

TEST(ReportMarkdown, SaysWhatIsUnknownOfAnEmptyApplication) {
  const auto text = render_report_markdown(Application(), {}, {}, {});
  EXPECT_TRUE(text.starts_with("### application without a name\n\nSpark version unknown, duration unknown, cores unknown, complete\n"));
  EXPECT_TRUE(has(text, "\nNo findings: there is no stage to look at.\n\nNo stage ran.\n"));
}

}  // namespace
}  // namespace stagegate
