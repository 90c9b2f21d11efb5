#include "app/write_reports.h"

#include "app/console.h"
#include "report/report.h"
#include "sys/file.h"

namespace stagegate {
namespace {

constexpr const char* kJunit = "/junit.xml";
constexpr const char* kVerdict = "/verdict.json";

void write_one(const std::string& path, const std::string& text, RunResult& result) {
  if (const auto written = write_file(path, text); !written) {
    print_message(written.error().message);
    result.output_failed = true;
  }
}

}  // namespace

Status prepare_report_dir(const std::string& report_dir) {
  STAGEGATE_TRY(make_folders(report_dir));
  STAGEGATE_TRY(remove_tree(report_dir + kJunit));
  return remove_tree(report_dir + kVerdict);
}

void write_reports(const std::string& report_dir, RunResult& result) {
  write_one(report_dir + kJunit, render_junit(result), result);
  // Last, since it alone says whether a report is missing.
  write_one(report_dir + kVerdict, render_verdict_json(result), result);
}

int end_with_error(const Error& error, const std::string& report_dir) {
  const int code = report_error(error);
  if (!report_dir.empty() && prepare_report_dir(report_dir)) {
    RunResult result;
    result.ended_early = error.kind;
    result.errors.push_back(error.message);
    write_reports(report_dir, result);
  }
  return code;
}

}  // namespace stagegate
