"""What Spark itself says of a running application: the two first rules worked out from its live REST API, in plain Python.

    live_answers.py http://127.0.0.1:4040 > answers.json

Shares nothing with stagegate: other source, other language, other arithmetic. The tests hold `stagegate report` of the
event log of the same run against it.

The sums are over tasks, not the ones that Spark shows for a stage: those count failed tasks too.
"""
from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Iterator
from typing import Any

from processes import PATIENCE_S
from rest_api import ask

SKEW_FACTOR = 5
SMALL_TASKS_PER_CORE = 2
SMALL_TASK_BYTES = 1 << 20
PAGE = 100  # tasks a request

Json = dict[str, Any]

# The report's names, and where a task of the REST API has them.
BYTES = {
    "input": ("inputMetrics", "bytesRead"),
    "output": ("outputMetrics", "bytesWritten"),
    "shuffle_write": ("shuffleWriteMetrics", "bytesWritten"),
    "memory_spill": ("memoryBytesSpilled",),
    "disk_spill": ("diskBytesSpilled",),
}
RECORDS = {
    "input": ("inputMetrics", "recordsRead"),
    "output": ("outputMetrics", "recordsWritten"),
    "shuffle_read": ("shuffleReadMetrics", "recordsRead"),
    "shuffle_write": ("shuffleWriteMetrics", "recordsWritten"),
}


class LiveApi:
    """The REST API of one application, at the address of its UI."""

    def __init__(self, ui: str) -> None:
        root = f"{ui.rstrip('/')}/api/v1/applications"
        [application] = ask(root)
        self.root = f"{root}/{application['id']}"

    def stages(self) -> list[Json]:
        return ask(f"{self.root}/stages?details=false")

    def tasks(self, stage: int, attempt: int) -> Iterator[Json]:
        offset = 0
        while page := ask(f"{self.root}/stages/{stage}/{attempt}/taskList?offset={offset}&length={PAGE}"):
            yield from page
            offset += len(page)

    def cores(self) -> int:
        """What `defaultParallelism` is: the property, else the cores that are there, on a cluster at least 2."""
        properties = dict(ask(f"{self.root}/environment")["sparkProperties"])
        if "spark.default.parallelism" in properties:
            return int(properties["spark.default.parallelism"])
        cores = sum(executor["totalCores"] for executor in ask(f"{self.root}/executors"))
        return cores if properties["spark.master"].startswith("local") else max(cores, 2)


def number(task: Json, path: tuple[str, ...]) -> int:
    value = task["taskMetrics"]
    for key in path:
        value = value[key]
    return value


def shuffle_read(task: Json) -> int:
    metrics = task["taskMetrics"]["shuffleReadMetrics"]
    return metrics["remoteBytesRead"] + metrics["localBytesRead"]


def winners(tasks: list[Json]) -> list[Json]:
    """The successful tasks, one for each partition: the one that ended last."""
    by_partition: dict[int, Json] = {}
    for task in sorted((t for t in tasks if t["status"] == "SUCCESS"), key=lambda t: (t["launchTime"], t["duration"])):
        by_partition[task["partitionId"]] = task
    return list(by_partition.values())


def findings(reads: list[int], cores: int) -> list[str]:
    if not reads:
        return []
    median = statistics.median(reads)
    if median > 0 and max(reads) > SKEW_FACTOR * median:
        return ["skew"]
    if len(reads) > SMALL_TASKS_PER_CORE * cores and 0 < sum(reads) < SMALL_TASK_BYTES * len(reads):
        return ["small-tasks"]
    return []


def describe(stage: Json, tasks: list[Json], cores: int) -> Json:
    won = winners(tasks)
    reads = [shuffle_read(task) for task in won]
    sizes = {name: sum(number(task, path) for task in won) for name, path in BYTES.items()}
    return {
        "id": stage["stageId"],
        "attempt": stage["attemptId"],
        "status": stage["status"],
        "tasks": len(won),
        "bytes": {**sizes, "shuffle_read": sum(reads)},
        "records": {name: sum(number(task, path) for task in won) for name, path in RECORDS.items()},
        "shuffle_read_median": statistics.median(reads) if reads else None,
        "shuffle_read_max": max(reads, default=None),
        "findings": findings(reads, cores),
    }


def read_once(api: LiveApi) -> Json:
    cores = api.cores()
    stages = []
    for stage in sorted(api.stages(), key=lambda s: (s["stageId"], s["attemptId"])):
        # A skipped stage has no tasks, and asking for them is an error in some versions.
        ran = stage["status"] not in ("SKIPPED", "PENDING")
        tasks = list(api.tasks(stage["stageId"], stage["attemptId"])) if ran else []
        stages.append(describe(stage, tasks, cores))
    return {"cores": cores, "stages": stages}


def is_settled(answers: Json, again: Json) -> bool:
    """Spark's listeners run behind the work: wait until no stage is active and a second look sees the same."""
    return answers == again and all(stage["status"] not in ("ACTIVE", "PENDING") for stage in answers["stages"])


def live_answers(ui: str) -> Json:
    api = LiveApi(ui)
    deadline = time.monotonic() + PATIENCE_S
    answers = read_once(api)
    while time.monotonic() < deadline:
        time.sleep(0.5)
        again = read_once(api)
        if is_settled(answers, again):
            return again
        answers = again
    raise TimeoutError(f"{ui}: stages are still changing after {PATIENCE_S} s")


if __name__ == "__main__":
    print(json.dumps(live_answers(sys.argv[1]), indent=2))
