#include "ingest/log_choice.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

// 2026-11-30T08:00:00Z and a day later.
constexpr std::int64_t kMonday = 1'796'025'600'000;
constexpr std::int64_t kTuesday = kMonday + 86'400'000;

LogHead head(std::string log, std::optional<std::string> id, std::optional<std::string> name = {}, std::optional<std::string> attempt = {},
             std::optional<std::int64_t> start_ms = {}) {
  return {std::move(log), std::move(id), std::move(name), std::move(attempt), start_ms};
}

const std::vector<LogHead>& three() {
  static const std::vector<LogHead> logs{head("a.zstd", "app-1", "nightly", "1", kMonday),
                                         head("b.zstd", "app-1", "nightly", "2", kTuesday), head("c", "app-2", "hourly", {}, kMonday)};
  return logs;
}

Result<std::size_t> choose_app(const std::string& app) {
  return choose(three(), {.app = app, .log = {}}, "the folder 'logs'");
}

TEST(LogChoice, IsByIdAndAttemptNameOrLog) {
  EXPECT_EQ(choose_app("app-2"), 2U);
  EXPECT_EQ(choose_app("hourly"), 2U);
  EXPECT_EQ(choose_app("c"), 2U);
  EXPECT_EQ(choose_app("app-1/1"), 0U);
  EXPECT_EQ(choose_app("app-1/2"), 1U);
  EXPECT_EQ(choose_app("b.zstd"), 1U);
  EXPECT_EQ(choose(three(), {.app = {}, .log = "b.zstd"}, ""), 1U);
}

TEST(LogChoice, LatestIsTheOneThatBeganLast) {
  EXPECT_EQ(choose_app("latest"), 1U);
  EXPECT_EQ(choose({three()}, {.app = "latest", .log = {}}, ""), 1U);
  const std::vector<LogHead> unknown{head("a", {}), head("b", "app-1", {}, {}, -5), head("c", {})};
  EXPECT_EQ(choose(unknown, {.app = "latest", .log = {}}, ""), 1U);
  const std::vector<LogHead> equal{head("a", "app-1", {}, {}, 5), head("b", "app-2", {}, {}, 5)};
  EXPECT_EQ(choose(equal, {.app = "latest", .log = {}}, ""), 0U);
}

TEST(LogChoice, OfSeveralIsAnErrorThatListsThem) {
  const auto chosen = choose(three(), {}, "the folder 'logs'");
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().kind, ErrorKind::usage);
  EXPECT_EQ(chosen.error().message,
            "the folder 'logs' holds 3 applications; name one with --app (its id, its name, or latest), or show them all with --all-apps:\n"
            "  application  name     started               log\n"
            "  app-1/1      nightly  2026-11-30T08:00:00Z  a.zstd\n"
            "  app-1/2      nightly  2026-12-01T08:00:00Z  b.zstd\n"
            "  app-2        hourly   2026-11-30T08:00:00Z  c");
}

TEST(LogChoice, OfSeveralOfOneNameListsThese) {
  for (const auto* app : {"nightly", "app-1"}) {
    const auto chosen = choose_app(app);
    ASSERT_FALSE(chosen);
    EXPECT_EQ(chosen.error().kind, ErrorKind::usage);
    EXPECT_EQ(chosen.error().message, "the folder 'logs' holds 2 applications named '" + std::string(app) +
                                          "'; name one by its id:\n"
                                          "  application  name     started               log\n"
                                          "  app-1/1      nightly  2026-11-30T08:00:00Z  a.zstd\n"
                                          "  app-1/2      nightly  2026-12-01T08:00:00Z  b.zstd");
  }
}

TEST(LogChoice, OfNoneListsWhatThereIs) {
  const auto chosen = choose_app("app-3");
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().kind, ErrorKind::usage);
  EXPECT_TRUE(chosen.error().message.starts_with("the folder 'logs' holds no application 'app-3', but these 3:\n  application  name"))
      << chosen.error().message;
  const std::vector<LogHead> one{head("x", {})};
  EXPECT_EQ(choose(one, {.app = "app-3", .log = {}}, "the archive 'x.zip'").error().message,
            "the archive 'x.zip' holds no application 'app-3', but this one:\n"
            "  application  name  started  log\n"
            "  -            -     -        x");
}

TEST(LogChoice, ListsAtMostFifty) {
  std::vector<LogHead> many;
  for (int i = 0; i < 53; ++i) {
    many.push_back(head("log-" + std::to_string(i), "app-" + std::to_string(i)));
  }
  const auto message = choose(many, {}, "the folder 'logs'").error().message;
  EXPECT_NE(message.find("log-49\n"), std::string::npos);
  EXPECT_EQ(message.find("log-50"), std::string::npos);
  EXPECT_TRUE(message.ends_with("\n  and 3 more"));
}

TEST(LogChoice, ShowsStrangeNamesWithoutHarm) {
  const std::vector<LogHead> strange{head("a\x1B[31m", "id\nx", std::string(500, 'n')), head("b", "b")};
  const auto message = choose(strange, {}, "the folder 'logs'").error().message;
  EXPECT_EQ(message.find('\x1B'), std::string::npos);
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 3);
  EXPECT_LT(message.size(), 800U);
}

TEST(LogChoice, OfALogAloneNeedsNoName) {
  const std::vector<LogHead> one{head("x", "app-1")};
  EXPECT_EQ(choose(one, {}, ""), 0U);
}

TEST(LogChoice, AllowsWhatItCannotRuleOut) {
  const LogChoice none;
  const LogChoice latest{.app = "latest", .log = {}};
  const LogChoice named{.app = "nightly", .log = {}};
  const LogChoice by_log{.app = {}, .log = "c"};
  for (const auto& log : three()) {
    EXPECT_TRUE(none.allows(log));
    EXPECT_TRUE(latest.allows(log));
    EXPECT_TRUE(by_log.allows(log));
    EXPECT_EQ(named.allows(log), log.name == "nightly");
  }
  EXPECT_TRUE(named.allows(head("unknown", {})));
}

TEST(LogHead, IsTakenFromTheStartOfTheApplication) {
  LogHead taken;
  taken.log = "a";
  EXPECT_FALSE(take_head(taken, LogStart{"4.1.1"}));
  EXPECT_FALSE(taken.known());
  EXPECT_TRUE(take_head(taken, ApplicationStart{.name = "n", .id = "i", .attempt = "2", .time_ms = 5}));
  EXPECT_TRUE(taken.known());
  EXPECT_EQ(taken.log, "a");
  EXPECT_EQ(taken.name, "n");
  EXPECT_EQ(taken.id, "i");
  EXPECT_EQ(taken.attempt, "2");
  EXPECT_EQ(taken.start_ms, 5);
  LogHead empty;
  EXPECT_FALSE(take_head(empty, ApplicationStart{}));
}

}  // namespace
}  // namespace stagegate
