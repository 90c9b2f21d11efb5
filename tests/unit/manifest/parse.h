// Manifests as texts, for tests. The file is called m.toml, lies in /repo and knows three environment variables.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/result.h"
#include "manifest/manifest.h"

namespace stagegate {

inline std::optional<std::string> test_environment(const std::string& name) {
  static const std::map<std::string, std::string> variables{{"HOME", "/home/ada"}, {"EMPTY", ""}, {"BRACES", "{job}"}};
  const auto found = variables.find(name);
  return found != variables.end() ? std::optional(found->second) : std::nullopt;
}

inline Result<Manifest> parse(std::string_view text) {
  return parse_manifest(text, ManifestContext{"m.toml", "/repo", test_environment});
}

inline Manifest parse_good(std::string_view text) {
  auto manifest = parse(text);
  if (!manifest) {
    ADD_FAILURE() << manifest.error().message;
    return {};
  }
  return *std::move(manifest);
}

// The error's message, "" where there is none.
inline std::string error_of(std::string_view text) {
  const auto manifest = parse(text);
  if (manifest) {
    return {};
  }
  EXPECT_EQ(manifest.error().kind, ErrorKind::usage);
  return manifest.error().message;
}

// A row of a table of mistakes: NAME says what is wrong with TEXT.
struct Mistake {
  std::string_view name;
  std::string_view text;
  std::string_view message;
};

}  // namespace stagegate
