"""[evidence]: runs whose event logs go to a folder that others share, or to one that only a history server reads."""
from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from gate import Gate
from installed import SPARK_4
from quick_java import quick_java
from rest_api import ask
from sparks import Cluster, Spark, history_server

# The log folder by a name that means nothing to this machine, as "hdfs:///spark-history" does not. Hadoop knows what it stands for.
ADDRESS = "viewfs://shared/logs"

MANIFEST = """
[spark]
python = "{python}"
master = "{master}"

[evidence]
{evidence}

[defaults.conf]
"spark.ui.enabled" = false
"spark.sql.adaptive.enabled" = false
{conf}

[defaults.env]
{env}

[jobs.tens]
{job}

[variants.three]
conf = {{ "spark.sql.shuffle.partitions" = 3 }}

[variants.five]
conf = {{ "spark.sql.shuffle.partitions" = 5 }}
"""

PYTHON_JOB = """
from pyspark.sql import SparkSession
spark = SparkSession.builder.appName("tens").getOrCreate()
spark.range(0, 1000, 1, 2).selectExpr("id % 10 AS k").groupBy("k").count().collect()
spark.stop()
"""

SCALA_JOB = """
import org.apache.spark.sql.SparkSession

object Tens {
  def main(args: Array[String]): Unit = {
    val spark = SparkSession.builder().appName("tens").getOrCreate()
    spark.range(0, 1000, 1, 2).selectExpr("id % 10 AS k").groupBy("k").count().collect()
    spark.stop()
  }
}
"""


@dataclass(frozen=True)
class Shared:
    """A folder of event logs, and the history server that reads it."""

    folder: Path
    server: str

    def mounted(self) -> str:
        return f'"spark.hadoop.fs.viewfs.mounttable.shared.link./logs" = "{self.folder.as_uri()}"'


@pytest.fixture(scope="module")
def shared(spark4: Spark, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    folder = tmp_path_factory.mktemp("shared")
    with history_server(spark4, folder, tmp_path_factory.mktemp("history")) as server:
        yield Shared(folder, server)


def conf_text(conf: dict[str, str]) -> str:
    return "".join(f'"{name}" = "{value}"\n' for name, value in conf.items())


def write_manifest(folder: Path, evidence: str, *, master: str = "local[2]", conf: str = "", env: str = "", job: str = 'app = "job.py"') -> None:
    python = SPARK_4 / "bin/python"
    text = MANIFEST.format(python=python, master=master, evidence=evidence, conf=conf, env=env, job=job)
    (folder / "stagegate.toml").write_text(text)
    (folder / "job.py").write_text(PYTHON_JOB)


def check_run(gate: Gate, project: Path, *arguments: str, variants: tuple[str, ...] = ("three", "five")) -> None:
    """Runs the variants; each is to be judged by its own log: its last stage has as many tasks as its configuration says."""
    gate(project, "run", *arguments, exit_code=5)
    out = project / "stagegate-out"
    verdict = json.loads((out / "verdict.json").read_text())
    assert {(v["variant"], v["state"]) for v in verdict["variants"]} == {(variant, "no-baseline") for variant in variants}
    for variant in variants:
        # Not in the run's own folder, as it is where there is no [evidence].
        assert list((out / "runs/tens" / variant / "1").rglob("*eventlog*/*")) == []
        seen = json.loads((out / "pending/baselines/tens" / f"{variant}.json").read_text())
        assert sorted(stage["tasks"] for stage in seen["stages"]) == sorted([2, {"three": 3, "five": 5}[variant]])


def test_each_of_two_runs_side_by_side_finds_its_log_in_a_shared_folder(gate: Gate, shared: Shared, tmp_path: Path) -> None:
    write_manifest(tmp_path, f'event_log_dir = "{shared.folder}"')
    before = set(shared.folder.iterdir())
    check_run(gate, tmp_path, "--jobs", "2")
    assert len(set(shared.folder.iterdir()) - before) == 2


def test_a_log_at_an_address_is_read_from_the_history_server(gate: Gate, shared: Shared, tmp_path: Path) -> None:
    write_manifest(tmp_path, f'event_log_dir = "{ADDRESS}"\nhistory_server = "{shared.server}"', conf=shared.mounted() + "\n")
    check_run(gate, tmp_path, "--jobs", "2")


def test_where_the_log_goes_may_be_left_to_spark_defaults(gate: Gate, shared: Shared, tmp_path: Path) -> None:
    conf_dir = tmp_path / "spark-conf"
    conf_dir.mkdir()
    (conf_dir / "spark-defaults.conf").write_text(f"spark.eventLog.dir {shared.folder.as_uri()}\n")
    write_manifest(tmp_path, f'history_server = "{shared.server}"', env=f'SPARK_CONF_DIR = "{conf_dir}"')
    check_run(gate, tmp_path, "--variant", "three", variants=("three",))


def test_a_history_server_with_several_applications_asks_which(gate: Gate, shared: Shared, tmp_path: Path) -> None:
    output, messages = gate.outcome(tmp_path, "report", shared.server, exit_code=2)
    assert output == ""
    applications = ask(f"{shared.server}/api/v1/applications")
    assert len(applications) > 1
    assert all(application["id"] in messages for application in applications)

    one = applications[-1]["id"]
    chosen = gate(tmp_path, "report", f"{shared.server}/history/{one}/stages/?pool=default", exit_code=0)
    assert chosen.startswith(f"tens ({one})\n")
    assert gate(tmp_path, "report", shared.server, "--app", one, exit_code=0) == chosen
    newest = max(applications, key=lambda application: application["attempts"][0]["startTimeEpoch"])["id"]
    assert gate(tmp_path, "report", shared.server, "--app", "latest", exit_code=0).startswith(f"tens ({newest})\n")


def test_a_run_that_leaves_no_log_there_is_not_judged(gate: Gate, shared: Shared, tmp_path: Path) -> None:
    write_manifest(tmp_path, f'event_log_dir = "{shared.folder}"\nwait = "1 s"')
    (tmp_path / "job.py").write_text("")
    output = gate(tmp_path, "run", "--variant", "three", exit_code=3)
    assert "no event log" in output and "spark.stagegate.run" in output


@pytest.fixture(scope="module")
def jar(spark4: Spark, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Spark brings the compiler of its own language with it."""
    folder = tmp_path_factory.mktemp("jar")
    (folder / "Tens.scala").write_text(SCALA_JOB)
    compiler = [quick_java() / "bin/java", "-cp", f"{spark4.home}/jars/*", "scala.tools.nsc.Main", "-usejavacp"]
    subprocess.run([*compiler, "-d", "tens.jar", "Tens.scala"], cwd=folder, env=spark4.environment(), check=True)
    return folder / "tens.jar"


def test_a_driver_on_the_cluster_leaves_its_log_in_the_shared_folder(
    gate: Gate, shared: Shared, cluster: Cluster, jar: Path, tmp_path: Path
) -> None:
    """spark-submit is done when the driver is on its way: the log comes later, and is waited for."""
    # One worker's core is for the driver, the other's for the tasks.
    conf = {**cluster.conf, "spark.cores.max": "1", "spark.submit.deployMode": "cluster", "spark.driver.memory": "700m"}
    job = f'app = "{jar}"\nmain_class = "Tens"'
    write_manifest(tmp_path, f'event_log_dir = "{shared.folder}"', master=cluster.master, conf=conf_text(conf), job=job)
    check_run(gate, tmp_path, "--variant", "three", variants=("three",))
    assert "Driver successfully submitted as driver-" in (tmp_path / "stagegate-out/runs/tens/three/1/stderr.txt").read_text()
