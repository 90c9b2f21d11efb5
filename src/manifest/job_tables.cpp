#include "manifest/job_tables.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "manifest/job_settings.h"

namespace stagegate::manifest {
namespace {

constexpr std::size_t kLongestName = 100;

// Names of jobs and variants become folders, on any file system, and words on a command line.
bool is_name(std::string_view name) {
  const auto is_letter_or_digit = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); };
  return !name.empty() && name.size() <= kLongestName && is_letter_or_digit(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return is_letter_or_digit(c) || c == '-' || c == '_'; });
}

// WHAT is "job" or "variant".
void check_names(TableReader& table, std::string_view what) {
  std::map<std::string, const Entry*> seen;
  for (const auto& entry : table.entries()) {
    if (!is_name(entry.key)) {
      const auto name = entry.key.size() > kLongestName ? fmt::format("of {} bytes", entry.key.size()) : fmt::format("'{}'", entry.key);
      table.problem(entry.at, fmt::format("the {}'s name {} is not allowed: a name has letters, digits, '-' and '_', begins with a letter "
                                          "or a digit, and has at most {} characters",
                                          what, name, kLongestName));
    }
    const auto [other, is_new] = seen.emplace(to_lower_ascii(entry.key), &entry);
    if (!is_new) {
      table.problem(entry.at, fmt::format("{} '{}' would share a folder with {} '{}' at {}: names must differ in more than case", what,
                                          entry.key, what, other->second->key, to_string(other->second->at)));
    }
  }
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

VariantTable read_variant(TableReader table, const std::string& name) {
  VariantTable variant;
  variant.name = name;
  variant.at = table.at();
  if (auto description = table.text("description")) {
    variant.description = std::move(description->value);
  }
  variant.settings = read_settings(table, SettingsOf::variant);
  table.unknown_keys_are_problems();
  return variant;
}

// The variants that a job names; nothing where it names none or names them wrongly.
std::optional<std::vector<std::string>> read_variant_list(TableReader& table, const std::vector<std::string>& known) {
  const auto texts = table.texts("variants", InsertedBraces::as_they_are);
  if (!texts) {
    return std::nullopt;
  }
  if (texts->empty()) {
    table.problem(table.at("variants"), fmt::format("'variants' {} is empty; leave it out for all variants", table.where()));
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (const auto& text : *texts) {
    if (!contains(known, text.value)) {
      table.problem(text.at, fmt::format("unknown variant '{}' {}{}", text.value, table.where(), did_you_mean(text.value, known)));
    } else if (contains(names, text.value)) {
      table.problem(text.at, fmt::format("variant '{}' is listed twice {}", text.value, table.where()));
    }
    names.push_back(text.value);
  }
  return names;
}

// [jobs.X.variant.Y]
std::map<std::string, JobSettings> read_own_variants(TableReader& job, const std::vector<std::string>& variants) {
  std::map<std::string, JobSettings> result;
  auto own = job.table("variant");
  if (!own) {
    return result;
  }
  for (const auto& entry : own->entries()) {
    if (!contains(variants, entry.key)) {
      own->problem(entry.at,
                   fmt::format("'{}' {} is not one of the job's variants{}", entry.key, own->where(), did_you_mean(entry.key, variants)));
    }
    if (auto table = own->table(entry)) {
      result.emplace(entry.key, read_settings(*table, SettingsOf::variant));
      table->unknown_keys_are_problems();
    }
  }
  return result;
}

std::string ending(std::string_view path) {
  const auto dot = path.find_last_of("./");
  return dot == std::string_view::npos || path[dot] == '/' ? std::string() : to_lower_ascii(path.substr(dot));
}

// `app` and the `main_class` that only a .jar has.
void read_app(TableReader& table, JobTable& job) {
  job.app = read_path(table, "app");
  const auto kind = ending(job.app.value_or(""));
  constexpr std::array<std::string_view, 3> kKinds{".py", ".jar", ".sql"};
  if (job.app && std::find(kKinds.begin(), kKinds.end(), kind) == kKinds.end()) {
    table.problem(table.at("app"), fmt::format("'app' {} must end in .py, .jar or .sql; 'command' starts anything else", table.where()));
  }
  if (auto main_class = table.some_text("main_class")) {
    job.main_class = std::move(main_class->value);
    const bool is_app_readable = job.app || !table.has("app");
    if (is_app_readable && kind != ".jar") {
      table.problem(table.at("main_class"), fmt::format("'main_class' {} goes with an 'app' that is a .jar", table.where()));
    }
  }
}

void read_command(TableReader& table, JobTable& job) {
  const auto command = read_words(table, "command");
  if (!command) {
    return;
  }
  job.command = *command;
  if (command->empty() || trim(command->front()).empty()) {
    table.problem(table.at("command"), fmt::format("'command' {} must begin with a program", table.where()));
  }
}

void check_start(TableReader& table) {
  const bool has_app = table.has("app");
  const bool has_command = table.has("command");
  if (has_app && has_command) {
    const auto& later = is_before(table.at("app"), table.at("command")) ? "command" : "app";
    table.problem(table.at(later), fmt::format("both 'app' and 'command' {}; a job has one of them", table.where()));
  } else if (!has_app && !has_command) {
    table.problem(table.at(), fmt::format("neither 'app' nor 'command' {}; a job has one of them", table.where()));
  }
}

JobTable read_job(TableReader table, const std::string& name, const std::vector<std::string>& variants) {
  JobTable job;
  job.name = name;
  job.at = table.at();
  read_app(table, job);
  read_command(table, job);
  check_start(table);
  job.variants = read_variant_list(table, variants);
  job.settings = read_settings(table, SettingsOf::job);
  job.variant_settings = read_own_variants(table, job.variants.value_or(variants));
  table.unknown_keys_are_problems();
  return job;
}

}  // namespace

std::vector<VariantTable> read_variants(TableReader& file) {
  std::vector<VariantTable> variants;
  auto section = file.table("variants");
  if (!section) {
    return variants;
  }
  check_names(*section, "variant");
  for (const auto& entry : section->entries()) {
    if (auto table = section->table(entry)) {
      variants.push_back(read_variant(*std::move(table), entry.key));
    }
  }
  return variants;
}

std::vector<JobTable> read_jobs(TableReader& file, const std::vector<std::string>& variants) {
  std::vector<JobTable> jobs;
  auto section = file.table("jobs");
  if (!section) {
    return jobs;
  }
  check_names(*section, "job");
  for (const auto& entry : section->entries()) {
    if (auto table = section->table(entry)) {
      jobs.push_back(read_job(*std::move(table), entry.key, variants));
    }
  }
  return jobs;
}

}  // namespace stagegate::manifest
