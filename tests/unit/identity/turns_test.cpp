#include "identity/turns.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

using Turns = std::vector<std::int64_t>;

SqlExecution execution(std::int64_t id, std::optional<std::int64_t> start, std::optional<std::int64_t> end) {
  SqlExecution result;
  result.id = id;
  result.started_ms = start;
  result.ended_ms = end;
  return result;
}

std::vector<StageTraits> stages_of(const std::vector<std::int64_t>& executions) {
  std::vector<StageTraits> traits;
  for (const auto id : executions) {
    traits.emplace_back().action = action_of_execution(id);
  }
  return traits;
}

TEST(Turns, ActionsThatFollowEachOtherTakeTurns) {
  Application application;
  application.executions = {execution(3, 100, 200), execution(4, 200, 200), execution(5, 200, 300)};
  EXPECT_EQ(turns_of(application, stages_of({3, 3, 4, 5})), (Turns{0, 0, 1, 2}));
}

TEST(Turns, ActionsOfSeveralThreadsShareATurn) {
  Application application;
  application.executions = {execution(3, 100, 200), execution(4, 150, 400), execution(5, 300, 350), execution(6, 400, 500)};
  EXPECT_EQ(turns_of(application, stages_of({4, 3, 6, 5})), (Turns{0, 0, 1, 0}));
}

TEST(Turns, JobsOutsideOfExecutionsAreActionsToo) {
  Application application;
  application.jobs.resize(2);
  application.jobs[0].id = 7;
  application.jobs[0].submitted_ms = 500;
  application.jobs[1].id = 8;
  application.jobs[1].submitted_ms = 400;
  std::vector<StageTraits> traits(2);
  traits[0].action = action_of_job(7);
  traits[1].action = action_of_job(8);
  EXPECT_EQ(turns_of(application, traits), (Turns{1, 0}));
}

TEST(Turns, WithoutTimesTheOrderOfTheStagesStandsIn) {
  Application application;
  application.executions = {execution(3, 100, 200), execution(4, std::nullopt, std::nullopt)};
  EXPECT_EQ(turns_of(application, stages_of({4, 3, 4})), (Turns{0, 1, 0}));
  EXPECT_EQ(turns_of(Application{}, stages_of({})), Turns{});
}

}  // namespace
}  // namespace stagegate
