// Recorded answers of Spark's servers against the event logs of the same applications.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ingest/decoder.h"
#include "ingest/read_log.h"
#include "ingest/read_rest.h"
#include "ingest/rest/parse_rest.h"
#include "unit/ingest/as_rest_has_it.h"
#include "unit/ingest/codec_checks.h"
#include "unit/ingest/describe.h"
#include "unit/ingest/memory_source.h"
#include "unit/ingest/recorded_server.h"

namespace stagegate {
namespace {

Application log_in(std::string bytes) {
  ReadOptions options;
  options.depth = TaskDepth::all;
  auto application = read_log_file(std::make_unique<MemorySource>(std::move(bytes)), "log", options);
  EXPECT_TRUE(application) << application.error().message;
  return application ? *std::move(application) : Application();
}

// ---- Answers of one job, recorded from a live UI and a history server: tests/data/rest ----

std::string plain_test_data(const std::string& name) {
  auto decoder = open_decoder(std::make_unique<MemorySource>(test_data("rest/" + name)), name);
  EXPECT_TRUE(decoder) << name;
  std::string plain;
  std::vector<char> buffer(1U << 16U);
  for (std::size_t size = 1; decoder && size > 0;) {
    const auto read = (*decoder)->read(buffer);
    size = read ? *read : 0;
    plain.append(buffer.data(), size);
  }
  return plain;
}

Application recorded(const std::string& name) {
  auto server = RecordedServer::from_text(plain_test_data(name + ".rest.zst"));
  const auto get = server.get();
  const auto heads = list_rest_applications(get);
  EXPECT_TRUE(heads && heads->size() == 1) << name;
  auto application = read_rest_application(get, heads ? heads->at(0).head.log : "", {.depth = TaskDepth::all});
  EXPECT_TRUE(application) << application.error().message;
  return application ? *std::move(application) : Application();
}

class RecordedServers : public testing::TestWithParam<std::string> {};

TEST_P(RecordedServers, AHistoryServerSaysWhatTheEventLogSays) {
  const auto log = log_in(test_data("rest/" + GetParam() + ".log.zst"));
  const auto rest = recorded(GetParam() + "-history");
  EXPECT_EQ(describe(as_rest_has_it(rest)), describe(as_rest_has_it(log)));
  EXPECT_TRUE(rest.evidence.complete());
  EXPECT_GE(rest.stages.size(), 10U);
}

TEST_P(RecordedServers, ALiveUiSaysItTooAndThatTheApplicationRuns) {
  auto log = log_in(test_data("rest/" + GetParam() + ".log.zst"));
  const auto rest = recorded(GetParam() + "-live");
  log.end_ms.reset();
  EXPECT_EQ(describe(as_rest_has_it(rest), EvidencePart::without), describe(as_rest_has_it(log), EvidencePart::without));
  ASSERT_EQ(rest.evidence.problems.size(), 1U);
  EXPECT_EQ(rest.evidence.problems[0].code, "log-in-progress");
}

TEST_P(RecordedServers, KnowTheNodesOfThePlans) {
  const auto log = log_in(test_data("rest/" + GetParam() + ".log.zst"));
  const auto rest = recorded(GetParam() + "-history");
  ASSERT_EQ(rest.executions.size(), log.executions.size());
  for (std::size_t i = 0; i < rest.executions.size(); ++i) {
    std::set<std::pair<std::string, std::string>> nodes;
    for (const auto& node : log.executions[i].plan) {
      nodes.emplace(node.name, GetParam() == "spark-4.3" ? std::string(node.simple_string) : "");
    }
    EXPECT_FALSE(rest.executions[i].plan.empty());
    for (const auto& node : rest.executions[i].plan) {
      const auto simple_string = GetParam() == "spark-4.3" ? std::string(node.simple_string) : "";
      EXPECT_TRUE(nodes.contains({std::string(node.name), simple_string})) << node.name << ": " << node.simple_string;
    }
  }
}

TEST(RecordedLiveUi, KnowsWhatIsCached) {
  const auto rest = recorded("spark-4.3-live");
  const auto cached = [](const StageAttempt& stage) {
    return std::any_of(stage.rdds.begin(), stage.rdds.end(),
                       [](const RddInfo& rdd) { return rdd.persisted && rdd.cached_partitions == 3; });
  };
  EXPECT_TRUE(std::any_of(rest.stages.begin(), rest.stages.end(), cached));
}

INSTANTIATE_TEST_SUITE_P(OfTwoVersions, RecordedServers, testing::Values("spark-4.3", "spark-3.5"),
                         [](const auto& version) { return version.param == "spark-4.3" ? "Spark43" : "Spark35"; });

// ---- The answers of Spark's own test suite, where they lie beside the checkout ----

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

class SparksOwnAnswers : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!std::filesystem::is_directory(corpus() / "rest")) {
      GTEST_SKIP() << "no collection of answers and logs here";
    }
  }

  static std::filesystem::path corpus() { return STAGEGATE_CORPUS; }
  static std::string answer(const std::string& name) { return file_text(corpus() / "rest" / GetParam() / (name + "_expectation.json")); }
  static Application log(const std::string& name) { return log_in(file_text(corpus() / "logs" / "apache-spark" / name)); }
};

// The status of parsing the answer to PATH, with what parses such answers; none where nobody asks for it.
std::optional<std::string> error_of(const std::string& path, const std::string& body) {
  const auto error = [](const auto& parsed) { return std::optional(parsed ? std::string() : parsed.error().message); };
  const auto clean = path.substr(0, path.find('?'));
  const auto last = clean.substr(clean.rfind('/') + 1);
  if (clean == "applications") {
    return error(parse_rest_applications(body));
  }
  if (last == "jobs") {
    return error(parse_rest_jobs(body));
  }
  if (last == "stages" || clean.find("/stages/") == clean.rfind('/') - std::string("/stages").size()) {
    return error(parse_rest_stages(body));
  }
  if (last == "taskList") {
    return error(parse_rest_tasks(body, TaskDepth::all, {}, [](RestTask&) {}));
  }
  if (last == "executors") {
    return error(parse_rest_executors(body));
  }
  if (last == "environment") {
    return error(parse_rest_environment(body));
  }
  return last == "rdd" ? error(parse_rest_rdds(body)) : std::nullopt;
}

TEST_P(SparksOwnAnswers, AreTaken) {
  std::ifstream list(corpus() / "rest" / "EXPECTATION_URLS.tsv");
  int taken = 0;
  for (std::string line; std::getline(list, line);) {
    const auto tab = line.find('\t');
    if (line.starts_with('#') || tab == std::string::npos) {
      continue;
    }
    const auto path = line.substr(tab + 1, line.find('\t', tab + 1) - tab - 1);
    const auto error = error_of(path, file_text(corpus() / "rest" / GetParam() / line.substr(0, tab)));
    EXPECT_EQ(error.value_or(""), "") << path;
    taken += error ? 1 : 0;
  }
  EXPECT_GE(taken, 40);
}

TEST_P(SparksOwnAnswers, AboutJobsAreThoseOfTheLog) {
  const auto application = log("local-1422981780767");
  auto jobs = parse_rest_jobs(answer("job_list_json"));
  ASSERT_TRUE(jobs);
  std::reverse(jobs->begin(), jobs->end());
  ASSERT_EQ(jobs->size(), application.jobs.size());
  for (std::size_t i = 0; i < jobs->size(); ++i) {
    const auto& expected = application.jobs[i];
    auto stages = (*jobs)[i].start.stage_ids;
    std::sort(stages.begin(), stages.end());
    EXPECT_EQ((*jobs)[i].start.id, expected.id);
    EXPECT_EQ((*jobs)[i].status, expected.status);
    EXPECT_EQ((*jobs)[i].ended_ms, expected.ended_ms);
    EXPECT_EQ(stages, expected.stages);
  }
}

TEST_P(SparksOwnAnswers, AboutStagesAreThoseOfTheLog) {
  for (const auto& [file, name] :
       {std::pair("stage_list_json", "local-1422981780767"), std::pair("stage_list_with_peak_metrics", "app-20200706201101-0003")}) {
    const auto application = log(name);
    auto stages = parse_rest_stages(answer(file));
    ASSERT_TRUE(stages);
    std::reverse(stages->begin(), stages->end());
    ASSERT_EQ(stages->size(), application.stages.size());
    for (std::size_t i = 0; i < stages->size(); ++i) {
      const auto& stage = (*stages)[i];
      const auto& expected = application.stages[i];
      EXPECT_EQ(std::tuple(stage.info.id, stage.info.attempt, stage.status), std::tuple(expected.id, expected.attempt, expected.status));
      EXPECT_EQ(std::tuple(stage.info.name, stage.info.details), std::tuple(expected.name, expected.details));
      EXPECT_EQ(stage.info.failure_reason.has_value(), expected.failure_reason.has_value());
      EXPECT_EQ(std::tuple(stage.info.submitted_ms, stage.info.completed_ms), std::tuple(expected.submitted_ms, expected.completed_ms));
      EXPECT_EQ(std::tuple(stage.info.declared_tasks, stage.succeeded, stage.failed, stage.killed),
                std::tuple(expected.tasks.declared, expected.tasks.succeeded, expected.tasks.failed, expected.tasks.killed));
      EXPECT_EQ(stage.info.rdds.size(), expected.rdds.size());
    }
  }
}

TEST_P(SparksOwnAnswers, AboutTasksAreThoseOfTheLog) {
  const auto stage = log("local-1430917381534").stages.at(0);
  const auto ids = stage.winners.task_ids.values();
  int rows = 0;
  const auto parsed = parse_rest_tasks(answer("stage_task_list_w__offset___length"), TaskDepth::all, {}, [&](const RestTask& task) {
    const auto found = std::find(ids.begin(), ids.end(), task.end.task_id);
    ASSERT_NE(found, ids.end());
    const auto row = static_cast<std::size_t>(found - ids.begin());
    EXPECT_EQ(task.end.partition, stage.winners.partitions[row]);
    EXPECT_EQ(task.end.launched_ms, stage.winners.launched_ms[row]);
    EXPECT_TRUE(task.ended);
    for (std::size_t metric = 0; metric < kMetricCount; ++metric) {
      const auto& column = stage.winners.metrics[metric];
      EXPECT_EQ(task.end.numbers.values[metric], column.empty() ? 0 : column[row]) << kMetrics[metric].name;
    }
    ++rows;
  });
  EXPECT_TRUE(parsed);
  EXPECT_EQ(rows, 50);
}

TEST_P(SparksOwnAnswers, AboutFailuresAreThoseOfTheLog) {
  const auto stage = log("app-20161115172038-0000").stages.at(0);
  ASSERT_EQ(stage.failures.size(), 1U);
  int rows = 0;
  const auto parsed = parse_rest_tasks(answer("stage_task_list_w__status"), TaskDepth::judged, {}, [&](const RestTask& task) {
    EXPECT_EQ(task.end.kind, TaskEndKind::failed);
    EXPECT_EQ(task.end.reason, stage.failures[0].reason);
    EXPECT_EQ(task.end.error_class, stage.failures[0].error_class);
    EXPECT_EQ(task.end.error, stage.failures[0].message);
    ++rows;
  });
  EXPECT_TRUE(parsed);
  EXPECT_EQ(rows, stage.tasks.failed);
}

TEST_P(SparksOwnAnswers, AboutExecutorsAreThoseOfTheLog) {
  const auto application = log("app-20161116163331-0000");
  const auto executors = parse_rest_executors(answer("executor_memory_usage"));
  ASSERT_TRUE(executors);
  ASSERT_EQ(executors->size(), application.executors.size());
  for (std::size_t i = 0; i < executors->size(); ++i) {
    const auto& executor = (*executors)[i];
    const auto& expected = application.executors[i];
    EXPECT_EQ(std::tuple(executor.id, executor.host, executor.cores, executor.added_ms),
              std::tuple(expected.id, expected.host, expected.cores, expected.added_ms));
  }
}

TEST_P(SparksOwnAnswers, AboutTheEnvironmentAreThoseOfTheLog) {
  const auto application = log("app-20161116163331-0000");
  const auto environment = parse_rest_environment(answer("app_environment"));
  ASSERT_TRUE(environment);
  EXPECT_EQ(environment->properties.spark_properties, application.spark_properties);
  EXPECT_EQ(environment->properties.jvm, application.jvm);

  const auto with_profiles = log("application_1578436911597_0052");
  const auto profiles = parse_rest_environment(answer("multiple_resource_profiles"));
  ASSERT_TRUE(profiles);
  ASSERT_EQ(profiles->profiles.size(), with_profiles.resource_profiles.size());
  for (std::size_t i = 0; i < profiles->profiles.size(); ++i) {
    EXPECT_EQ(profiles->profiles[i].id, with_profiles.resource_profiles[i].id);
    EXPECT_EQ(profiles->profiles[i].executor, with_profiles.resource_profiles[i].executor);
    EXPECT_EQ(profiles->profiles[i].task, with_profiles.resource_profiles[i].task);
  }
}

INSTANTIATE_TEST_SUITE_P(OfTwoVersions, SparksOwnAnswers, testing::Values("spark-3.5", "spark-5.0-snapshot"),
                         [](const auto& version) { return version.param == "spark-3.5" ? "Spark35" : "Spark50"; });

}  // namespace
}  // namespace stagegate
