#include <map>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/option_parts.h"
#include "app/options.h"

namespace stagegate {
namespace {

const std::map<std::string, CompareFormat> kCompareFormats{
    {"text", CompareFormat::text}, {"json", CompareFormat::json}, {"markdown", CompareFormat::markdown}};
const std::map<std::string, FailOn> kFailOn{{"growth", FailOn::growth}, {"new-finding", FailOn::new_finding}};

void check_sides(CompareOptions& options, const std::vector<std::string>& sources) {
  if (options.variants.empty() && sources.size() != 2) {
    throw CLI::ValidationError("compare", "two sources are compared, BEFORE and AFTER; or give --variants A B");
  }
  if (!options.variants.empty() && !sources.empty()) {
    throw CLI::ValidationError("--variants", "what is compared are their last runs; leave the sources out");
  }
  options.after = options.before;
  if (options.variants.empty()) {
    options.before.source = sources[0];
    options.after.source = sources[1];
  }
}

void add_fail_on(CLI::App* command, std::vector<FailOn>& target) {
  command
      ->add_option_function<std::vector<std::string>>(
          "--fail-on",
          [&target](const std::vector<std::string>& names) {
            for (const auto& name : names) {
              target.push_back(kFailOn.at(name));
            }
          },
          "End with 1 on these (growth, new-finding), separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("WHAT")
      ->check(CLI::IsMember(std::vector<std::string>{"growth", "new-finding"}).description(""));
}

}  // namespace

void add_compare(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<CompareOptions>();
  auto sources = std::make_shared<std::vector<std::string>>();
  auto* command = app.add_subcommand("compare", "Show what changed from one run to another, stage by stage, largest change first");
  command
      ->add_option(
          "sources", *sources,
          "BEFORE and AFTER, each an event log, a folder or an address as `report` takes it, the folder of a run, or a baseline file")
      ->type_name("SOURCE")
      ->expected(0, 2)
      ->check(refuse_empty);
  command->add_option("--variants", options->variants, "Compare the last runs of these two variants")->type_name("A B")->expected(2);
  command->add_option("--job", options->jobs, "With --variants: only jobs that fit this pattern")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  add_choice(command, "--format", options->format, kCompareFormats, "What is printed");
  add_fail_on(command, options->fail_on);
  add_across_versions(command, options->versions);
  command->add_flag("--explain-match", options->explain_match, "Say below each row why the two are taken for the same stage");
  command->add_option("--threads", options->before.threads, "How many threads read (else as many as there are cores)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""));
  add_common(command, options->common);
  add_web(command, options->before.web);
  command->footer(
      "Marks: + heavier, - lighter, ~ same, ! new finding, * finding gone, x nothing to compare with, ? ambiguous.\n"
      "Examples:\n  stagegate compare before.zst after.zst\n  stagegate compare baselines/revenue/adaptive.json "
      "stagegate-out/runs/revenue/adaptive/1\n"
      "  stagegate compare --variants adaptive-off adaptive\n  stagegate compare LOG LOG --format markdown --fail-on new-finding,growth");
  command->callback([&chosen, options, sources] {
    check_sides(*options, *sources);
    chosen = *options;
  });
}

}  // namespace stagegate
