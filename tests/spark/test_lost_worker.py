"""A worker is lost in the middle of a job: tasks fail, stages run again, and the tasks that count tell what an undisturbed run tells."""
from __future__ import annotations

import json
import os
import re
import signal
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from differences import EVENT_LOG, LIVE_UI, SERVER_LOGS, SERVER_REST, Json, unexplained
from gate import Gate, Reading, Stage
from holding import say
from installed import ROOT
from live_answers import live_answers
from processes import PATIENCE_S, free_port, running, wait_for, wait_until
from rest_api import ask
from sparks import Cluster, Spark, history_server, standalone

HOLDING = ("holding-4", "holding-5")
SHUFFLES = {"spark.sql.adaptive.enabled": "false", "spark.sql.shuffle.partitions": "8", "spark.locality.wait": "0s"}
# The executors are on one machine, and would read each other's files after death. Who asks a dead one gives up soon.
AS_FAR_AWAY = {"spark.shuffle.readHostLocalDisk": "false", "spark.shuffle.io.maxRetries": "1", "spark.shuffle.io.retryWait": "100ms"}
HEARTBEAT = {"spark.executor.heartbeatInterval": "1s"}
PLAIN_LOG = {"spark.eventLog.enabled": "true", "spark.eventLog.compress": "false", "spark.eventLog.rolling.enabled": "false"}

# The report's names, and where the end of a task has them in an event log.
BYTES = {
    "input": (("Input Metrics", "Bytes Read"),),
    "output": (("Output Metrics", "Bytes Written"),),
    "shuffle_read": (("Shuffle Read Metrics", "Remote Bytes Read"), ("Shuffle Read Metrics", "Local Bytes Read")),
    "shuffle_write": (("Shuffle Write Metrics", "Shuffle Bytes Written"),),
    "memory_spill": (("Memory Bytes Spilled",),),
    "disk_spill": (("Disk Bytes Spilled",),),
}


@dataclass(frozen=True)
class Run:
    readings: dict[str, Reading]
    event_log: Path
    executors: list[Json]  # as the live UI has them, those that are gone included
    second_stage_tasks: list[Json]  # the same
    second_stage: Json  # `--stage 1` of the event log
    total: str  # the line of the report that sums all up

    @property
    def logged(self) -> Reading:
        return self.readings[EVENT_LOG]

    @property
    def stages(self) -> list[Stage]:
        return self.logged.report["stages"]


class Application:
    """The job on a cluster, from its start to its event log."""

    def __init__(self, gate: Gate, spark: Spark, cluster: Cluster, folder: Path) -> None:
        self.gate, self.spark, self.cluster, self.folder = gate, spark, cluster, folder
        self.logs = folder / "logs"
        self.driver_log = folder / "driver.log"
        self.ui = f"http://127.0.0.1:{free_port()}"

    def command(self) -> list[str]:
        properties = {
            **SHUFFLES, **AS_FAR_AWAY, **HEARTBEAT, **PLAIN_LOG, **self.cluster.conf,
            "spark.master": self.cluster.master,
            "spark.ui.port": self.ui.rpartition(":")[2],
            "spark.eventLog.dir": self.logs.as_uri(),
        }  # fmt: skip
        here = ROOT / "tests/spark"
        return self.spark.submit(properties, here / "hold_open.py", self.folder, here / "jobs/three_stages.py", self.folder)

    def run(self, lose_a_worker: bool) -> Run:
        self.logs.mkdir()
        with running(self.command(), self.driver_log, self.spark.environment()) as driver:
            wait_until(lambda: True if all((self.folder / name).exists() for name in HOLDING) else None, driver, self.driver_log)
            if lose_a_worker:
                self.wait_for_heartbeats()
                kill(self.cluster.workers[1].pid)
                wait_until(lambda: True if self.lost() else None, driver, self.driver_log)
            say(self.folder / "go")
            ui = self.folder / "ui"
            wait_until(lambda: True if ui.exists() else None, driver, self.driver_log)
            live_answers(self.ui)
            readings = {LIVE_UI: self.gate.reading(self.folder, self.ui)}
            executors = ask(f"{self.application()}/allexecutors")
            tasks = ask(f"{self.second_stage_tasks()}?length=100")
            say(self.folder / "release")
            assert driver.wait(timeout=PATIENCE_S) == 0, self.driver_log.read_text()[-3000:]
        [event_log] = self.logs.iterdir()
        readings[EVENT_LOG] = self.gate.reading(self.folder, event_log)
        second_stage = json.loads(self.report(event_log, "--stage", "1", "--format", "json"))
        [total] = (line for line in self.report(event_log).splitlines() if line.startswith("total: "))
        return Run(readings, event_log, executors, tasks, second_stage, total)

    def report(self, *arguments: str | Path) -> str:
        return self.gate(self.folder, "report", *arguments, exit_code=0)

    def application(self) -> str:
        root = f"{self.ui}/api/v1/applications"
        return f"{root}/{ask(root)[0]['id']}"

    def second_stage_tasks(self) -> str:
        return f"{self.application()}/stages/1/0/taskList"

    def wait_for_heartbeats(self) -> None:
        """Until the live UI knows what the tasks that wait have read so far."""
        tasks = self.second_stage_tasks()

        def all_have_read() -> bool | None:
            waiting = [task for task in ask(tasks) if task["status"] == "RUNNING"]
            return True if len(waiting) == len(HOLDING) and all(has_read(task) for task in waiting) else None

        wait_for(all_have_read, lambda: json.dumps(ask(tasks)))

    def lost(self) -> list[Json]:
        return [executor for executor in ask(f"{self.application()}/allexecutors") if not executor["isActive"]]


def has_read(task: Json) -> bool:
    return task.get("taskMetrics", {}).get("shuffleReadMetrics", {}).get("recordsRead", 0) > 0


def kill(worker: int) -> None:
    """A worker and the executors that it has started, as when their machine goes."""
    executors = [int(pid) for task in Path(f"/proc/{worker}/task").iterdir() for pid in (task / "children").read_text().split()]
    assert executors
    for process in (worker, *executors):
        os.kill(process, signal.SIGKILL)


@pytest.fixture(scope="module")
def runs(gate: Gate, spark4: Spark, tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Run]:
    """An undisturbed run, and one that loses a worker. The cluster is our own: nobody else is to miss the worker."""
    with standalone(spark4, tmp_path_factory.mktemp("cluster")) as cluster:
        undisturbed = Application(gate, spark4, cluster, tmp_path_factory.mktemp("undisturbed")).run(lose_a_worker=False)
        disturbed = Application(gate, spark4, cluster, tmp_path_factory.mktemp("disturbed")).run(lose_a_worker=True)
    logs = disturbed.event_log.parent
    with history_server(spark4, logs, tmp_path_factory.mktemp("history")) as server:
        wait = ("--app", "latest", "--wait")
        disturbed.readings[SERVER_LOGS] = gate.reading(logs, server, *wait)
        disturbed.readings[SERVER_REST] = gate.reading(logs, server, *wait, "--rest")
    return undisturbed, disturbed


def test_the_loss_is_to_be_seen(runs: tuple[Run, Run]) -> None:
    undisturbed, disturbed = runs
    assert [executor["isActive"] for executor in undisturbed.executors] == [True, True, True]
    [lost] = (executor for executor in disturbed.executors if not executor["isActive"])
    assert lost["removeReason"]

    attempts = Counter(stage["id"] for stage in disturbed.stages)
    assert attempts[0] > 1 and attempts[1] > 1, "both stages lose output, and run again"
    assert any(stage["status"] == "FAILED" and stage["failure_reason"] for stage in disturbed.stages)
    failures = {failure["reason"]: failure for attempt in disturbed.second_stage["attempts"] for failure in attempt["failures"]}
    assert {"ExecutorLostFailure", "FetchFailed", "Resubmitted"} <= failures.keys()
    assert failures["ExecutorLostFailure"]["message"] == lost["removeReason"]
    assert failures["ExecutorLostFailure"]["first_executor"] == lost["id"]


def test_the_tasks_that_count_tell_what_an_undisturbed_run_tells(runs: tuple[Run, Run]) -> None:
    undisturbed, disturbed = (sums_by_stage(run.logged) for run in runs)
    assert disturbed.keys() == undisturbed.keys() == {0, 1, 2}
    for stage, sums in undisturbed.items():
        for name, value in sums.items():
            # The order in which rows come from another executor is chance, and how well they compress is with it.
            exact = name == "tasks" or name.endswith("_records") or (stage, name) in {(0, "shuffle_write"), (1, "shuffle_read")}
            assert disturbed[stage][name] == (value if exact else pytest.approx(value, rel=0.02)), (stage, name)
    assert undisturbed[1]["shuffle_read_records"] == 8 * 4000


def sums_by_stage(reading: Reading) -> dict[int, Counter[str]]:
    """Of each stage: the last attempt at each partition, added up."""
    last: dict[tuple[int, int], dict[str, str]] = {}
    for task in sorted(reading.tasks, key=lambda row: int(row["attempt"])):
        last[int(task["stage"]), int(task["partition"])] = task
    sums: dict[int, Counter[str]] = defaultdict(Counter)
    for (stage, _), task in last.items():
        sums[stage]["tasks"] += 1
        for name in (*BYTES, *(f"{kind}_records" for kind in ("input", "output", "shuffle_read", "shuffle_write"))):
            sums[stage][name] += int(task[name])
    return sums


def test_what_is_wasted_is_all_that_tasks_did_without_what_counts(runs: tuple[Run, Run]) -> None:
    for run in runs:
        all_tasks = task_ends(run.event_log)
        assert {(stage["id"], stage["attempt"]) for stage in run.stages} == all_tasks.keys()
        for stage in run.stages:
            counts, wasted = stage["bytes"], stage["wasted"]
            together = {name: (counts[name] or 0) + (wasted[name] or 0) for name in BYTES}
            assert together == all_tasks[stage["id"], stage["attempt"]], (stage["id"], stage["attempt"])
    undisturbed, disturbed = ([sum(stage["wasted"][name] or 0 for stage in run.stages) for name in BYTES] for run in runs)
    assert not any(undisturbed)
    assert any(disturbed)


def task_ends(event_log: Path) -> dict[tuple[int, int], dict[str, int]]:
    """The sums over the ends of all tasks of a stage attempt, whatever became of them."""
    sums: dict[tuple[int, int], dict[str, int]] = defaultdict(lambda: dict.fromkeys(BYTES, 0))
    for line in event_log.read_text().splitlines():
        event = json.loads(line)
        if event["Event"] == "SparkListenerTaskEnd":
            attempt = sums[event["Stage ID"], event["Stage Attempt ID"]]
            for name, keys in BYTES.items():
                attempt[name] += sum(number(event.get("Task Metrics"), key) for key in keys)
    return dict(sums)


def number(metrics: Any, path: tuple[str, ...]) -> int:
    for key in path:
        metrics = (metrics or {}).get(key)
    return metrics or 0


@pytest.mark.parametrize("source", [LIVE_UI, SERVER_LOGS, SERVER_REST])
def test_an_address_tells_what_the_event_log_tells(runs: tuple[Run, Run], source: str) -> None:
    _, disturbed = runs
    assert unexplained(source, disturbed.readings[source], disturbed.logged) == {}


def test_what_only_heartbeats_told_of_a_lost_task_is_not_in_a_report(runs: tuple[Run, Run]) -> None:
    """The live UI keeps it, the event log never had it; that both reports agree is tested above."""
    _, disturbed = runs
    assert any(task["status"] == "FAILED" and has_read(task) for task in disturbed.second_stage_tasks)


def test_the_undisturbed_run_is_told_alike_too(runs: tuple[Run, Run]) -> None:
    undisturbed, _ = runs
    assert unexplained(LIVE_UI, undisturbed.readings[LIVE_UI], undisturbed.logged) == {}


def test_the_line_of_totals_counts_each_partition_once(runs: tuple[Run, Run]) -> None:
    undisturbed, disturbed = (run.total for run in runs)
    assert undisturbed.startswith("total: 3 stages, 24 tasks, input ")
    assert re.match(r"total: 3 stages, 24 tasks, \d+ failed, input ", disturbed), disturbed
