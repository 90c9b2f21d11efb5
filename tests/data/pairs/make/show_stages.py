#!/usr/bin/env python3
"""show_stages.py LOG...: each completed stage with the script's statement and what its plan and numbers say, for a person who writes roles.

LOG is a plain log in /tmp/pairs-job/packed, with its .marks.json beside it (run.py writes both).
"""
from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path


HIDDEN = ("WholeStage", "ColumnarTo", "Sort ")
NUMBERS = ("in", "read", "wrote", "out", "read B", "wrote B")


def walk(plan: dict, found: dict[int, str]) -> None:
    text = re.sub(r"#\d+L?|\[plan_id=\d+\]", "", plan.get("simpleString") or plan["nodeName"])
    for metric in plan.get("metrics", []):
        found[metric["accumulatorId"]] = text
    for child in plan.get("children", []):
        walk(child, found)


def brief(text: str) -> str:
    """An operator in a few words: a scan's table, an exchange's keys, another operator's name and keys."""
    scan = re.match(r"(?:Batch)?Scan|FileScan", text)
    if scan:
        path = re.search(r"file:(\S+?)[,\]]", text)
        return "scan " + ("/".join(path[1].split("/")[-2:]) if path else text[:40])
    if text.startswith("Filter"):
        return text[:120]
    if text.startswith("Exchange"):
        return text.split(", ENS")[0][9:90]
    head = re.match(r"(?:Execute )?(\w+)\s*(?:\(keys=)?(\[[^\]]*\])?", text)
    return f"{head[1]}{head[2] or ''}"


def numbers_of(task: dict) -> tuple[int, ...]:
    read, write = task["Shuffle Read Metrics"], task["Shuffle Write Metrics"]
    return (task["Input Metrics"]["Records Read"], read["Total Records Read"], write["Shuffle Records Written"],
            task["Output Metrics"]["Records Written"], read["Local Bytes Read"], write["Shuffle Bytes Written"])


def scope(rdd: dict) -> str:
    return re.sub(r"WholeStageCodegen \(\d+\)", "W", json.loads(rdd["Scope"])["name"]) if "Scope" in rdd else rdd["Name"]


@dataclass
class Seen:
    """What a log says of one stage."""

    info: dict = field(default_factory=dict)
    job: int = -1
    execution: str | None = None
    kind: str = ""
    sums: list[int] = field(default_factory=lambda: [0] * len(NUMBERS))
    accumulables: set[int] = field(default_factory=set)


def read_log(log: Path) -> tuple[dict[int, Seen], dict[int, str]]:
    nodes: dict[int, str] = {}
    stages: dict[int, Seen] = {}
    for line in log.read_text().splitlines():
        event = json.loads(line)
        if "sparkPlanInfo" in event:
            walk(event["sparkPlanInfo"], nodes)
        elif event["Event"] == "SparkListenerJobStart":
            for number in event["Stage IDs"]:
                stages.setdefault(number, Seen(job=event["Job ID"], execution=event["Properties"].get("spark.sql.execution.id")))
        elif event["Event"] == "SparkListenerTaskEnd":
            stage = stages[event["Stage ID"]]
            stage.kind = event["Task Type"].removesuffix("Task")
            stage.sums = [a + b for a, b in zip(stage.sums, numbers_of(event["Task Metrics"]))]
            stage.accumulables.update(a["ID"] for a in event["Task Info"]["Accumulables"])
        elif event["Event"] == "SparkListenerStageCompleted":
            stages[event["Stage Info"]["Stage ID"]].info = event["Stage Info"]
    return {number: stage for number, stage in sorted(stages.items()) if stage.info}, nodes


def show(log: Path) -> None:
    marks = json.loads(log.with_suffix(".marks.json").read_text())
    stages, nodes = read_log(log)
    print(f"== {log.name}: {len(stages)} stages")
    for number, stage in stages.items():
        rdds = sorted(stage.info["RDD Info"], key=lambda r: r["RDD ID"])
        inside = {r["RDD ID"] for r in rdds}
        outer = sorted({p for r in rdds for p in r["Parent IDs"] if p not in inside})
        operators = sorted({brief(nodes[a]) for a in stage.accumulables if a in nodes and not nodes[a].startswith(HIDDEN)})
        numbers = "".join(f", {word} {n}" for word, n in zip(NUMBERS, stage.sums) if n)
        print(f"{number:3} [{marks.get(str(number))}] {stage.kind}, job {stage.job}, sql {stage.execution}, "
              f"{stage.info['Number of Tasks']} tasks{numbers}; RDDs {min(inside)}-{max(inside)} from {outer}; "
              f"{stage.info['Stage Name'].split(' at ')[0][:20]} | {'; '.join(operators) or ' > '.join(dict.fromkeys(map(scope, rdds)))}")


for name in sys.argv[1:]:
    show(Path(name))
