"""Baseline files that cannot be used: the message has the place and what to do, and nothing passes."""

import json

import pytest

from project import CALM, SKEWED, fake_job

FILE = "baselines/revenue/default.json"
NAME = "revenue/default"


def broken(project, content):
    """Runs against a baseline with this content; returns the message."""
    project.write(FILE, content)
    outcome = project.run()
    assert outcome.code == 2
    assert outcome.state(NAME) == "baseline-broken"
    reason = outcome.variant(NAME)["reason"]
    assert FILE in reason
    assert outcome.cases(NAME, "error")
    assert reason.splitlines()[0] in outcome.stdout
    assert (project.root / FILE).read_bytes() == (content if isinstance(content, bytes) else content.encode()), "a run changes no baseline"
    validated = project.stagegate("validate")
    assert validated.code == 2
    assert reason in validated.stderr
    return reason


@pytest.fixture
def accepted(project):
    project.accepted(CALM)
    return (project.root / FILE).read_text(encoding="utf-8")


def conflicted(text):
    lines = text.splitlines(keepends=True)
    return "".join([lines[0], "<<<<<<< HEAD\n", lines[1], "=======\n", lines[1].replace("1", "2"), ">>>>>>> feature\n", *lines[2:]])


def test_not_json(project, accepted):
    reason = broken(project, accepted[: len(accepted) // 2])
    assert "JSON" in reason
    line = accepted[: len(accepted) // 2].count("\n") + 1
    assert f"{FILE}:{line}" in reason


@pytest.mark.parametrize("content", ["", "null", "[]", "{}", "7", b"\x00\xff", "{\n  \"a\": 1\n}\n", "[" * 100_000])
def test_something_else_in_its_place(project, accepted, content):
    broken(project, content)


def test_a_schema_that_is_newer(project, accepted):
    document = json.loads(accepted)
    schema = document["schema"]
    newer = accepted.replace(json.dumps(schema), json.dumps("stagegate.baseline/99"))
    assert newer != accepted
    reason = broken(project, newer)
    assert "99" in reason and "newer" in reason


def test_of_another_job(project):
    project.fake_jobs(revenue=CALM, returns=CALM)
    project.run()
    project.accept()
    project.write(FILE, (project.baselines / "returns/default.json").read_bytes())
    outcome = project.run()
    assert outcome.code == 2
    assert outcome.state(NAME) == "baseline-broken"
    assert "returns" in outcome.variant(NAME)["reason"]
    assert outcome.state("returns/default") == "judged"


def test_a_number_that_is_a_text(project, accepted):
    stage = json.loads(accepted)["stages"][0]
    text = accepted.replace(f'"tasks": {stage["tasks"]}', '"tasks": "many"')
    assert text != accepted
    assert "tasks" in broken(project, text)


def test_merge_conflict_markers(project, accepted):
    reason = broken(project, conflicted(accepted))
    assert f"{FILE}:2" in reason
    assert "conflict" in reason
    assert "stagegate" in reason, "what to type"


def test_a_conflict_can_be_left_by_accepting_again(project, accepted):
    """Both sides of a conflict were measured; what holds after the merge is what a run of the merged code says."""
    project.write(FILE, conflicted(accepted))
    assert project.run().code == 2
    project.accept()
    assert (project.root / FILE).read_text() == accepted
    assert project.run().code == 0


def test_a_folder_in_its_place(project):
    project.one_job(CALM)
    (project.root / FILE).mkdir(parents=True)
    outcome = project.run()
    assert outcome.code in (2, 5)
    assert project.stagegate("baseline", "accept").code != 0


def test_a_broken_one_does_not_keep_the_others_from_their_verdict(project):
    manifest = f"""
        [jobs.revenue]
        command = {fake_job(CALM)}
        [jobs.returns]
        command = {fake_job(SKEWED)}
    """
    project.manifest(manifest)
    project.run()
    project.accept()
    project.write(FILE, "{")
    outcome = project.run()
    assert outcome.code == 2
    assert outcome.state("returns/default") == "judged"
    assert outcome.finding("returns/default", "skew")["state"] == "known"


def test_one_that_belongs_to_no_job_is_named(project):
    project.accepted(CALM)
    project.write("baselines/gone/default.json", (project.root / FILE).read_bytes())
    outcome = project.run()
    assert outcome.code == 0
    assert any("baselines/gone/default.json" in notice for notice in outcome.verdict["notices"])
    validated = project.stagegate("validate")
    assert validated.code == 5
    assert "baselines/gone/default.json" in validated.stderr
