"""Where reports of one run differ by where they were read from, and why. docs/addresses.md has the same table."""
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gate import Reading

Json = dict[str, Any]

EVENT_LOG = "event log"
LIVE_UI = "live UI"
SERVER_LOGS = "history server"
SERVER_REST = "history server with `--rest`"


@dataclass(frozen=True)
class Difference:
    """A field of `stagegate.report/1`, or a column of `csv-tasks`, that is not the event log's in reports from SOURCES."""

    field: str
    sources: tuple[str, ...]
    reason: str


NO_PLANS = "the REST API lacks what tells the stage's operators"
NO_LINES = "answers have no lines: `null`"
STILL_RUNS = "the application has not ended"
NOT_IN_API = "Spark 4 logs it, and the REST API does not have it: empty"

DIFFERENCES = (
    Difference("stages[].label", (LIVE_UI, SERVER_REST), NO_PLANS),
    Difference("stages[].fingerprint", (LIVE_UI, SERVER_REST), NO_PLANS),
    Difference("findings[].label", (LIVE_UI, SERVER_REST), "the stage's label"),
    Difference("evidence.lines", (LIVE_UI, SERVER_REST), NO_LINES),
    Difference("evidence.malformed_lines", (LIVE_UI, SERVER_REST), NO_LINES),
    Difference("evidence.unknown_events", (LIVE_UI, SERVER_REST), NO_LINES),
    Difference("evidence.complete", (LIVE_UI,), STILL_RUNS),
    Difference("evidence.problems[]", (LIVE_UI,), f"{STILL_RUNS}: `log-in-progress`"),
    Difference("application.complete", (LIVE_UI,), STILL_RUNS),
    Difference("application.end_ms", (LIVE_UI,), f"{STILL_RUNS}: `null`"),
    Difference("csv-tasks: peak_memory_on_heap", (LIVE_UI, SERVER_REST), NOT_IN_API),
    Difference("csv-tasks: peak_memory_off_heap", (LIVE_UI, SERVER_REST), NOT_IN_API),
)


def allowed(source: str) -> set[str]:
    """The fields that may differ from the event log's in a report from SOURCE."""
    return {difference.field for difference in DIFFERENCES if source in difference.sources}


def differing(a: Json, b: Json) -> dict[str, list[str]]:
    """The fields in which two reports differ, with the places: "stages[].label": ["stages[3.0].label: 'x', 'y'"]."""
    left, right = dict(leaves(a)), dict(leaves(b))
    found: dict[str, list[str]] = {}
    for place in sorted(left.keys() | right.keys()):
        values = left.get(place, "missing"), right.get(place, "missing")
        if values[0] != values[1]:
            field = re.sub(r"\[[^]]*\]", "[]", place)
            found.setdefault(field, []).append(f"{place}: {values[0]!r}, {values[1]!r}")
    return found


def differing_columns(a: list[dict[str, str]], b: list[dict[str, str]]) -> dict[str, list[str]]:
    """The columns in which the rows of two `csv-tasks` differ."""
    found: dict[str, list[str]] = {}
    for ours, others in zip(a, b, strict=True):
        for name in ours.keys() | others.keys():
            if ours.get(name) != others.get(name):
                found.setdefault(f"csv-tasks: {name}", []).append(f"{ours.get('task_id')}: {ours.get(name)!r}, {others.get(name)!r}")
    return found


def unexplained(source: str, ours: Reading, logged: Reading) -> dict[str, list[str]]:
    """What SOURCE tells otherwise than the event log, without a reason in the table."""
    found = {**differing(logged.report, ours.report), **differing_columns(logged.tasks, ours.tasks)}
    return {name: places for name, places in found.items() if name not in allowed(source)}


def leaves(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Each number and text with its place. Elements of lists are told by what they are, not by their position."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield from leaves(member, f"{place}.{name}".lstrip("."))
    elif place.endswith("problems"):
        # One difference, however many members a problem has.
        for problem in value:
            yield f"{place}[{problem['code']}]", problem
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for position, element in enumerate(value):
            yield from leaves(element, f"{place}[{name_of(element, position)}]")
    else:
        yield place, value


def name_of(element: Json, position: int) -> str:
    if "rule" in element:
        return f"{element['rule']} of {element['stage']}"
    return f"{element['id']}.{element['attempt']}" if "attempt" in element else str(element.get("id", position))


def table_in(page: Path) -> tuple[Difference, ...]:
    """The table of PAGE whose first column is called "field"."""
    rows = page.read_text().partition("\n| field |")[2].partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    return tuple(Difference(field.strip("`"), tuple(sources.split(", ")), reason) for field, sources, reason in cells)
