"""What the gate said of a planted change, and the page of it all."""
from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import dataclass
from math import floor, log10
from pathlib import Path
from typing import Any

from changes import CHANGES, Change
from gate import Report
from installed import ROOT

PAGE = ROOT / "docs/planted-changes.md"
MIB = 2**20

INTRODUCTION = """\
# Planted changes

What the gate says of changes that a pull request could bring. Each was planted in the example (`examples/`) by a script, and run with a real
Spark: the unchanged job was run and its baseline accepted, then the job was changed and `stagegate run` judged it, under each of the
three variants of the example's manifest. `tests/spark/planted_changes.py` does this; without `--write` it fails where a change is
silent under a variant and no reason for that is written down beside it, and where this page is not what came out.

How to read a row: the exit code is that of `stagegate run` for this job and variant alone; 0 is a pass, 1 a regression, 3 a run that was not
the variant, 5 a baseline that was made under other conditions. Each finding that was new or worse follows, with its value and its
stage; a warning is shown and does not fail. "gone" are accepted findings that the change took away. Values are rounded to two
digits. Where nothing was said, the row has how much shuffle the job's stages read and how much of it the largest task of any, before
and after the change, and why this is no harm.

The example has a million orders in 11 MiB of shuffle, and limits that are scaled to it: `local[4]`, partitions of 1 MiB. Which job was
changed, and how, stands in the second table. Some changes need a job of another kind first: one whose orders have no heavy key, one that
broadcasts its customers, one whose manifest asks for 200 shuffle partitions.

| change | variant | exit code | what the gate said |
| --- | --- | --- | --- |
"""

WHAT_WAS_CHANGED = """
## What was changed

| change | in | how |
| --- | --- | --- |
"""


@dataclass(frozen=True)
class Cell:
    """What the gate said of one change under one variant."""

    exit_code: int
    said: tuple[str, ...]
    gone: tuple[str, ...]
    reads: str
    harmless: str | None

    @property
    def is_silent(self) -> bool:
        return not self.said and not self.harmless


def cell_of(exit_code: int, report_dir: Path, before: Report, after: Report, harmless: str | None) -> Cell:
    verdict = json.loads((report_dir / "verdict.json").read_text())
    assert verdict["exit_code"] == exit_code
    [variant] = verdict["variants"]
    told = [finding for finding in variant["findings"] if finding["state"] in ("new", "worse")]
    said = [finding_text(finding) for finding in told]
    if variant["state"] != "judged":
        said = [why_not_judged(report_dir)]
    gone = [f"gone: `{finding['rule']}` at {code(finding['stage'])}" for finding in variant["gone"]]
    return Cell(exit_code, tuple(said), tuple(gone), f"{reads(after)}, before {reads(before)}", harmless)


def finding_text(finding: Mapping[str, Any]) -> str:
    level = "warning, " if finding["level"] == "warning" else ""
    stage = f" at {code(finding['stage'])}" if finding["stage"] else ""
    return f"`{finding['rule']}` {value_text(finding['value'], finding['unit'])} ({level}{finding['state']}){stage}"


def value_text(value: float, unit: str) -> str:
    if unit == "ratio":
        return f"{two_digits(value)}x"
    if unit == "percent":
        return f"{two_digits(value)} %"
    return mebibytes(value) if unit == "bytes" else str(round(value))


def two_digits(value: float) -> str:
    """The value rounded to two digits: other versions of a compressor move the third."""
    if not value:
        return "0"
    rounded = round(value, 1 - floor(log10(abs(value))))
    return f"{rounded:.0f}" if abs(rounded) >= 10 else f"{rounded:g}"


def mebibytes(value: float) -> str:
    return f"{two_digits(value / MIB)} MiB"


def why_not_judged(report_dir: Path) -> str:
    """What the test report says of it: the fields that differ, the property that the job set. The verdict has the first line alone."""
    [case] = [case for case in ET.parse(report_dir / "junit.xml").iter("testcase") if case.get("name") == "run"]
    reason, *lines = (case.find("error").text or "").splitlines()
    details = [line for line in lines if not line.startswith(("If this is meant", "output: "))]
    return ": ".join(filter(None, (reason, "; ".join(details))))


def reads(report: Report) -> str:
    total = sum(stage["bytes"]["shuffle_read"] or 0 for stage in report.ran)
    largest = max(stage["distribution"]["shuffle_read"]["max"] for stage in report.ran if stage["distribution"]["shuffle_read"])
    return f"{mebibytes(largest)} of {mebibytes(total)}"


def code(label: str) -> str:
    return f"`{label}`"


def row(name: str, variant: str, cell: Cell) -> str:
    nothing = () if cell.said else (f"nothing; the largest task reads {cell.reads}: {cell.harmless or 'SILENT'}",)
    return f"| {name} | {variant} | {cell.exit_code} | {'<br>'.join((*cell.said, *nothing, *cell.gone)).replace('|', chr(92) + '|')} |"


def page(cells: Mapping[tuple[Change, str], Cell]) -> str:
    rows = "".join(row(change.name, variant, cell) + "\n" for (change, variant), cell in cells.items())
    changed = "".join(f"| {change.name} | {change.base.name} | {change.description().replace('|', chr(92) + '|')} |\n" for change in CHANGES)
    return INTRODUCTION + rows + WHAT_WAS_CHANGED + changed
