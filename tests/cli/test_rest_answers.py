"""The REST answers that these tests make out of an event log are those that Spark's own history server gave for it."""

import re

import pytest

import corpus
from recorded_site import LOGS
from rest_answers import RestAnswers

pytestmark = corpus.needs_corpus

VERSIONS = ["spark-3.5", "spark-5.0-snapshot"]
# What Spark 3.5 read under other names than Spark itself wrote them (SPARK-43100), so its history server shows zeros.
PUSHED = re.compile("merged", re.IGNORECASE)


def answers(application: str) -> RestAnswers:
    return RestAnswers(corpus.lines(LOGS[application]))


def found(version: str, pattern: str):
    """(application, the groups of PATTERN behind it, what Spark answered) of the addresses below an application that fit."""
    for address, answer in corpus.recorded(version).items():
        match = re.fullmatch(r"applications/((?:[^/?]+)(?:/\d+)?)/" + pattern, address)
        if match:
            yield match[1], match.groups()[1:], answer


def agree(mine, theirs, where: str, with_push: bool):
    """Every member that ours has must be theirs; what is only in theirs is not asked for."""
    if isinstance(mine, dict) and isinstance(theirs, dict):
        for name, value in mine.items():
            if with_push or not PUSHED.search(name):
                assert name in theirs, f"{where}: Spark has no {name}"
                agree(value, theirs[name], f"{where}.{name}", with_push)
    elif isinstance(mine, list) and isinstance(theirs, list):
        assert len(mine) == len(theirs), where
        for number, (own, other) in enumerate(zip(mine, theirs)):
            agree(own, other, f"{where}[{number}]", with_push)
    else:
        assert mine == theirs, where


def agree_in_all(pairs, version: str):
    count = 0
    for where, mine, theirs in pairs:
        agree(mine, theirs, where, version != "spark-3.5")
        count += 1
    assert count, "nothing was compared"


@pytest.mark.parametrize("version", VERSIONS)
def test_jobs(version):
    agree_in_all(((application, answers(application).jobs(), theirs) for application, _, theirs in found(version, "jobs")), version)


@pytest.mark.parametrize("version", VERSIONS)
def test_stages(version):
    agree_in_all(((application, answers(application).stages(), theirs) for application, _, theirs in found(version, "stages")), version)


@pytest.mark.parametrize("version", VERSIONS)
def test_stage_attempts_and_their_tasks(version):
    def pairs():
        for application, (stage, attempt), theirs in found(version, r"stages/(\d+)/(\d+)"):
            own = answers(application)
            [mine] = [s for s in own.stages() if (s["stageId"], s["attemptId"]) == (int(stage), int(attempt))]
            yield application, mine, theirs
            rows = {str(task["taskId"]): task for task in own.task_list(int(stage), int(attempt))}
            yield f"{application} tasks", rows, theirs["tasks"]
            assert len(rows) == len(theirs["tasks"])

    agree_in_all(pairs(), version)


@pytest.mark.parametrize("version", VERSIONS)
def test_task_lists(version):
    def pairs():
        for application, (stage, attempt, offset, length), theirs in found(
            version, r"stages/(\d+)/(\d+)/taskList(?:\?offset=(\d+)&length=(\d+))?"
        ):
            rows = answers(application).task_list(int(stage), int(attempt))
            begin = int(offset or 0)
            yield application, rows[begin : begin + int(length or 20)], theirs

    agree_in_all(pairs(), version)


@pytest.mark.parametrize("version", VERSIONS)
def test_executors(version):
    def pairs():
        for application, _, theirs in found(version, "executors"):
            mine = {executor["id"]: executor for executor in answers(application).allexecutors() if executor["isActive"]}
            yield application, mine, {executor["id"]: executor for executor in theirs}

    agree_in_all(pairs(), version)


@pytest.mark.parametrize("version", VERSIONS)
def test_environments(version):
    def pairs():
        for application, _, theirs in found(version, "environment"):
            yield application, answers(application).environment(), theirs

    agree_in_all(pairs(), version)


def test_applications():
    theirs = {app["id"]: app for app in corpus.recorded("spark-5.0-snapshot")["applications"]}
    for application in LOGS:
        own = answers(application)
        [info] = [a for a in theirs[own.id]["attempts"] if a.get("attemptId") == own.attempt]
        mine = own.attempt_info()
        for name in ("lastUpdated", "lastUpdatedEpoch"):  # left out of what was recorded
            del mine[name]
        assert own.name == theirs[own.id]["name"]
        assert mine == {name: info[name] for name in mine}, application
