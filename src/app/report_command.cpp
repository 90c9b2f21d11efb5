#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/commands.h"
#include "app/console.h"
#include "app/default_findings.h"
#include "app/read_source.h"
#include "app/show_stage.h"
#include "app/watch_report.h"
#include "identity/identify.h"
#include "identity/run_facts.h"
#include "model/pool_attempts.h"

namespace stagegate {
namespace {

// Of the applications of a source that are shown one after the other.
enum class Turn { first, later };

StageTableOptions table_options(const ReportOptions& options) {
  return {.color = color_for(options.color, Stream::out), .sort = options.sort, .filter = options.filter, .indent = 0};
}

void print(const Application& application, const std::vector<Stage>& stages, const std::vector<Finding>& findings,
           const ReportOptions& options, Turn turn) {
  const auto header = turn == Turn::first ? CsvHeader::written : CsvHeader::left_out;
  const auto table = table_options(options);
  switch (options.format) {
    case ReportFormat::text:
      return print_result(render_report_text(application, stages, findings, table));
    case ReportFormat::json:
      return print_result(render_report_json(application, stages, findings, threads_for(options.source)));
    case ReportFormat::csv:
      return write_stages_csv(application, stages, header, print_result);
    case ReportFormat::csv_tasks:
      return write_tasks_csv(application, header, print_result);
    case ReportFormat::markdown:
      return print_result(render_report_markdown(application, stages, findings, table));
  }
}

// Details cost reading time and memory, so they are asked for only where they are shown.
TaskDepth depth_for(const ReportOptions& options) {
  return options.format == ReportFormat::csv_tasks || options.stage ? TaskDepth::all : TaskDepth::judged;
}

// Evidence that is not whole is shown as far as it goes; what is missing is in the report and, for who only looks there, on stderr.
void print_problems(const ReportOptions& options, const std::vector<EvidenceProblem>& problems) {
  for (const auto& problem : problems) {
    print_message(
        fmt::format("{}: incomplete: {} ({}); to mend it: {}", options.source.source, problem.message, problem.code, problem.advice));
  }
}

struct SeenApplication {
  std::vector<Stage> stages;
  std::vector<Finding> findings;
};

Result<SeenApplication> look_at(const Application& application, const ReportOptions& options) {
  auto stages = pool_attempts(application);
  identify(application, stages, threads_for(options.source));
  STAGEGATE_TRY_ASSIGN(findings,
                       default_findings({.stages = stages, .facts = run_facts_of(application)}, nullptr, threads_for(options.source)));
  return SeenApplication{std::move(stages), std::move(findings)};
}

Result<std::string> watched_text(const Application& application, const ReportOptions& options) {
  STAGEGATE_TRY_ASSIGN(seen, look_at(application, options));
  return render_report_text(application, seen.stages, seen.findings, table_options(options));
}

int show(const Result<Application>& application, const ReportOptions& options, Turn turn) {
  if (!application) {
    return report_error(application.error());
  }
  const auto seen = look_at(*application, options);
  if (!seen) {
    return report_error(seen.error());
  }
  if (options.stage) {
    const auto text = show_stage(*application, seen->stages, seen->findings, options);
    if (!text) {
      return report_error(text.error());
    }
    print_result(*text);
  } else {
    print(*application, seen->stages, seen->findings, options, turn);
  }
  print_problems(options, application->evidence.problems);
  return 0;
}

// In text and Markdown an empty line stands between two, CSV goes on, and JSON documents follow each other. What cannot be shown decides
// the exit code.
int show_all(const ReportOptions& options) {
  int code = 0;
  auto turn = Turn::first;
  const bool spaced = options.format == ReportFormat::text || options.format == ReportFormat::markdown;
  const auto status = read_all_of_source(options.source, depth_for(options), [&](const Result<Application>& application) {
    if (application && turn == Turn::later && spaced) {
      print_result("\n");
    }
    code = std::max(code, show(application, options, turn));
    turn = application ? Turn::later : turn;
  });
  return status ? code : report_error(status.error());
}

// What the process needs to its end. Taking a large application apart before that would cost a tenth of the time that it took to read.
const Result<Application>& keep_to_the_end(Result<Application> application) {
  static const auto* const kept = new Result<Application>(std::move(application));
  return *kept;
}

}  // namespace

int report_command(const ReportOptions& options) {
  if (options.watch) {
    return watch_report(options.source, [&](const Application& application) { return watched_text(application, options); });
  }
  if (options.all_apps) {
    return show_all(options);
  }
  return show(keep_to_the_end(read_source(options.source, depth_for(options))), options, Turn::first);
}

}  // namespace stagegate
