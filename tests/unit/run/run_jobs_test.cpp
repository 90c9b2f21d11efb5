#include "run/run_jobs.h"

#include <csignal>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sys/interrupt.h"
#include "unit/run/fake_spark.h"

namespace stagegate {
namespace {

using namespace std::chrono_literals;

// A spark-submit that runs its app, the last argument, as a shell script, which finds the folder of the event log in $LOG.
constexpr std::string_view kRunTheApp = R"(
for word; do
  case $word in
    spark.eventLog.dir=*) LOG=${word#spark.eventLog.dir=file://} ;;
    spark.stagegate.run=*) MARKER=${word#spark.stagegate.run=} ;;
  esac
done
export LOG MARKER
. "$word")";

bool exists(pid_t id) {
  return ::kill(id, 0) == 0;
}

class RunJobs : public testing::Test {
 protected:
  RunJobs() {
    test::make_spark(folder, "spark", kRunTheApp);
    test::make_java(folder, "java", "17.0.15");
    options.report_dir = folder.at("out");
    options.grace = 300ms;
    options.search = {
        test::environment_of({{"SPARK_HOME", folder.at("spark")}, {"JAVA_HOME", folder.at("java")}, {"PATH", "/usr/bin:/bin"}}),
        folder.path()};
    observer.on_start = [this](std::size_t index) { log += "start " + std::to_string(index) + "\n"; };
    observer.on_end = [this](std::size_t index, const JobRun& run) {
      log += "end " + std::to_string(index) + "\n";
      return run.end != RunEnd::exited || run.exit_status != 0;
    };
  }

  JobVariant job(const std::string& name, const std::string& script) const {
    JobVariant job_variant;
    job_variant.job = name;
    job_variant.variant = "default";
    job_variant.app = folder.write(name + ".py", script);
    job_variant.manifest_dir = folder.path();
    job_variant.job_at = {"stagegate.toml", 3, 1};
    return job_variant;
  }
  JobVariant command(const std::string& name, const std::vector<std::string>& words) const {
    auto job_variant = job(name, "");
    job_variant.app.reset();
    job_variant.command = words;
    return job_variant;
  }
  JobRun run(const JobVariant& job_variant) const { return run_jobs({job_variant}, options, observer).front(); }
  pid_t id_in(const std::string& name) const { return std::atoi(folder.read(name).c_str()); }

  test::TemporaryFolder folder;
  RunJobsOptions options;
  RunObserver observer;
  std::string log;
};

TEST_F(RunJobs, TellsTheStatusOfTheProcess) {
  const auto run = this->run(job("a", "echo hello; echo trouble >&2; exit 3"));
  EXPECT_EQ(run.end, RunEnd::exited);
  EXPECT_EQ(run.exit_status, 3);
  EXPECT_EQ(run.problem, "");
  EXPECT_EQ(run.run_dir, folder.at("out/runs/a/default/1"));
  EXPECT_TRUE(run.started_ms && run.duration_ms);
  EXPECT_EQ(folder.read("out/runs/a/default/1/stdout.txt"), "hello\n");
  EXPECT_EQ(describe_output(run, 5), "trouble");
  EXPECT_EQ(log, "start 0\nend 0\n");
}

TEST_F(RunJobs, TellsASignalThatWasNotOurs) {
  const auto run = this->run(job("a", "kill -9 $$"));
  EXPECT_EQ(run.end, RunEnd::signalled);
  EXPECT_EQ(run.signal, SIGKILL);
}

TEST_F(RunJobs, EndsAJobThatTakesTooLong) {
  auto job_variant = job("a", "sleep 1000");
  job_variant.timeout = 200ms;
  EXPECT_EQ(run(job_variant).end, RunEnd::timed_out);
}

TEST_F(RunJobs, KillsAJobThatDoesNotMindTermWithItsChildren) {
  auto job_variant = job("a", "trap '' TERM; sleep 1000 & echo $! > child; while :; do sleep 0.1; done");
  job_variant.timeout = 500ms;
  EXPECT_EQ(run(job_variant).end, RunEnd::timed_out);
  ASSERT_GT(id_in("child"), 0);
  EXPECT_FALSE(exists(id_in("child")));
}

TEST_F(RunJobs, AnOrderlyEndAfterATimeOutIsATimeOut) {
  auto job_variant = job("a", "trap 'exit 0' TERM; while :; do sleep 0.05; done");
  job_variant.timeout = 300ms;
  EXPECT_EQ(run(job_variant).end, RunEnd::timed_out);
}

TEST_F(RunJobs, EndsWhatAJobLeavesBehind) {
  const auto run = this->run(job("a", "sleep 1000 & echo $! > child"));
  EXPECT_EQ(run.end, RunEnd::exited);
  EXPECT_EQ(run.exit_status, 0);
  ASSERT_GT(id_in("child"), 0);
  EXPECT_FALSE(exists(id_in("child")));
}

TEST_F(RunJobs, LetsWhatAJobLeavesBehindFinishWithinTheGrace) {
  options.grace = 20s;
  run(job("a",
          "(trap 'sleep 0.2; echo done > late; exit' TERM; echo up > ready; while :; do sleep 0.05; done) & "
          "until [ -s ready ]; do sleep 0.05; done"));
  EXPECT_EQ(folder.read("late"), "done\n");
}

TEST_F(RunJobs, SendsFloodsOfOutputToFiles) {
  EXPECT_EQ(run(job("a", "head -c 30000000 /dev/zero >&2")).exit_status, 0);
  EXPECT_EQ(folder.read("out/runs/a/default/1/stderr.txt").size(), 30'000'000U);
}

TEST_F(RunJobs, RunsSideBySideAsManyAsAllowed) {
  // Each waits for the other to be there.
  const std::string meet = "echo here > $NAME; until [ -s one ] && [ -s two ]; do sleep 0.02; done";
  auto one = job("one", meet);
  auto two = job("two", meet);
  one.environment["NAME"] = "one";
  two.environment["NAME"] = "two";
  one.timeout = two.timeout = 20s;
  options.parallel = 2;
  const auto runs = run_jobs({one, two}, options, observer);
  EXPECT_EQ(runs[0].end, RunEnd::exited);
  EXPECT_EQ(runs[1].end, RunEnd::exited);
  EXPECT_NE(runs[0].marker, runs[1].marker);
}

TEST_F(RunJobs, RunsOneAfterTheOtherUnlessAllowed) {
  run_jobs({job("a", ""), job("b", ""), job("c", "exit 1")}, options, observer);
  EXPECT_EQ(log, "start 0\nend 0\nstart 1\nend 1\nstart 2\nend 2\n");
}

TEST_F(RunJobs, GoesOnAfterAFailureUnlessToldToStop) {
  const std::vector<JobVariant> jobs{job("a", "exit 1"), job("b", "")};
  EXPECT_EQ(run_jobs(jobs, options, observer)[1].end, RunEnd::exited);
  options.on_failure = OnFailure::fail_fast;
  log.clear();
  const auto runs = run_jobs(jobs, options, observer);
  EXPECT_EQ(runs[1].end, RunEnd::not_started);
  EXPECT_EQ(runs[1].problem, "");
  EXPECT_EQ(log, "start 0\nend 0\nend 1\n");
}

TEST_F(RunJobs, RunsAVariantAsOftenAsItAsksForEachTimeInAFolderOfItsOwn) {
  folder.write("out/runs/a/default/4/stdout.txt", "of an earlier run");
  auto often = job("a", "echo here");
  often.runs = 3;
  const auto runs = run_jobs({often, job("b", "")}, options, observer);
  ASSERT_EQ(runs.size(), 4U);
  for (const std::size_t i : {0U, 1U, 2U}) {
    const auto run_dir = "out/runs/a/default/" + std::to_string(i + 1);
    EXPECT_EQ(runs[i].run_dir, folder.at(run_dir));
    EXPECT_EQ(folder.read(run_dir + "/stdout.txt"), "here\n");
  }
  EXPECT_EQ(runs[3].run_dir, folder.at("out/runs/b/default/1"));
  EXPECT_NE(runs[0].marker, runs[1].marker);
  EXPECT_FALSE(is_folder(folder.at("out/runs/a/default/4")));
  EXPECT_EQ(log, "start 0\nend 0\nstart 1\nend 1\nstart 2\nend 2\nstart 3\nend 3\n");
}

TEST_F(RunJobs, AVariantThatFailedStartsNoMoreRunsOthersDo) {
  auto often = job("a", "[ -s seen ] && exit 1; echo x > seen");
  often.runs = 4;
  const auto runs = run_jobs({often, job("b", "")}, options, observer);
  EXPECT_EQ(runs[0].end, RunEnd::exited);
  EXPECT_EQ(runs[1].exit_status, 1);
  EXPECT_EQ(runs[2].end, RunEnd::not_started);
  EXPECT_EQ(runs[3].end, RunEnd::not_started);
  EXPECT_EQ(runs[4].end, RunEnd::exited);
  EXPECT_EQ(log, "start 0\nend 0\nstart 1\nend 1\nend 2\nend 3\nstart 4\nend 4\n");
}

TEST_F(RunJobs, RunsOfOneVariantGoSideBySideToo) {
  auto often = job("a", "mkdir one 2> /dev/null || mkdir two; until [ -d one ] && [ -d two ]; do sleep 0.02; done");
  often.runs = 2;
  often.timeout = 20s;
  options.parallel = 2;
  const auto runs = run_jobs({often}, options, observer);
  EXPECT_EQ(runs[0].end, RunEnd::exited);
  EXPECT_EQ(runs[1].end, RunEnd::exited);
}

TEST_F(RunJobs, LeavesNothingOfAnEarlierRun) {
  folder.write("out/runs/a/default/1/eventlog/old", "x");
  folder.write("out/runs/b/default/1/eventlog/old", "x");
  folder.write("out/runs/a/other/1/eventlog/old", "x");
  options.on_failure = OnFailure::fail_fast;
  run_jobs({job("a", "exit 1"), job("b", "")}, options, observer);
  EXPECT_TRUE(list_folder(folder.at("out/runs/a/default/1/eventlog"))->empty());
  EXPECT_TRUE(list_folder(folder.at("out/runs/b/default/1/eventlog"))->empty());
  EXPECT_TRUE(is_file(folder.at("out/runs/a/other/1/eventlog/old")));
}

TEST_F(RunJobs, NamesAnAppThatIsMissingBeforeAnythingStarts) {
  auto job_variant = job("a", "");
  job_variant.app = folder.at("gone.py");
  const auto run = this->run(job_variant);
  EXPECT_EQ(run.end, RunEnd::not_started);
  EXPECT_EQ(run.problem, "stagegate.toml:3:1: the app of job 'a' does not exist: " + folder.at("gone.py"));
  EXPECT_FALSE(run.duration_ms);
  EXPECT_EQ(log, "end 0\n");
}

TEST_F(RunJobs, SaysWhichSparkIsMissing) {
  auto job_variant = job("a", "");
  job_variant.spark.home = folder.at("no-spark");
  EXPECT_NE(run(job_variant).problem.find(folder.at("no-spark")), std::string::npos);
}

TEST_F(RunJobs, RefusesAJavaThatThisSparkDoesNotStartWith) {
  auto job_variant = job("a", "");
  job_variant.environment["JAVA_HOME"] = test::make_java(folder, "old", "11.0.2");
  EXPECT_NE(run(job_variant).problem.find("Spark 4.3.0 needs Java 17 or later"), std::string::npos);
}

TEST_F(RunJobs, StartsACommandWithItsConfAndTakesTheConfigurationFolderAwayAfterwards) {
  folder.write("spark/conf/spark-defaults.conf", "spark.hadoop.fs.s3a.secret.key hidden\n");
  auto job_variant = command("a", {"sh", "-c", "cat $SPARK_CONF_DIR/spark-defaults.conf; echo $PYSPARK_SUBMIT_ARGS"});
  job_variant.conf["spark.x"] = {"1", "[defaults]"};
  const auto run = this->run(job_variant);
  EXPECT_EQ(run.exit_status, 0);
  const auto output = folder.read("out/runs/a/default/1/stdout.txt");
  EXPECT_NE(output.find("secret.key hidden\n"), std::string::npos) << output;
  EXPECT_NE(output.find("spark.x=1\n"), std::string::npos) << output;
  EXPECT_NE(output.find("--conf spark.x=1"), std::string::npos) << output;
  EXPECT_FALSE(is_folder(run.run_dir + "/conf"));
}

TEST_F(RunJobs, StartsACommandThoughThereIsNoSpark) {
  options.search = {test::environment_of({{"PATH", "/usr/bin:/bin"}}), folder.path()};
  EXPECT_EQ(run(command("a", {"true"})).end, RunEnd::exited);
  EXPECT_EQ(run(job("b", "")).end, RunEnd::not_started);
}

TEST_F(RunJobs, NamesAProgramThatIsMissing) {
  EXPECT_NE(run(command("a", {"no-such-program"})).problem.find("'no-such-program'"), std::string::npos);
}

TEST_F(RunJobs, TellsProgressFromTheGrowingEventLog) {
  JobProgress last;
  observer.on_progress = [&](std::size_t, const JobProgress& progress) {
    last = progress;
    if (progress.tasks_ended == 2) {
      folder.write("seen", "yes");
    }
  };
  auto job_variant = job("a", R"(
    printf '%s\n' '{"Event":"SparkListenerTaskEnd"}' '{"Event":"SparkListenerTaskEnd"}' > $LOG/local-1.inprogress
    printf '%s\n' '{"Event":"SparkListenerStageCompleted"}' >> $LOG/local-1.inprogress
    until [ -s seen ]; do sleep 0.05; done)");
  job_variant.timeout = 20s;
  EXPECT_EQ(run(job_variant).end, RunEnd::exited);
  EXPECT_EQ(last.tasks_ended, 2);
  EXPECT_EQ(last.stages_completed, 1);
  EXPECT_GT(last.elapsed.count(), 0);
}

TEST_F(RunJobs, RecordsWhatWasStartedWithoutSecrets) {
  auto job_variant = job("a", "exit 3");
  job_variant.args = {};
  job_variant.conf["spark.hadoop.fs.s3a.secret.key"] = {"very-hidden", "[defaults]"};
  job_variant.environment["DB_PASSWORD"] = "also-hidden";
  job_variant.environment["PLAIN"] = "shown";
  const auto run = this->run(job_variant);
  const auto record = folder.read("out/runs/a/default/1/run.json");
  for (const auto* part : {R"("schema": "stagegate.run/1")", R"("job": "a")", R"("end": "exited")", R"("exit_status": 3)",
                           R"("signal": null)", R"("PLAIN":"shown")", R"x("DB_PASSWORD":"*********(redacted)")x", R"("version":"4.3.0")",
                           R"x("spark.hadoop.fs.s3a.secret.key=*********(redacted)")x"}) {
    EXPECT_NE(record.find(part), std::string::npos) << part << "\n" << record;
  }
  EXPECT_NE(record.find(run.marker), std::string::npos);
  EXPECT_EQ(record.find("hidden"), std::string::npos);
}

// In a process of its own, since an interrupt stays noted.
TEST_F(RunJobs, AnInterruptEndsWhatRunsAndStartsNothingMore) {
  const std::vector<JobVariant> jobs{job("a", "sleep 1000 & echo $! > child; wait"), job("b", "")};
  EXPECT_EXIT(
      {
        watch_interrupts();
        std::string told;
        RunObserver raising;
        raising.on_progress = [&](std::size_t, const JobProgress&) {
          if (id_in("child") > 0 && !interrupt_signal()) {
            std::raise(SIGTERM);
          }
        };
        raising.on_end = [&](std::size_t index, const JobRun& run) {
          told += std::to_string(index) + (run.end == RunEnd::interrupted ? " interrupted" : " not started") + run.problem + "\n";
          return true;
        };
        run_jobs(jobs, options, raising);
        std::_Exit(told == "1 not started\n0 interrupted\n" && !exists(id_in("child")) ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace stagegate
