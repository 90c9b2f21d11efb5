"""One run, told of by its live UI, its event log and a history server: the reports agree, but for a short table of fields."""
from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from differences import DIFFERENCES, EVENT_LOG, LIVE_UI, SERVER_LOGS, SERVER_REST, Json, allowed, differing, table_in, unexplained
from gate import Gate, Reading, environment
from holding import say
from live_answers import live_answers
from installed import ROOT
from processes import PATIENCE_S, running, wait_for, wait_until
from sparks import Spark, history_server
from terminal import Terminal, terminal

SOURCES = (EVENT_LOG, LIVE_UI, SERVER_LOGS, SERVER_REST)
ADDRESSES = SOURCES[1:]
NAME = "a bit of everything"
LAST_STAGE = "collect at varied.py"

PROPERTIES = {
    "spark.master": "local[4,2]",  # a task may fail once
    "spark.ui.port": "0",
    "spark.eventLog.enabled": "true",
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.shuffle.partitions": "30",
    "spark.sql.adaptive.enabled": "false",
}


@dataclass
class Told:
    """What was said of one run, and how it was said."""

    readings: dict[str, Reading] = field(default_factory=dict)
    too_early: str = ""  # by the history server, on stderr
    waited: Json = field(default_factory=dict)
    # Of the live UI, as text: when half of the job was done, and when all was.
    halfway: str = ""
    whole: str = ""
    checked: str = ""  # what `check` said of the application that runs
    watched: str = ""
    watch_messages: str = ""
    watch_code: int | None = None
    screens: list[str] = field(default_factory=list)

    def report(self, source: str) -> Json:
        return self.readings[source].report


class Scene:
    """The job runs once, held open in its middle and at its end, and each source is asked when its time has come."""

    def __init__(self, gate: Gate, spark: Spark, folder: Path) -> None:
        self.gate, self.spark, self.folder = gate, spark, folder
        self.logs = folder / "logs"
        self.told = Told()

    def play(self) -> Told:
        self.logs.mkdir()
        with history_server(self.spark, self.logs, self.folder) as server:
            by_name = ("report", server, "--app", NAME)
            _, self.told.too_early = self.gate.outcome(self.folder, *by_name, exit_code=3)
            waiting = self.gate.start(self.folder, *by_name, "--wait=5min", "--format", "json")
            try:
                self.run_job()
                output, messages = waiting.communicate(timeout=PATIENCE_S)
            finally:
                waiting.terminate()
            assert waiting.returncode == 0, messages
            self.told.waited = json.loads(output)
            [log] = self.logs.iterdir()
            self.ask(EVENT_LOG, log)
            self.ask(SERVER_LOGS, server)
            self.ask(SERVER_REST, server, "--rest")
        return self.told

    def ask(self, label: str, *source: str | Path) -> None:
        self.told.readings[label] = self.gate.reading(self.folder, *source)

    def report(self, *arguments: str | Path) -> str:
        return self.gate(self.folder, "report", *arguments, exit_code=0)

    def run_job(self) -> None:
        properties = {**PROPERTIES, "spark.eventLog.dir": self.logs.as_uri()}
        here = ROOT / "tests/spark"
        command = self.spark.submit(properties, here / "hold_open.py", self.folder, here / "jobs/varied.py", self.folder)
        log = self.folder / "driver.log"
        with running(command, log, self.spark.environment()) as driver:
            ui = wait_until(lambda: read(self.folder / "halfway"), driver, log)
            live_answers(ui)
            self.told.halfway = self.report(ui)
            watch = (self.gate.binary, "report", ui, "--watch")
            with terminal(self.folder, *watch) as screen, running([*map(str, watch)], self.folder / "watched", environment()) as watching:
                self.watch_second_half(screen, driver, log)
                self.told.watch_code = watching.wait(timeout=PATIENCE_S)
                self.told.screens.append(screen.wait(lambda shown: "exit code" in shown))
        self.told.watched = (self.folder / "watched").read_text()

    def watch_second_half(self, screen: Terminal, driver: subprocess.Popen[bytes], log: Path) -> None:
        self.wait_for_watched(self.told.halfway)
        self.told.screens.append(screen.wait(lambda shown: "read at" in shown))
        say(self.folder / "go")
        ui = wait_until(lambda: read(self.folder / "ui"), driver, log)
        live_answers(ui)
        self.ask(LIVE_UI, ui)
        self.told.whole = self.report(ui)
        (self.folder / "stagegate.toml").write_text('[jobs.varied]\napp = "varied.py"\n')
        self.told.checked = self.gate(self.folder, "check", ui, "--job", "varied", "--variant", "default", exit_code=3)
        self.wait_for_watched(self.told.whole)
        self.told.screens.append(screen.wait(lambda shown: LAST_STAGE in shown and "read at" in shown))
        say(self.folder / "release")
        assert driver.wait(timeout=PATIENCE_S) == 0, log.read_text()[-3000:]

    def wait_for_watched(self, text: str) -> None:
        watched = self.folder / "watched"
        wait_for(lambda: True if (read(watched) or "").endswith(text) else None, lambda: f"{text}\nis not at the end of\n{read(watched)}")


def read(file: Path) -> str | None:
    return file.read_text() if file.exists() else None


@pytest.fixture(scope="module", params=["spark4", "spark3"])
def told(request: pytest.FixtureRequest, gate: Gate, tmp_path_factory: pytest.TempPathFactory) -> Told:
    return Scene(gate, request.getfixturevalue(request.param), tmp_path_factory.mktemp(request.param)).play()


@pytest.mark.parametrize("source", ADDRESSES)
def test_an_address_tells_what_the_event_log_tells(told: Told, source: str) -> None:
    assert unexplained(source, told.readings[source], told.readings[EVENT_LOG]) == {}


@pytest.mark.parametrize("source", ADDRESSES)
def test_each_difference_in_the_table_is_there(told: Told, source: str) -> None:
    found = differing(told.report(EVENT_LOG), told.report(source))
    assert sorted(found) == sorted(name for name in allowed(source) if not name.startswith("csv-tasks: "))


def test_findings_are_the_same_from_everywhere(told: Told) -> None:
    found = {source: findings(told.report(source)) for source in SOURCES}
    assert {rule for rule, *_ in found[EVENT_LOG]} == {"skew", "small-tasks", "failed-tasks"}
    for source in ADDRESSES:
        assert found[source] == found[EVENT_LOG]


def findings(report: Json) -> list[tuple[str, int, int, float]]:
    return [(found["rule"], found["stage"], found["attempt"], found["value"]) for found in report["findings"]]


def test_the_run_has_something_of_everything(told: Told) -> None:
    """Empty reports would agree as well."""
    report = told.report(EVENT_LOG)
    stages = report["stages"]
    assert report["application"]["complete"] and report["evidence"]["complete"]
    assert report["cores"] == 4
    assert {stage["status"] for stage in stages} == {"COMPLETE", "SKIPPED"}
    assert {stage["group"] for stage in stages} == {None, "tables", "totals"}
    assert "orders and | their <customers>" in {stage["description"] for stage in stages}
    assert [stage["tasks"]["failed"] for stage in stages if stage["tasks"]["failed"]] == [1]
    for kind in ("input", "output", "shuffle_read", "shuffle_write"):
        assert any(stage["bytes"][kind] for stage in stages), kind
        assert any(stage["records"][kind] for stage in stages), kind
    assert any(stage["sql_execution"] is not None for stage in stages)
    assert any(stage["sql_execution"] is None for stage in stages)


def test_an_application_that_runs_is_not_judged(told: Told) -> None:
    assert "log-in-progress" in told.checked


def test_a_history_server_is_waited_for_until_the_application_has_come_and_ended(told: Told) -> None:
    assert "knows no application" in told.too_early and "--wait" in told.too_early
    assert told.waited == told.report(SERVER_LOGS)


def test_a_pipe_gets_each_report_that_is_new_and_the_watch_ends_with_the_application(told: Told) -> None:
    assert told.watch_code == 0
    assert told.watched.startswith(told.halfway)
    reports, _, message = told.watched.rpartition("the application ended, or its UI went away, ")
    assert reports.endswith(told.whole)
    assert "its event log has the rest" in message
    assert reports.count(told.halfway) == 1 and reports.count(told.whole) == 1


def test_a_terminal_shows_one_report_that_is_drawn_again(told: Told) -> None:
    half, whole, end = told.screens
    assert half.startswith(f"{NAME} (")
    for screen in told.screens:
        # The whole report is higher than the terminal, and shows its end.
        assert screen.count("\ntotal: ") == 1
        assert screen.count("\nread at ") == 1
    assert LAST_STAGE not in half
    assert LAST_STAGE in whole and LAST_STAGE in end
    assert "exit code 0" in end


def test_the_table_of_differences_is_the_one_in_the_docs() -> None:
    assert table_in(ROOT / "docs/addresses.md") == DIFFERENCES
