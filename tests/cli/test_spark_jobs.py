"""Jobs that end badly, with a real Spark: what its driver does then is not for a fake to say."""

import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from project import Project, toml, wait_until_gone

pytestmark = pytest.mark.spark

NAME = "revenue/default"
QUICK_JAVA = Path(__file__).resolve().parents[1] / "spark/quick_java.py"
SESSION = """
import os, sys, threading, time
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
def pairs(n=1000):
    return spark.sparkContext.parallelize(range(n), 2).map(lambda i: (i % 7, i)).reduceByKey(lambda a, b: a + b, 3)
assert pairs().count() == 7
"""


class SparkProject:
    def __init__(self, project: Project):
        self.project = project
        project.time_limit_s = 200
        # The real ones in place of what only looks like them.
        del project.env["SPARK_HOME"]
        project.env["JAVA_HOME"] = subprocess.check_output([sys.executable, QUICK_JAVA], text=True).strip()
        project.env["SPARK_LOCAL_IP"] = "127.0.0.1"

    def job(self, body: str, start: str = 'app = "jobs/job.py"'):
        self.project.write("jobs/job.py", SESSION + textwrap.dedent(body))
        self.project.write(
            "stagegate.toml",
            f"[spark]\npython = {toml(sys.executable)}\nmaster = 'local[1]'\n[defaults]\ntimeout = '2 min'\n"
            f"[jobs.revenue]\n{start}\nconf = {{ spark.ui.enabled = false }}\n",
        )

    def run(self, state: str):
        outcome = self.project.run()
        assert outcome.state(NAME) == state, outcome.output
        if state not in ("judged", "no-baseline"):
            assert outcome.code == 3
            assert outcome.variant(NAME)["findings"] == []
            [case] = outcome.cases(NAME, "error")
            assert outcome.variant(NAME)["reason"] in case.find("error").text
        return outcome


@pytest.fixture
def spark(project):
    return SparkProject(project)


def test_a_job_that_ends_well(spark):
    """What the others here are measured against."""
    spark.job("spark.stop()")
    outcome = spark.run("no-baseline")
    assert outcome.code == 5
    spark.project.accept()
    assert spark.run("judged").code == 0


def test_a_command_that_starts_spark_by_itself(spark):
    spark.job("spark.stop()", start=f"command = {toml([sys.executable, 'jobs/job.py'])}")
    assert spark.run("no-baseline").code == 5


def test_throws(spark):
    spark.job("""
        def revenue():
            raise ValueError("no such customer")
        revenue()
    """)
    outcome = spark.run("job-failed")
    assert "status 1" in outcome.variant(NAME)["reason"]
    [case] = outcome.cases(NAME, "error")
    for text in (outcome.stdout, case.find("error").text):
        assert "ValueError: no such customer" in text
        assert "job.py" in text


def test_exits_with_status_3(spark):
    spark.job("sys.exit(3)")
    assert "status 3" in spark.run("job-failed").variant(NAME)["reason"]


def test_switches_the_event_log_off_in_its_code(spark):
    spark.job("spark.stop()")
    path = spark.project.root / "jobs/job.py"
    path.write_text(path.read_text().replace(".getOrCreate()", '.config("spark.eventLog.enabled", "false").getOrCreate()'))
    reason = spark.run("no-evidence").variant(NAME)["reason"]
    assert "event log" in reason and "spark.eventLog.enabled" in reason


def test_stops_its_context_and_then_uses_it(spark):
    spark.job("""
        numbers = pairs()
        spark.stop()
        numbers.count()
    """)
    assert "status 1" in spark.run("job-failed").variant(NAME)["reason"]


def test_stops_its_context_while_a_stage_runs(spark):
    spark.job("""
        def slow(i):
            time.sleep(3)
            return i
        def work():
            try:
                spark.sparkContext.parallelize(range(20), 20).map(slow).count()
            except Exception:
                pass
        thread = threading.Thread(target=work)
        thread.start()
        while not spark.sparkContext.statusTracker().getActiveStageIds():
            time.sleep(0.05)
        time.sleep(1)
        spark.stop()
        thread.join(30)
    """)
    outcome = spark.run("no-evidence")
    assert "not all of its stages" in outcome.variant(NAME)["reason"]
    assert "of 20" in outcome.stdout and "SparkContext was shut down" in outcome.stdout


def test_starts_two_applications(spark):
    spark.job(
        """
        first = spark.sparkContext.applicationId
        spark.stop()
        spark = SparkSession.builder.getOrCreate()
        assert pairs().count() == 7
        open("ids", "w").write(first + " " + spark.sparkContext.applicationId)
        spark.stop()
        """,
        start=f"command = {toml([sys.executable, 'jobs/job.py'])}",
    )
    reason = spark.run("no-evidence").variant(NAME)["reason"]
    for application in (spark.project.root / "ids").read_text().split():
        assert application in reason


def test_its_driver_is_killed_by_signal_9(spark):
    spark.job("""
        open("pids", "w").write(f"{os.getpid()} {os.getppid()}")
        os.kill(os.getppid(), 9)
        time.sleep(100)
    """)
    outcome = spark.run("job-failed")
    assert "signal 9" in outcome.variant(NAME)["reason"]
    wait_until_gone([int(word) for word in (spark.project.root / "pids").read_text().split()])


def test_an_interrupt_ends_the_jvm_and_its_python(spark):
    spark.job("""
        open("pids.new", "w").write(f"{os.getpid()} {os.getppid()}")
        os.rename("pids.new", "pids")
        time.sleep(100)
    """)
    started = spark.project.start("run")
    pids = [int(word) for word in started.wait_for_file(spark.project.root / "pids").split()]
    started.send(signal.SIGTERM)
    outcome = started.wait()
    assert outcome.code == 143
    assert outcome.state(NAME) == "interrupted", "though its log looks finished"
    wait_until_gone(pids)
