"""What a server has forgotten is not taken for what there was: it keeps so many jobs, stages and tasks, and the oldest go first."""

import json

import pytest

from event_log import Application, Shuffle
from spark_site import SparkSite, logged
from web_asking import KIB
from web_server import Answer, altered, json_answer
from work_flow import TEN_TIMES

JOB = ["--job", "revenue", "--variant", "default"]


def history() -> SparkSite:
    shuffles = [Shuffle(f"work {number}", [8 * KIB] * 50) for number in (1, 2, 3)]
    return SparkSite([logged(Application(shuffles=shuffles))])


def without(keep):
    """An answer without the rows that KEEP does not keep."""

    def change(answer: Answer) -> Answer:
        return json_answer([row for row in json.loads(answer.body) if keep(row)])

    return change


FORGOTTEN = {
    "a stage": altered(history(), "/stages?", without(lambda row: row["stageId"] != 0)),
    "all stages": altered(history(), "/stages?", without(lambda row: False)),
    "the oldest tasks": altered(history(), "/stages/1/0/taskList", without(lambda row: row["index"] > 6)),
    "one task": altered(history(), "/stages/1/0/taskList", without(lambda row: row["index"] != 49)),
    "all tasks of a stage": altered(history(), "/stages/3/0/taskList", without(lambda row: False)),
}


@pytest.mark.parametrize("site", FORGOTTEN.values(), ids=FORGOTTEN)
def test_it_is_said(project, serve, site):
    outcome = project.stagegate("report", serve(site).url, "--rest", "--format", "json")
    assert outcome.code == 0, outcome.output
    evidence = json.loads(outcome.stdout)["evidence"]
    assert evidence["complete"] is False and evidence["problems"]
    assert "incomplete" in outcome.stderr


@pytest.mark.parametrize("site", FORGOTTEN.values(), ids=FORGOTTEN)
def test_it_is_not_judged(repository, serve, site):
    repository.one_job(TEN_TIMES)
    outcome = repository.stagegate("check", serve(site).url, "--rest", *JOB)
    assert outcome.code == 3, outcome.output


def test_the_oldest_jobs_may_be_gone_while_their_stages_are_there(project, serve):
    """Each has a limit of its own."""
    site = altered(history(), "/jobs", without(lambda row: row["jobId"] != 0))
    outcome = project.stagegate("report", serve(site).url, "--rest", "--format", "json")
    assert outcome.code == 0, outcome.output
    read = json.loads(outcome.stdout)
    assert [stage["id"] for stage in read["stages"]] == [0, 1, 2, 3, 4, 5]
    assert read["stages"][1]["bytes"]["shuffle_read"] == 400 * KIB


def test_the_log_has_it_all(project, serve):
    server = serve(FORGOTTEN["a stage"])
    outcome = project.stagegate("report", server.url, "--format", "json")
    assert outcome.code == 0 and json.loads(outcome.stdout)["evidence"]["complete"] is True
