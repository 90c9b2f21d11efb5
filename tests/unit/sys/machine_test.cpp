#include "sys/machine.h"

#include <cstdlib>
#include <optional>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

// Sets a variable, or removes it, while it lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name), old_(environment_variable(name)) { set(value); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { set(old_ ? old_->c_str() : nullptr); }

 private:
  void set(const char* value) { value == nullptr ? ::unsetenv(name_) : ::setenv(name_, value, 1); }

  const char* name_;
  std::optional<std::string> old_;
};

TEST(Machine, IsInCiWhereCiSaysSo) {
  const Variable no_tf("TF_BUILD", nullptr);
  struct Case {
    const char* ci;
    bool expected;
  };
  for (const auto& [ci, expected] : {Case{nullptr, false}, Case{"", false}, Case{"false", false}, Case{"False", false}, Case{"0", false},
                                     Case{"true", true}, Case{"1", true}, Case{"woodpecker", true}}) {
    const Variable variable("CI", ci);
    EXPECT_EQ(is_ci(), expected) << (ci == nullptr ? "(not set)" : ci);
  }
}

TEST(Machine, IsInCiOnAzurePipelines) {
  const Variable no_ci("CI", nullptr);
  const Variable tf("TF_BUILD", "True");
  EXPECT_TRUE(is_ci());
}

TEST(Machine, TellsAnEmptyVariableFromOneThatIsNotSet) {
  const Variable empty("STAGEGATE_TEST_EMPTY", "");
  const Variable none("STAGEGATE_TEST_NONE", nullptr);
  EXPECT_EQ(environment_variable("STAGEGATE_TEST_EMPTY"), "");
  EXPECT_EQ(environment_variable("STAGEGATE_TEST_NONE"), std::nullopt);
}

TEST(Machine, TellsTheDayAsTheManifestWritesIt) {
  const auto today = today_utc();
  ASSERT_EQ(today.size(), 10U);
  EXPECT_EQ(today[4], '-');
  EXPECT_EQ(today[7], '-');
  EXPECT_GT(now_epoch_ms(), 1'700'000'000'000);
}

TEST(Machine, MakesNamesThatNobodyElseHas) {
  std::set<std::string> names;
  for (int i = 0; i < 1000; ++i) {
    names.insert(unique_name());
  }
  EXPECT_EQ(names.size(), 1000U);
  EXPECT_EQ(names.begin()->find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(Machine, HasAWidthEvenWithoutATerminal) {
  EXPECT_GT(terminal_width(Stream::out), 0);
}

}  // namespace
}  // namespace stagegate
