"""Which stage of the example's jobs is which, read from an event log without a look at our labels: by the author's words and by rows.

The example reads a million orders and 50,000 customers and writes 30 countries, so the rows that a stage reads from outside name the
table. All else is told by the description of the stage's job and by whether it reads or writes a shuffle of many rows (single orders) or of
few (sums). Stages that read no rows at all look into a file's schema; two of these in one section are alike.
"""
from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TABLES = {1_000_000: "orders", 50_000: "customers", 30: "countries"}
MANY = 50_000

# Description, table, rows of shuffle read, rows of shuffle written, whether it writes the result.
Role = tuple[str | None, str, str, str, bool]

REVENUE = "revenue by country"
READ, JOIN, WRITE = "registered customers' orders", "orders and revenue by customer", "regular customers by country"


def schema(description: str | None) -> Role:
    return description, "a schema", "none", "none", False


# What the scripts ask for, worked out by hand from examples/jobs.
ROLES: dict[str, list[Role]] = {
    "revenue": [
        schema(None),
        schema(None),
        (REVENUE, "orders", "none", "many", False),
        (REVENUE, "customers", "none", "many", False),
        (REVENUE, "no table", "many", "few", False),
        (REVENUE, "no table", "few", "none", True),
    ],
    "sections": [
        schema(READ),
        (READ, "orders", "none", "none", False),
        (READ, "no table", "none", "few", False),
        (READ, "no table", "few", "none", False),
        schema(JOIN),
        (JOIN, "no table", "none", "many", False),
        (JOIN, "customers", "none", "many", False),
        (JOIN, "no table", "many", "none", False),
        (JOIN, "no table", "none", "few", False),
        (JOIN, "no table", "few", "none", False),
        (WRITE, "no table", "none", "few", False),
        (WRITE, "no table", "few", "none", True),
        schema(None),
        (None, "countries", "none", "few", False),
        (None, "no table", "few", "none", False),
    ],
}


@dataclass
class Rows:
    """What the tasks of a stage moved."""

    description: str | None = None
    read: int = 0
    shuffle_read: int = 0
    shuffle_written: int = 0
    written: int = 0
    has_query: bool = False
    ended: bool = False

    def add(self, metrics: dict[str, Any]) -> None:
        self.read += metrics["Input Metrics"]["Records Read"]
        self.shuffle_read += metrics["Shuffle Read Metrics"]["Total Records Read"]
        self.shuffle_written += metrics["Shuffle Write Metrics"]["Shuffle Records Written"]
        self.written += metrics["Output Metrics"]["Records Written"]

    @property
    def role(self) -> Role:
        if not self.has_query:
            return schema(self.description)
        # A cache is read in batches of 10,000 rows: no table has as few, or as many.
        table = TABLES.get(self.read, "no table")
        return self.description, table, amount(self.shuffle_read), amount(self.shuffle_written), self.written > 0


def amount(rows: int) -> str:
    return "none" if rows == 0 else "many" if rows >= MANY else "few"


@dataclass
class Roles:
    stages: dict[int, Rows] = field(default_factory=dict)

    def see(self, event: dict[str, Any]) -> None:
        if event["Event"] == "SparkListenerStageSubmitted":
            properties = event["Properties"]
            stage = self.stages.setdefault(event["Stage Info"]["Stage ID"], Rows())
            stage.description = properties.get("spark.job.description")
            stage.has_query = "spark.sql.execution.id" in properties
        elif event["Event"] == "SparkListenerTaskEnd":
            self.stages[event["Stage ID"]].add(event["Task Metrics"])
        elif event["Event"] == "SparkListenerStageCompleted":
            self.stages[event["Stage Info"]["Stage ID"]].ended = True


def roles_in(event_log: Path) -> dict[int, Role]:
    """The role of each stage that ran, by the number of the stage."""
    roles = Roles()
    with event_log.open() as lines:
        for line in lines:
            roles.see(json.loads(line))
    return {number: stage.role for number, stage in roles.stages.items() if stage.ended}
