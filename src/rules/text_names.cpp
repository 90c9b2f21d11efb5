#include "rules/text_names.h"

#include <algorithm>
#include <array>

namespace stagegate {
namespace {

struct TextNameEntry {
  RuleScope scope;
  std::string_view name;
  TextName text;
};

constexpr std::array kTextNames{
    TextNameEntry{RuleScope::stage, "joins", TextName::joins},
    TextNameEntry{RuleScope::stage, "repeated", TextName::repeated},
    TextNameEntry{RuleScope::stage, "caches", TextName::caches},
    TextNameEntry{RuleScope::run, "left_group", TextName::left_group},
    TextNameEntry{RuleScope::run, "left_group.first", TextName::left_group_first},
    TextNameEntry{RuleScope::run, "left_group.last", TextName::left_group_last},
};

}  // namespace

std::vector<std::string> text_names_of(RuleScope scope) {
  std::vector<std::string> names;
  for (const auto& entry : kTextNames) {
    if (entry.scope == scope) {
      names.emplace_back(entry.name);
    }
  }
  return names;
}

std::optional<TextName> find_text_name(RuleScope scope, std::string_view name) {
  const auto* const found =
      std::find_if(kTextNames.begin(), kTextNames.end(), [&](const auto& entry) { return entry.scope == scope && entry.name == name; });
  return found == kTextNames.end() ? std::nullopt : std::optional(found->text);
}

std::string text_of(TextName name, const Subject& subject) {
  const auto left = subject.facts == nullptr ? LeftGroup() : subject.facts->left_group.value_or(LeftGroup());
  switch (name) {
    case TextName::joins:
      return subject.stage->plan.joins;
    case TextName::repeated:
      return subject.stage->plan.repeated;
    case TextName::caches:
      return subject.stage->plan.unused_caches;
    case TextName::left_group:
      return left.group;
    case TextName::left_group_first:
      return left.first_action;
    case TextName::left_group_last:
      return left.last_action;
  }
  return {};
}

}  // namespace stagegate
