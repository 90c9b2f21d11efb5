"""The same report of an application from its event log, from a history server's logs and from the REST API alone."""

import json
import re
import time
from pathlib import Path

import pytest

import corpus
from event_log import START_MS, Application, Shuffle
from many_tasks import ManyTasks
from project import binary
from recorded_site import LOGS, RecordedSite
from rest_tasks import rest_time
from spark_site import SparkSite, logged, logged_corpus
from web_asking import KIB, report
from web_server import json_answer

MIB = 1024 * KIB

# What the REST API does not have, so that a report through it may have something else there.
NOT_IN_REST = {
    "label": "names plan nodes, which are found through accumulators and scopes of RDDs",
    "fingerprint": "the same",
    "location": "call sites of RDDs",
    "lines": "of a log",
    "malformed_lines": "of a log",
    "unknown_events": "of a log",
    "problems": "speak of the log, or of what the server does not keep",
    "findings": "name stages by their label",
}

# Name, and what it is there for.
APPLICATIONS = {
    "apache-spark/app-20161115172038-0000": "failed tasks",
    "apache-spark/app-20200706201101-0003": "a query, push-based shuffle",
    "apache-spark/application_1614367313143_2793@1125ce5a": "killed tasks",
    "apache-spark/application_1628109047826_1317105": "speculation",
    "apache-spark/local-1422981780767": "a failed stage and no metrics of new versions",
    "apache-spark/local-1422981759269": "skipped stages",
    "apache-spark/local-1426533911241": "one of two attempts",
    "apache-spark/local-1642039451826": "partition ids, queries, skipped stages",
    "kubeflow/skills/cli/e2e/spark-events/local-1776286786993.zstd": "failed and killed tasks, failed jobs, queries, Spark 4.1",
    "rapids-tools/gds_ucx_eventlog.zstd": "hundreds of tasks a stage, skipped stages",
    "revenue/off/eventlog_v2_local-1795979962446": "a rolling log, wide stages",
    "revenue/adaptive-cluster/eventlog_v2_app-20261129193842-0000": "a cluster, adaptive",
}


def is_nothing(value) -> bool:
    """Where a log does not have a metric, the API says 0."""
    return value in (None, 0) or (isinstance(value, dict) and all(part == 0 for part in value.values()))


def differences(one, other, where=""):
    """Where two reports differ, but for what REST cannot have."""
    if is_nothing(one) and is_nothing(other):
        return
    if isinstance(one, dict) and isinstance(other, dict):
        for name in one.keys() | other.keys():
            if name not in NOT_IN_REST:
                yield from differences(one.get(name), other.get(name), f"{where}.{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (mine, theirs) in enumerate(zip(one, other)):
            yield from differences(mine, theirs, f"{where}[{number}]")
    elif one != other:
        yield f"{where}: {one!r} from the log, {other!r} from the API"


@corpus.needs_corpus
@pytest.mark.parametrize("name", APPLICATIONS)
def test_logs_and_rest_and_the_file_say_the_same(project, serve, name):
    server = serve(SparkSite([logged_corpus(name)]))
    from_file = report(project, corpus.log_path(name))
    assert report(project, server.url) == from_file
    assert not server.asked("taskList")
    found = list(differences(from_file, report(project, server.url, "--rest")))
    assert not found, "\n".join(found)


BYTES = {"input": "input_bytes", "output": "output_bytes", "shuffle_read": "shuffle_read_bytes", "shuffle_write": "shuffle_write_bytes"}
BYTES |= {"memory_spill": "memory_spill_bytes", "disk_spill": "disk_spill_bytes"}
RECORDS = {name: f"{name}_records" for name in ("input", "output", "shuffle_read", "shuffle_write")}


def expected_stage(answer: dict) -> dict:
    """The stage in the report's terms, out of what the independent reader says."""
    sums, all_sums = answer["sums_success"], answer["sums_all"]
    distributions = {"shuffle_read": "shuffle_read_bytes", "input": "input_bytes", "duration_ms": "duration_ms"}
    return {
        "id": answer["stage_id"],
        "attempt": answer["attempt"],
        "name": answer["name"],
        "status": answer["status"],
        "failure_reason": answer["failure_reason"],
        "jobs": sorted(answer["job_ids"]),
        "group": answer["job_group"],
        "description": answer["job_description"],
        "sql_execution": answer["sql_execution_id"],
        "tasks": {
            "declared": answer["num_tasks"],
            "succeeded": answer["tasks"]["success_indices"],
            "failed": answer["tasks"]["failed"],
            "killed": answer["tasks"]["killed"],
            "speculative": answer["tasks"]["speculative_started"],
        },
        "bytes": {name: sums[theirs] for name, theirs in BYTES.items()},
        "records": {name: sums[theirs] for name, theirs in RECORDS.items()},
        "wasted": {name: all_sums[theirs] - sums[theirs] for name, theirs in BYTES.items()},
        "distribution": {name: answer["dist"][theirs]["linear"] for name, theirs in distributions.items()},
    }


def first_line_of_failure(stage: dict) -> dict:
    """The answers hold that much of it."""
    return stage | {"failure_reason": stage["failure_reason"] and stage["failure_reason"].splitlines()[0]}


@corpus.needs_corpus
@pytest.mark.parametrize("version", ["spark-3.5", "spark-5.0-snapshot"])
def test_what_spark_itself_answered_gives_the_numbers_of_the_log(project, serve, version):
    site = RecordedSite(version, list(LOGS))
    server = serve(site)
    started = {
        application: project.start("report", server.url, "--rest", "--app", application, "--format", "json") for application in LOGS
    }
    for application, process in started.items():
        outcome = process.wait()
        assert outcome.code == 0, outcome.output
        read, answer = json.loads(outcome.stdout), corpus.answer(LOGS[application])
        assert (read["application"]["name"], read["application"]["start_ms"]) == (answer["app"]["name"], answer["app"]["start_ms"])
        ran = [stage for stage in answer["stages"] if stage["status"] != "SKIPPED"]
        read_stages = [first_line_of_failure(stage) for stage in read["stages"] if stage["status"] != "SKIPPED"]
        found = list(differences([expected_stage(stage) for stage in ran], read_stages))
        assert not found, "\n".join([application, *found])
    assert site.from_record >= 2 * len(LOGS), "Spark's own answers were asked for"


def query(number: int) -> dict:
    texts = {"status": "COMPLETED", "description": f"query {number}", "planDescription": "== Physical Plan ==\nRange (1)"}
    jobs = {"runningJobIds": [], "successJobIds": [number], "failedJobIds": []}
    return {"id": number, **texts, "submissionTime": rest_time(START_MS), "duration": 10, **jobs, "nodes": [], "edges": []}


def test_queries_come_in_pages(project, serve):
    """Up to Spark 4.1 a server gives 20 of them where no number is asked for."""
    own = SparkSite([logged(Application([Shuffle(f"work {number}", [KIB]) for number in range(45)]))], live=True)

    def site(request):
        if not request.path.endswith("/sql"):
            return own(request)
        offset = request.number("offset", 0)
        return json_answer([query(number) for number in range(45)][offset : offset + request.number("length", 20)])

    read = report(project, serve(site).url)
    assert [job["sql_execution"] for job in read["jobs"]] == list(range(45))


def is_sanitized() -> bool:
    return b"__asan_init" in Path(binary()).read_bytes()


def watch_memory(started) -> int:
    """The most that the process held. What wait4() says counts the test's own process too, from which it was forked."""
    status = Path(f"/proc/{started.process.pid}/status")
    most = 0
    while (held := re.search(r"VmHWM:\s*(\d+) kB", status.read_text(encoding="utf-8"))) is not None:  # until it has ended
        most = int(held[1]) * KIB
        time.sleep(0.002)
    return most


def test_a_hundred_thousand_tasks_come_in_pages_and_need_little_memory(project, serve):
    site = ManyTasks(100_000)
    server = serve(site)
    started = project.start("report", server.url, "--format", "json")
    most_bytes = watch_memory(started)
    outcome = started.wait()
    assert outcome.code == 0, outcome.output
    [stage] = json.loads(outcome.stdout)["stages"]
    assert stage["tasks"]["succeeded"] == 100_000
    assert stage["bytes"]["shuffle_read"] == site.read_bytes()
    reads = sorted(1000 + site.remote_bytes(index) for index in range(100_000))
    assert stage["distribution"]["shuffle_read"]["max"] == reads[-1]
    assert stage["distribution"]["shuffle_read"]["median"] == (reads[49_999] + reads[50_000]) / 2
    pages = server.asked("taskList")
    assert 10 <= len(pages) <= 1001, "neither all at once nor task by task"
    if not is_sanitized():
        assert 5 * MIB < most_bytes < 100 * MIB
