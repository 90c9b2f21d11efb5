"""`check` of an address judges what a file would be judged by; a history server that is not so far yet is waited for."""

import time

import pytest

from event_log import event_log_text, write_event_log
from spark_site import Logged, SparkSite, logged, logged_text
from rest_answers import RestAnswers
from web_asking import app_of, application
from web_server import from_moment
from work_flow import FILE, NAME, TEN_TIMES


def running(number: int, lines: int | None = None) -> Logged:
    """The application as its UI shows it before its end, or after so many events."""
    text = event_log_text(application(number)).splitlines()
    return Logged(RestAnswers(text[: -1 if lines is None else lines]), {})


def kept_log(repository) -> str:
    """The event log that a run of the job left, which has the skew of TEN_TIMES."""
    repository.run()
    repository.accept()
    [log] = [path for path in (repository.report_dir / "runs").rglob("eventlog/*") if path.is_file()]
    return log.read_text(encoding="utf-8")


JOB = ["--job", "revenue", "--variant", "default"]


def judged(outcome) -> dict:
    entry = outcome.variant(NAME)
    return {"code": outcome.code, "state": entry["state"]} | {
        finding["rule"]: (finding["state"], finding["value"]) for finding in entry["findings"]
    }


@pytest.mark.parametrize("how", [[], ["--rest"]], ids=["logs", "rest"])
def test_check_judges_a_finished_application_like_its_file(repository, serve, how):
    text = kept_log(repository)
    log = repository.write("kept.log", text)
    of_file = judged(repository.stagegate("check", str(log), *JOB))
    assert of_file["code"] == 0 and of_file["skew"] == ("known", 10)
    server = serve(SparkSite([logged_text(text)]))
    assert judged(repository.stagegate("check", server.url, *JOB, *how)) == of_file


def test_check_without_a_baseline_is_5_like_that_of_a_file(repository, serve):
    text = kept_log(repository)
    (repository.root / FILE).unlink()
    assert repository.stagegate("check", str(repository.write("kept.log", text)), *JOB).code == 5
    assert repository.stagegate("check", serve(SparkSite([logged_text(text)])).url, *JOB).code == 5


@pytest.mark.parametrize("live", [True, False], ids=["live UI", "history server"])
def test_check_of_a_running_application_is_3(repository, serve, live):
    repository.one_job(TEN_TIMES)
    server = serve(SparkSite([running(1)], live=live))
    outcome = repository.stagegate("check", server.url, *JOB)
    assert outcome.code == 3
    assert outcome.state(NAME) == "no-evidence"
    assert "log-in-progress" in outcome.output and "running" in outcome.output


def test_check_of_a_server_that_is_not_there_is_3(repository, serve):
    repository.one_job(TEN_TIMES)
    server = serve(SparkSite([]))
    server.stop()
    outcome = repository.stagegate("check", server.url, *JOB)
    assert outcome.code == 3
    assert "refused" in outcome.output or "nothing listens" in outcome.output


def test_check_of_several_applications_wants_a_name(repository, serve):
    repository.one_job(TEN_TIMES)
    outcome = repository.stagegate("check", serve(SparkSite([logged(application(1)), logged(application(2))])).url, *JOB)
    assert outcome.code == 2
    assert "local-1" in outcome.stderr and "--app" in outcome.stderr


@pytest.mark.parametrize("lines", [None, 7, 12, 18, 27])
def test_the_report_of_a_running_application_says_so(project, serve, lines):
    server = serve(SparkSite([running(1, lines)], live=True))
    outcome = project.stagegate("report", server.url)
    assert outcome.code == 0, outcome.output
    assert "incomplete" in outcome.stderr and "log-in-progress" in outcome.stderr


# --wait


def waited(project, address: str, *arguments):
    began = time.monotonic()
    found = app_of(project, address, *arguments)
    return found, time.monotonic() - began


@pytest.mark.parametrize("page", ["", "/history/local-1/jobs/"])
def test_an_application_that_comes_is_waited_for(project, serve, page):
    server = serve(from_moment(SparkSite([]), SparkSite([logged(application(1))]), 1.5))
    found, seconds = waited(project, server.url + page, "--wait")
    assert found == "local-1" and 1.4 < seconds < 15


def test_a_named_application_is_waited_for_beside_others(project, serve):
    early = SparkSite([logged(application(2))])
    server = serve(from_moment(early, SparkSite([logged(application(1)), logged(application(2))]), 0.5))
    found, seconds = waited(project, server.url, "--app", "local-1", "--wait=20s")
    assert found == "local-1" and seconds > 0.4


def test_an_application_that_runs_is_waited_for_until_its_end(project, serve):
    ended = SparkSite([logged(application(1))])
    server = serve(from_moment(SparkSite([running(1)]), ended, 0.5))
    outcome = project.stagegate("report", server.url, "--wait=20s", "--format", "json")
    assert outcome.code == 0, outcome.output
    assert "incomplete" not in outcome.stderr and outcome.seconds > 0.4


def test_check_waits_as_well(repository, serve):
    text = kept_log(repository)
    server = serve(from_moment(SparkSite([]), SparkSite([logged_text(text)]), 0.5))
    outcome = repository.stagegate("check", server.url, *JOB, "--wait=20s")
    assert outcome.code == 0, outcome.output


def test_waiting_has_an_end(project, serve):
    outcome = project.stagegate("report", serve(SparkSite([])).url, "--wait=1s")
    assert outcome.code == 3 and outcome.stdout == ""
    assert 0.9 < outcome.seconds < 15
    outcome = project.stagegate("report", serve(SparkSite([running(1)])).url, "--wait=1s")
    assert outcome.code == 0 and "log-in-progress" in outcome.stderr, "it is shown as far as it is"


def test_without_wait_nobody_waits(project, serve):
    outcome = project.stagegate("report", serve(SparkSite([])).url)
    assert outcome.code == 3 and outcome.seconds < 10
    assert "--wait" in outcome.stderr, "that there is such a thing is said where it would help"


def test_a_log_that_is_on_disk_is_not_waited_for(project, tmp_path):
    log = write_event_log(tmp_path, application(1))
    outcome = project.stagegate("report", str(log), "--rest")
    assert outcome.code in (0, 2), outcome.output
