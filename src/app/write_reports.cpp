#include "app/write_reports.h"

#include "app/console.h"
#include "report/report.h"
#include "sys/file.h"
#include "sys/folder_lock.h"
#include "sys/write_file.h"

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

Result<FolderLock> take_folder(const std::string& report_dir) {
  STAGEGATE_TRY(make_folders(report_dir));
  STAGEGATE_TRY_ASSIGN(lock, FolderLock::take(report_dir + "/.lock"));
  STAGEGATE_TRY(remove_tree(report_dir + kJunit));
  STAGEGATE_TRY(remove_tree(report_dir + kVerdict));
  return lock;
}

}  // namespace

Result<FolderLock> take_report_dir(const Project& project, std::span<const JobVariant> job_variants) {
  STAGEGATE_TRY_ASSIGN(lock, take_folder(project.report_dir));
  for (const auto& job_variant : job_variants) {
    STAGEGATE_TRY(remove_tree(pending_path(project, job_variant.job, job_variant.variant)));
  }
  return lock;
}

void write_reports(const std::string& report_dir, RunResult& result) {
  write_one(report_dir + kJunit, render_junit(result), result);
  // Last, since it alone says whether a report is missing.
  write_one(report_dir + kVerdict, render_verdict_json(result), result);
}

int end_with_error(const Error& error, const std::string& report_dir) {
  const int code = report_error(error);
  if (report_dir.empty()) {
    return code;
  }
  if (const auto lock = take_folder(report_dir)) {
    RunResult result;
    result.ended_early = error.kind;
    result.errors.push_back(error.message);
    write_reports(report_dir, result);
  }
  return code;
}

}  // namespace stagegate
