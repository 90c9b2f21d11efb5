"""Asking the binary for what lies behind an address, and what holds for every refusal."""

from __future__ import annotations

import json
from collections.abc import Callable

from event_log import Application, Shuffle

KIB = 1024
MOST_SECONDS = 20  # that any trouble may take, with all that is tried again


def application(number: int = 1, **changes) -> Application:
    """Two stages, of which the second reads 4 times NUMBER KiB."""
    shuffles = [Shuffle(f"work {number}", [number * KIB] * 4)]
    return Application(shuffles=shuffles, id=f"local-{number}", name=f"app {number}", **changes)


def report(project, *arguments, **options) -> dict:
    outcome = project.stagegate("report", *map(str, arguments), "--format", "json", **options)
    assert outcome.code == 0, outcome.output
    return json.loads(outcome.stdout)


def app_of(project, *arguments, **options) -> str:
    app = report(project, *arguments, **options)["application"]
    return app["id"] if app["attempt"] is None else f"{app['id']}/{app['attempt']}"


def check_refused(outcome, *words: str, code: int = 3):
    """One line that has WORDS says why, and nothing else is printed. A word may be several, divided by '|'."""
    assert outcome.code == code, outcome.output
    assert outcome.stdout == ""
    lines = outcome.stderr.strip().splitlines()
    assert len(lines) == 1, outcome.stderr
    for word in words:
        assert any(choice in lines[0].lower() for choice in word.lower().split("|")), f"no '{word}' in: {lines[0]}"
    for trouble in ("exception", "terminate", "what():", "traceback", "boost", "std::"):
        assert trouble not in lines[0].lower(), lines[0]
    assert outcome.seconds < MOST_SECONDS


def refused(project, address: str, *arguments, words: tuple[str, ...], code: int = 3):
    outcome = project.stagegate("report", address, *arguments)
    check_refused(outcome, *words, code=code)
    return outcome


def check_each(outcomes: dict, check: Callable):
    """CHECK(name, outcome) of all, and the names of all that fail it."""
    failures = []
    for name, outcome in outcomes.items():
        try:
            check(name, outcome)
        except AssertionError as failure:
            failures.append(f"{name}: {failure}")
    assert not failures, "\n".join(failures)
