"""`report --watch` of a live UI, and what is interrupted while a server is asked."""

import signal
import threading

import pytest

from event_log import event_log_text
from rest_answers import RestAnswers
from spark_site import Logged, SparkSite, logged
from terminal import terminal
from web_asking import application
from web_server import altered, from_moment

EVENTS = event_log_text(application(1)).splitlines()


def running(events: int) -> SparkSite:
    return SparkSite([Logged(RestAnswers(EVENTS[:events]), {})], live=True)


ENDED = SparkSite([logged(application(1))], live=True)


def test_each_state_is_shown_once_until_the_application_has_ended(project, serve):
    server = serve(from_moment(running(17), ENDED, 0.5))
    outcome = project.stagegate("report", server.url, "--watch")
    assert outcome.code == 0, outcome.output
    assert outcome.stdout.count("app 1 (local-1)") == 2, "before and after"
    assert "complete" in outcome.stdout.rsplit("app 1 (local-1)", 1)[1]
    assert outcome.seconds < 10


def test_a_small_window_shows_the_beginning_and_the_end(project, serve, tmp_path):
    server = serve(from_moment(running(17), ENDED, 3))
    with terminal(project, "report", server.url, "--watch", width=100, height=10) as window:
        screen = window.wait("read at")
        assert screen.startswith("app 1 (local-1)"), screen
        assert "for which the window is too small" in screen
        assert "Ctrl-C ends the watch" in screen
        last = window.end(0)
    assert "too small" not in last and "Ctrl-C" not in last


def test_a_ui_that_goes_away_is_the_end(project, serve):
    """As the UI of each application does, when its SparkContext is stopped."""
    server = serve(running(17))
    started = project.start("report", server.url, "--watch")
    server.wait_for_request()
    threading.Timer(0.5, server.stop).start()
    outcome = started.wait()
    assert outcome.code == 0, outcome.output
    assert "app 1 (local-1)" in outcome.stdout and "ended" in outcome.stderr
    assert outcome.seconds < 10


def test_nothing_is_watched_where_nothing_was_there(project, serve):
    server = serve(ENDED)
    server.stop()
    outcome = project.stagegate("report", server.url, "--watch")
    assert outcome.code == 3 and outcome.stdout == ""


@pytest.mark.parametrize("more", [["--format", "json"], ["--stage", "1"], ["--all-apps"]])
def test_watching_is_for_one_report_as_text(project, serve, more):
    assert project.stagegate("report", serve(ENDED).url, "--watch", *more).code == 2


def test_a_log_is_not_watched(project):
    assert project.stagegate("report", str(project.write("log", "\n".join(EVENTS))), "--watch").code == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("more", [[], ["--watch"]], ids=["a hanging request", "a watch"])
def test_an_interrupt_ends_it_at_once(project, serve, number, more):
    site = running(17) if more else altered(ENDED, "/jobs", lambda answer: answer.but(delay_s=30))
    server = serve(site)
    started = project.start("report", server.url, *more)
    while not server.asked("/jobs"):
        server.wait_for_request()
    started.send(number)
    started.process.wait(timeout=5)
    assert started.process.returncode in (-number, 128 + number)
