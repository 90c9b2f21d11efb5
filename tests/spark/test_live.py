"""`stagegate report` of an event log says of each stage what Spark's own live REST API said while the job was there."""
from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from installed import ROOT
from live_answers import live_answers
from processes import PATIENCE_S, running, wait_until
from sparks import Cluster, Spark

SMALL_DATA = {
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.adaptive.advisoryPartitionSizeInBytes": "1m",
    "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes": "1m",
}
ADAPTIVE: dict[str, str] = {}
NO_SKEW_FIX = {"spark.sql.adaptive.skewJoin.enabled": "false"}
ADAPTIVE_OFF = {"spark.sql.adaptive.enabled": "false"}
LOCAL = Cluster("local[4]", {})


@dataclass(frozen=True)
class Watched:
    """One run: what Spark said of it while it was there, and the event log that it left."""

    answers: dict[str, Any]
    event_log: Path


def watch(spark: Spark, where: Cluster, job: str, conf: dict[str, str], data: Path, folder: Path) -> Watched:
    logs = folder / "logs"
    logs.mkdir()
    properties = {
        **SMALL_DATA, **where.conf, **conf,
        "spark.master": where.master,
        "spark.ui.port": "0",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": logs.as_uri(),
    }  # fmt: skip
    held = [ROOT / "tests/spark/hold_open.py", folder, ROOT / "examples/jobs" / job]
    command = spark.submit(properties, *held, "--data", data, "--out", folder / "out")
    driver_log = folder / "driver.log"
    ui = folder / "ui"
    with running(command, driver_log, spark.environment()) as driver:
        address = wait_until(lambda: ui.read_text() if ui.exists() else None, driver, driver_log)
        answers = live_answers(address)
        (folder / "release").touch()
        assert driver.wait(timeout=PATIENCE_S) == 0, driver_log.read_text()[-3000:]
    [event_log] = logs.iterdir()
    return Watched(answers, event_log)


def report(stagegate: Path, event_log: Path) -> dict[str, Any]:
    done = subprocess.run([stagegate, "report", event_log, "--format", "json"], capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def as_answers(ours: dict[str, Any]) -> dict[str, Any]:
    """Our report in the words of live_answers.py. What the report leaves out for want of a value counts as 0 there."""
    rules = {(f["stage"], f["attempt"]): [] for f in ours["findings"]}
    for finding in ours["findings"]:
        if finding["rule"] in ("skew", "small-tasks"):
            rules[finding["stage"], finding["attempt"]].append(finding["rule"])
    return {"cores": ours["cores"], "stages": [as_answer(stage, rules) for stage in ours["stages"]]}


def as_answer(stage: dict[str, Any], rules: dict[tuple[int, int], list[str]]) -> dict[str, Any]:
    ran = stage["tasks"]["succeeded"] > 0
    reads = stage["distribution"]["shuffle_read"] or {"median": 0, "max": 0}
    return {
        "id": stage["id"],
        "attempt": stage["attempt"],
        "status": stage["status"],
        "tasks": stage["tasks"]["succeeded"],
        "bytes": {name: value or 0 for name, value in stage["bytes"].items()},
        "records": {name: value or 0 for name, value in stage["records"].items()},
        "shuffle_read_median": reads["median"] if ran else None,
        "shuffle_read_max": reads["max"] if ran else None,
        "findings": rules.get((stage["id"], stage["attempt"]), []),
    }


def by_stage(answers: dict[str, Any]) -> dict[tuple[int, int], dict[str, Any]]:
    return {(stage["id"], stage["attempt"]): stage for stage in answers["stages"]}


def check(stagegate: Path, watched: Watched, expected_findings: list[str]) -> None:
    ours = as_answers(report(stagegate, watched.event_log))
    assert ours["cores"] == watched.answers["cores"]
    assert by_stage(ours) == by_stage(watched.answers)
    # The runs are chosen to have something to find; two empty reports would agree as well.
    assert sorted(rule for stage in watched.answers["stages"] for rule in stage["findings"]) == expected_findings


RUNS = [
    pytest.param("revenue.py", ADAPTIVE_OFF, ["skew", "small-tasks"], id="revenue-adaptive-off"),
    pytest.param("revenue.py", NO_SKEW_FIX, ["skew"], id="revenue-no-skew-fix"),
    pytest.param("revenue.py", ADAPTIVE, [], id="revenue-adaptive"),
    pytest.param("sections.py", ADAPTIVE, ["small-tasks"], id="sections-adaptive"),
]


@pytest.mark.parametrize(("job", "conf", "expected"), RUNS)
def test_agrees_with_spark_4(stagegate, spark4, data, tmp_path, job, conf, expected) -> None:
    check(stagegate, watch(spark4, LOCAL, job, conf, data, tmp_path), expected)


@pytest.mark.parametrize(("job", "conf", "expected"), RUNS)
def test_agrees_with_spark_3(stagegate, spark3, data, tmp_path, job, conf, expected) -> None:
    check(stagegate, watch(spark3, LOCAL, job, conf, data, tmp_path), expected)


@pytest.mark.parametrize(("job", "conf", "expected"), [RUNS[0], RUNS[2]])
def test_agrees_on_a_cluster_of_two_workers(stagegate, spark4, cluster, data, tmp_path, job, conf, expected) -> None:
    watched = watch(spark4, cluster, job, conf, data, tmp_path)
    assert watched.answers["cores"] == 2
    check(stagegate, watched, expected)
