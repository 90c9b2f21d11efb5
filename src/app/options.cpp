#include "app/options.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/hide_secrets.h"
#include "app/option_parts.h"
#include "app/version.h"
#include "base/text.h"
#include "base/units.h"
#include "ingest/spark_address.h"
#include "manifest/manifest.h"

namespace stagegate {
namespace {

const std::map<std::string, ColorChoice> kColors{
    {"auto", ColorChoice::automatic}, {"always", ColorChoice::always}, {"never", ColorChoice::never}};
const std::map<std::string, ReportFormat> kFormats{{"text", ReportFormat::text},
                                                   {"json", ReportFormat::json},
                                                   {"csv", ReportFormat::csv},
                                                   {"csv-tasks", ReportFormat::csv_tasks},
                                                   {"markdown", ReportFormat::markdown}};
const std::map<std::string, StageSort> kSorts{
    {"stage", StageSort::stage},
    {"tasks", StageSort::tasks},
    {"shuffle-read", StageSort::shuffle_read},
    {"shuffle-write", StageSort::shuffle_write},
    {"median-time", StageSort::median_time},
    {"slowest-time", StageSort::slowest_time},
};

void add_color(CLI::App* command, ColorChoice& color) {
  add_choice(command, "--color", color, kColors, "Colours");
}

void add_manifest(CLI::App* command, CommonOptions& common) {
  command->add_option("-m,--manifest", common.manifest, "The manifest (else stagegate.toml here or in a folder above)")
      ->type_name("FILE")
      ->check(refuse_empty);
}

}  // namespace

void add_choice(CLI::App* command, const std::string& name, const std::vector<std::string>& names, const std::string& help,
                const std::function<void(const std::string&)>& set) {
  command->add_option_function<std::string>(name, set, fmt::format("{} ({})", help, join(names, ", ")))
      ->check(CLI::IsMember(names).description(""))
      ->type_name("");
}

void add_across_versions(CLI::App* command, SparkVersions& versions) {
  command->add_flag_callback(
      "--across-versions", [&versions] { versions = SparkVersions::may_differ; },
      "Compare with another minor version of Spark all the same, without what versions count differently");
}

std::string refuse_empty(const std::string& text) {
  return text.empty() ? "must not be empty" : "";
}

void add_common(CLI::App* command, CommonOptions& common) {
  add_manifest(command, common);
  command->add_option("--report-dir", common.report_dir, "Where reports and runs go (else [report] dir, else stagegate-out)")
      ->type_name("DIR")
      ->check(refuse_empty);
  add_color(command, common.color);
}

void add_selection(CLI::App* command, std::vector<std::string>& jobs, std::vector<std::string>& variants) {
  command->add_option("--job", jobs, "Only jobs that fit this pattern (* and ?); may be given several times")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  command->add_option("--variant", variants, "Only variants that fit this pattern; may be given several times")
      ->type_name("GLOB")
      ->allow_extra_args(false);
}

namespace {

CLI::Option* add_source(CLI::App* command, SourceOptions& source) {
  add_web(command, source.web);
  command
      ->add_option(
          "source", source.source,
          "An event log: a file in any form, a folder that is a log or holds logs, a zip or tar of logs, or - for standard input; or "
          "the address of a live UI or a history server, any page of it")
      ->required()
      ->type_name("SOURCE")
      ->check(refuse_empty);
  command->add_option("--threads", source.threads, "How many threads read (else as many as there are cores)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""));
  return command->add_option("--app", source.app, "Which application, where the source holds several: its id, its name, or latest")
      ->type_name("APP")
      ->check(refuse_empty);
}

void add_run(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<RunOptions>();
  auto* command = app.add_subcommand("run", "Run the jobs, judge what their stages did, write the reports");
  add_common(command, options->common);
  add_selection(command, options->jobs, options->variants);
  command->add_option("--conf", options->conf, "A Spark property for every run, over the manifest's; may be given several times")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--jobs", options->parallel, "How many variants run side by side")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""))
      ->capture_default_str();
  command->add_option("--runs", options->runs, "How often each variant runs, over the manifest: what differs between its runs is unstable")
      ->type_name("N")
      ->check(CLI::Range(1, kMostRuns).description(""));
  auto* fail_fast = command->add_flag_callback(
      "--fail-fast", [options] { options->on_failure = OnFailure::fail_fast; }, "Start nothing more once a variant has failed");
  command
      ->add_flag_callback(
          "--keep-going", [options] { options->on_failure = OnFailure::keep_going; }, "Run all variants whatever happens (the default)")
      ->excludes(fail_fast);
  add_across_versions(command, options->versions);
  command->add_flag("-n,--dry-run", options->dry_run, "Show command lines, environment and configuration; run nothing");
  command->footer(
      "Examples:\n  stagegate run\n  stagegate run --job revenue --variant 'adaptive*'\n  stagegate run --jobs 2 --fail-fast\n  stagegate "
      "run --runs 3");
  command->callback([&chosen, options] { chosen = *options; });
}

void add_check(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<CheckOptions>();
  auto* command = app.add_subcommand("check", "Judge an event log that is there already, as if the variant had just run");
  add_source(command, options->source);
  command->add_option("--job", options->job, "The job of the manifest that left it")->required()->type_name("NAME");
  command->add_option("--variant", options->variant, "The variant under which it ran")->required()->type_name("NAME");
  add_across_versions(command, options->versions);
  add_common(command, options->common);
  command->footer("Example:\n  stagegate check eventlog_v2_app-20261129193842-0000 --job revenue --variant adaptive");
  command->callback([&chosen, options] { chosen = *options; });
}

// "12", or "12.1" for its second attempt.
std::optional<StageChoice> parse_stage(std::string_view text) {
  const auto number = [](std::string_view digits) -> std::optional<std::int32_t> {
    std::int32_t value = 0;
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), value);
    return error == std::errc() && end == digits.end() && value >= 0 ? std::optional(value) : std::nullopt;
  };
  const auto dot = text.find('.');
  const auto id = number(text.substr(0, dot));
  const auto attempt = dot == std::string_view::npos ? std::nullopt : number(text.substr(dot + 1));
  if (!id || (dot != std::string_view::npos && !attempt)) {
    return std::nullopt;
  }
  return StageChoice{.id = *id, .attempt = attempt};
}

void add_stage(CLI::App* command, std::optional<StageChoice>& stage) {
  command
      ->add_option_function<std::string>(
          "--stage", [&stage](const std::string& text) { stage = parse_stage(text); },
          "Show this stage alone, with all that is known of it")
      ->type_name("ID[.ATTEMPT]")
      ->check([](const std::string& text) {
        return parse_stage(text) ? std::string()
                                 : fmt::format("'{}' is no stage; write its number, such as 12, or 12.1 for its second attempt", text);
      });
}

void check_combination(const ReportOptions& options) {
  if (options.stage && options.format != ReportFormat::text && options.format != ReportFormat::json) {
    throw CLI::ValidationError("--stage", "one stage is shown as text or json; csv, csv-tasks and markdown are of all stages");
  }
  if (options.watch && (options.format != ReportFormat::text || options.all_apps || options.stage)) {
    throw CLI::ValidationError("--watch",
                               "what is watched is one application's report as text; leave --format, --stage and --all-apps out");
  }
  if (options.watch && !is_address(options.source.source)) {
    throw CLI::ValidationError("--watch", "a log does not change; give the address of a running application's UI");
  }
  if (options.stage && options.all_apps) {
    throw CLI::ValidationError("--stage", "a stage is one of one application; choose it with --app instead of --all-apps");
  }
}

void add_report(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<ReportOptions>();
  auto* command = app.add_subcommand("report", "Show what every stage of an application did, a line a stage");
  auto* application = add_source(command, options->source);
  command->add_flag("--all-apps", options->all_apps, "Every application in the source, one after the other")->excludes(application);
  add_choice(command, "--format", options->format, kFormats, "What is printed");
  command->add_flag("--watch", options->watch, "Show a live UI's report again while the application runs")->group(kWebGroup);
  add_stage(command, options->stage);
  add_choice(command, "--sort", options->sort, kSorts, "Order of the stages, largest first but for stage");
  command->add_flag_callback(
      "--all", [options] { options->filter = StageFilter::all; }, "Skipped stages too");
  add_color(command, options->color);
  command->footer(
      "Examples:\n  stagegate report spark-events/app-20261129193842-0000\n  stagegate report LOG --sort shuffle-read\n"
      "  stagegate report LOG --stage 12\n  stagegate report LOG --format json | jq .findings\n  stagegate report LOG --format csv-tasks > "
      "tasks.csv\n"
      "  stagegate report http://localhost:4040\n  stagegate report http://history:18080/history/app-20261129193842-0000/jobs/\n"
      "  stagegate report LOG --format markdown >> \"$GITHUB_STEP_SUMMARY\"");
  command->callback([&chosen, options] {
    check_combination(*options);
    chosen = *options;
  });
}

void add_validate(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<ValidateOptions>();
  auto* command = app.add_subcommand("validate", "Check manifest, rules and baselines; run nothing");
  add_common(command, options->common);
  command->callback([&chosen, options] { chosen = *options; });
}

void add_list(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<ListOptions>();
  auto* command = app.add_subcommand("list", "Show jobs and variants as they would run, and where each property is set");
  add_common(command, options->common);
  add_selection(command, options->jobs, options->variants);
  command->callback([&chosen, options] { chosen = *options; });
}

void add_explain(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<ExplainOptions>();
  auto* command = app.add_subcommand("explain", "What a rule says, its parameters, why, and what to do");
  command->add_option("rule", options->rule, "The rule's id, such as skew; without one the rules are listed")->type_name("RULE");
  add_manifest(command, options->common);
  command->callback([&chosen, options] { chosen = *options; });
}

constexpr std::array<std::string_view, 8> kCommands{"run", "check", "report", "compare", "baseline", "validate", "list", "explain"};

// CLI11 2.1 calls a misspelt command "a subcommand is required", which helps nobody.
std::optional<std::string> unknown_command(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-' || argv[1][0] == '\0') {
    return std::nullopt;
  }
  const std::string word = argv[1];
  const std::vector<std::string> known(kCommands.begin(), kCommands.end());
  if (std::find(known.begin(), known.end(), word) != known.end()) {
    return std::nullopt;
  }
  const auto hint = did_you_mean(word, known);
  return fmt::format("unknown command '{}'{}", word, hint.empty() ? fmt::format("; known are {}", join(known, ", ")) : hint);
}

// Words that no option took: "unknown option '--formt'; did you mean '--format'?".
std::string describe_extras(const CLI::App& app, const CLI::App& command) {
  if (const auto before = app.remaining(); !before.empty()) {
    return fmt::format("unexpected '{}' before the command; what belongs to a command stands behind it", before.front());
  }
  const auto extras = command.remaining();
  const auto option = std::find_if(extras.begin(), extras.end(), [](const std::string& word) { return word.starts_with('-'); });
  if (option == extras.end()) {
    return fmt::format("unexpected argument '{}'", extras.empty() ? "" : extras.front());
  }
  std::vector<std::string> known;
  for (const auto* candidate : command.get_options()) {
    for (const auto& name : candidate->get_lnames()) {
      known.push_back("--" + name);
    }
  }
  const auto name = option->substr(0, option->find('='));
  return fmt::format("unknown option '{}'{}", name, did_you_mean(name, known));
}

// The command that was chosen last: `accept` of `baseline accept`.
const CLI::App& innermost(const CLI::App& app) {
  const CLI::App* command = &app;
  for (auto chosen = command->get_subcommands(); !chosen.empty(); chosen = command->get_subcommands()) {
    command = chosen.front();
  }
  return *command;
}

// CLI11's exit codes start at 100; ours have a meaning.
Finished finish(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {
    return {app.exit(error)};
  }
  const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  fmt::print(stderr, "stagegate: {}\n", extras ? describe_extras(app, innermost(app)) : error.what());
  const auto chosen = app.get_subcommands();
  fmt::print(stderr, "Run 'stagegate {}--help' for the options.\n", chosen.empty() ? "" : chosen.front()->get_name() + " ");
  return {2};
}

}  // namespace

Command parse_command_line(int argc, char** argv) {
  if (const auto problem = unknown_command(argc, argv)) {
    fmt::print(stderr, "stagegate: {}\n", *problem);
    return Finished{2};
  }
  Command chosen = Finished{2};
  CLI::App app{"A gate for Spark jobs: runs them, judges what their stages did, and fails on new trouble.", "stagegate"};
  app.set_version_flag("--version", std::string(kVersion));
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 passed, 1 regressed, 2 usage or file error, 3 a job failed or its evidence does not do, 4 nothing to check,\n"
      "5 baseline missing or not comparable, 74 a report could not be written, 130/143 interrupted.");
  add_run(app, chosen);
  add_check(app, chosen);
  add_report(app, chosen);
  add_compare(app, chosen);
  add_baseline(app, chosen);
  add_validate(app, chosen);
  add_list(app, chosen);
  add_explain(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return finish(app, error);
  }
  hide_secrets(argc, argv);
  return chosen;
}

}  // namespace stagegate
