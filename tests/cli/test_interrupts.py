"""SIGINT and SIGTERM: the children end, the reports are written and whole, and the exit code says which signal it was."""

import signal
import time

import pytest

from project import CALM, fake_job, toml, wait_until_gone

CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}
WORDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}


def sleeping_project(project, *arguments):
    project.manifest(f"""
        [jobs.revenue]
        command = {fake_job(CALM, "--sleep", "100", "--mark", "started", *arguments)}
        [variants.first]
        [variants.second]
    """)


def pids(started, project):
    return [int(word) for word in started.wait_for_file(project.root / "pids").split()]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_children_end_and_the_reports_are_whole(project, number):
    sleeping_project(project)
    started = project.start("run")
    children = pids(started, project)
    started.send(number)
    outcome = started.wait()
    assert outcome.code == CODES[number]
    assert outcome.seconds < 10
    wait_until_gone(children)
    assert outcome.verdict["verdict"] == WORDS[number]
    assert outcome.verdict["interrupted"] is True
    assert outcome.state("revenue/first") == "interrupted"
    assert outcome.state("revenue/second") == "not-started"
    assert (project.root / "started").read_text() == "started\n", "the second one was not started"
    assert outcome.junit.get("errors") == "2"
    assert "not started" in outcome.suite("revenue/second").find("testcase/error").get("message")
    assert "stagegate run" in outcome.stdout, "how to go on"


def test_side_by_side_all_children_end(project):
    project.manifest(f"""
        [jobs.a]
        command = {fake_job(CALM, "--sleep", "100", "--pids", "pids-a")}
        [jobs.b]
        command = {fake_job(CALM, "--sleep", "100", "--pids", "pids-b")}
    """)
    started = project.start("run", "--jobs", "2")
    children = [int(word) for name in ("pids-a", "pids-b") for word in started.wait_for_file(project.root / name).split()]
    started.send(signal.SIGTERM)
    outcome = started.wait()
    assert outcome.code == 143
    wait_until_gone(children)
    assert [outcome.state("a/default"), outcome.state("b/default")] == ["interrupted", "interrupted"]


def test_what_was_judged_before_keeps_its_verdict(project):
    project.manifest(f"""
        [baseline]
        use = false
        [jobs.quick]
        command = {fake_job(CALM)}
        [jobs.slow]
        command = {fake_job(CALM, "--sleep", "100")}
    """)
    started = project.start("run")
    children = pids(started, project)
    started.send(signal.SIGINT)
    outcome = started.wait()
    assert outcome.code == 130
    wait_until_gone(children)
    assert outcome.state("quick/default") == "judged"
    assert outcome.state("slow/default") == "interrupted"


def test_a_job_that_ignores_the_signal_is_killed(project):
    sleeping_project(project, "--ignore-term")
    started = project.start("run")
    children = pids(started, project)
    started.send(signal.SIGINT)
    outcome = started.wait()
    assert outcome.code == 130
    assert outcome.seconds < 20
    wait_until_gone(children)
    assert outcome.state("revenue/first") == "interrupted"


def test_a_second_signal_ends_it_at_once(project):
    sleeping_project(project, "--ignore-term")
    started = project.start("run")
    children = pids(started, project)
    started.send(signal.SIGINT)
    time.sleep(0.5)
    started.send(signal.SIGINT)
    outcome = started.wait(own_reports=False)
    assert outcome.code == 130
    assert outcome.seconds < 4
    wait_until_gone(children)


def test_a_job_that_ends_well_on_the_signal_has_not_passed(project):
    """A driver that is told to end leaves a log that looks finished, and may even return 0."""
    project.write("jobs/polite.sh", "trap 'exit 0' TERM INT\npython3 jobs/fake_job.py \"$1\"\necho $$ > pids\nsleep 100 & wait\n")
    command = toml(["/bin/sh", "jobs/polite.sh", CALM])
    project.write("stagegate.toml", f"[baseline]\nuse = false\n[jobs.revenue]\ncommand = {command}\n")
    started = project.start("run")
    children = pids(started, project)
    started.send(signal.SIGTERM)
    outcome = started.wait()
    assert outcome.code == 143
    wait_until_gone(children)
    assert outcome.state("revenue/default") == "interrupted"


def test_an_interrupted_run_leaves_nothing_to_accept(project):
    sleeping_project(project)
    started = project.start("run")
    children = pids(started, project)
    started.send(signal.SIGINT)
    started.wait()
    wait_until_gone(children)
    outcome = project.stagegate("baseline", "accept")
    assert outcome.code == 4
    assert not project.baselines.exists()
