#include "identity/run_facts.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

// One job for each group, in this order, each of an execution of its own; "" is none.
Application with_groups(const std::vector<std::string>& groups) {
  Application application;
  application.end_ms = 1000;
  for (std::int64_t id = 0; id < static_cast<std::int64_t>(groups.size()); ++id) {
    Job job;
    job.id = id;
    job.status = JobStatus::succeeded;
    job.sql_execution = id;
    if (const auto& group = groups[static_cast<std::size_t>(id)]; !group.empty()) {
      job.group = group;
    }
    application.jobs.push_back(job);
    SqlExecution execution{};
    execution.id = execution.root_id.emplace(id);
    execution.description = "action" + std::to_string(id) + " at job.py:" + std::to_string(10 + id);
    application.executions.push_back(execution);
  }
  return application;
}

std::string left(const Application& application) {
  const auto facts = run_facts_of(application);
  return facts.left_group ? facts.left_group->group + " " + std::to_string(facts.left_group->actions) : std::string();
}

std::string left_of(const std::vector<std::string>& groups) {
  return left(with_groups(groups));
}

TEST(LeftGroup, IsTheLastOneWhereItHoldsMoreActionsThanAnyOther) {
  EXPECT_EQ(left_of({"read", "join", "write", "write"}), "write 2");
  EXPECT_EQ(left_of({"read", "read", "write", "write", "write"}), "write 3");
}

TEST(LeftGroup, HasItsFirstAndItsLastAction) {
  const auto facts = run_facts_of(with_groups({"read", "write", "write"}));
  ASSERT_TRUE(facts.left_group);
  EXPECT_EQ(facts.left_group->first_action, "action1 at job.py");
  EXPECT_EQ(facts.left_group->last_action, "action2 at job.py");
}

// setJobGroup() with a description puts that in the place of the execution's call site.
TEST(LeftGroup, HasTheCallSiteOfAStageWhereAnActionHasADescription) {
  auto application = with_groups({"read", "write", "write"});
  StageAttempt stage;
  stage.id = 7;
  stage.name = "parquet at job.py:31";
  application.stages = {stage};
  application.executions[1].description = "the section write";
  application.jobs[1].stages = {7};
  const auto facts = run_facts_of(application);
  ASSERT_TRUE(facts.left_group);
  EXPECT_EQ(facts.left_group->first_action, "parquet at job.py");
}

TEST(LeftGroup, IsNoneWhereTheLastSectionHasOneAction) {
  EXPECT_EQ(left_of({"read", "join", "write"}), "");
}

TEST(LeftGroup, IsNoneWhereSectionsOfSeveralActionsAreUsual) {
  EXPECT_EQ(left_of({"read", "read", "write", "write"}), "");
}

TEST(LeftGroup, IsNoneWhereGroupsAreTakenAway) {
  EXPECT_EQ(left_of({"read", "join", "write", "write", ""}), "");
  EXPECT_EQ(left_of({"read", "", "write", "write"}), "");
}

TEST(LeftGroup, IsNoneWhereItIsTheNameOfTheWholeJob) {
  EXPECT_EQ(left_of({"nightly", "nightly", "nightly"}), "");
  EXPECT_EQ(left_of({"", "nightly", "nightly", "nightly"}), "") << "set a bit late, for all that follows";
}

TEST(LeftGroup, IsNoneWhereGroupsAlternate) {
  EXPECT_EQ(left_of({"a", "b", "a", "b", "b"}), "");
  EXPECT_EQ(left_of({"b", "a", "b", "b"}), "");
}

TEST(LeftGroup, IsNoneWhereNobodyNamedIt) {
  const std::string uuid = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
  EXPECT_EQ(left_of({"read", uuid, uuid}), "");
  EXPECT_EQ(left_of({"read", "20261129", "20261129"}), "");
  EXPECT_EQ(left_of({"read", "zeppelin-2ABC-paragraph", "zeppelin-2ABC-paragraph"}), "");
}

// With adaptive execution off and before Spark 4 the jobs of a broadcast have a group of Spark's own.
TEST(LeftGroup, AnExecutionHasTheGroupThatItsAuthorGave) {
  auto application = with_groups({"read", "write", "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "write"});
  application.jobs[2].sql_execution = 1;
  EXPECT_EQ(left(application), "write 2");
}

TEST(LeftGroup, NestedExecutionsAreOneAction) {
  auto application = with_groups({"read", "write", "write"});
  application.executions[2].root_id = 1;
  EXPECT_EQ(left(application), "");
}

TEST(LeftGroup, LookingAtFootersIsNoAction) {
  auto application = with_groups({"read", "write", "write"});
  application.jobs[2].sql_execution.reset();
  application.jobs[2].stages = {5};
  StageAttempt stage;
  stage.id = 5;
  stage.jobs = {2};
  stage.name = "parquet at job.py:12";
  stage.rdds = {{.id = 1, .name = "MapPartitionsRDD", .scope_name = "mapPartitions", .call_site = "", .parents = {}},
                {.id = 0, .name = "ParallelCollectionRDD", .scope_name = "parallelize", .call_site = "", .parents = {}}};
  application.stages = {stage};
  EXPECT_EQ(left(application), "");
  application.stages[0].name = "collect at job.py:12";
  EXPECT_EQ(left(application), "write 2");
}

TEST(LeftGroup, IsUnknownOfAnApplicationThatDidNotEndWell) {
  auto running = with_groups({"read", "write", "write"});
  running.end_ms.reset();
  EXPECT_FALSE(run_facts_of(running).ended);
  EXPECT_EQ(left(running), "");
  auto failed = with_groups({"read", "write", "write"});
  failed.jobs[0].status = JobStatus::failed;
  EXPECT_FALSE(run_facts_of(failed).ended);
  auto broken = with_groups({"read", "write", "write"});
  broken.evidence.problems.push_back({.code = "tasks-missing", .message = ""});
  EXPECT_FALSE(run_facts_of(broken).ended);
}

TEST(LeftGroup, IsNoneOfAnApplicationWithoutActions) {
  const auto facts = run_facts_of(with_groups({}));
  EXPECT_TRUE(facts.ended);
  EXPECT_FALSE(facts.left_group);
}

}  // namespace
}  // namespace stagegate
