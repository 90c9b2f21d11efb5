#!/usr/bin/env python3
"""check_truth.py [FOLDER]: whether each pair under FOLDER (this folder's parent) holds together; prints a table, ends with 1 if not.

Held: every completed stage of either log is in exactly one match or on one side only; a stage is in one ambiguous set at most; each set
holds at least one match, and every match that touches a set lies within it; stages that a set leaves over are on one side only. Logs and
truth name the same Spark and settings; logs are small, have an end and name no folder or user of the machine that made them.
"""
from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

SIDES = ("before", "after")
LIMIT = 120_000
KEYS = {"pair", "change", "before", "after", "matches", "same_work", "only_before", "only_after", "ambiguous", "notes", "runs",
        "stages_before", "stages_after"}
# What a log says of the machine that it was made on: the folder of this checkout, homes, the user.
CHECKOUT, HOME = f"/{Path(__file__).resolve().parts[1]}/", Path.home()
ELSEWHERE = re.compile(rf'{re.escape(CHECKOUT)}|/home/|{re.escape(str(HOME))}\b|"{re.escape(HOME.name)}"|pairs\.action')


def events(log: Path) -> list[dict]:
    text = subprocess.run(["zstd", "-dcq", log], check=True, stdout=subprocess.PIPE, text=True).stdout
    return [json.loads(line) for line in text.splitlines()]


def completed(log: list[dict]) -> list[int]:
    done = [e["Stage Info"] for e in log if e["Event"] == "SparkListenerStageCompleted"]
    return [info["Stage ID"] for info in done if "Failure Reason" not in info]


def stage_troubles(truth: dict, side: int, stages: list[int]) -> list[str]:
    """Each completed stage is named once, and no other is."""
    name = SIDES[side]
    named = Counter([m[side] for m in truth["matches"]] + truth[f"only_{name}"])
    found = [f"{name} {n} is named {times} times" for n, times in named.items() if times > 1]
    found += [f"{name} {n} completed and is not named" for n in sorted(set(stages) - set(named))]
    found += [f"{name} {n} is named and did not complete" for n in sorted(set(named) - set(stages))]
    if len(stages) != len(set(stages)):
        found.append(f"{name}: a stage completed twice")
    if {int(n) for n in truth[f"stages_{name}"]} != set(stages):
        found.append(f"stages_{name} is not the list of completed stages")
    return found


def set_troubles(truth: dict) -> list[str]:
    found = []
    for side, name in enumerate(SIDES):
        members = Counter(n for pair in truth["ambiguous"] for n in pair[side])
        found += [f"{name} {n} is in {times} ambiguous sets" for n, times in members.items() if times > 1]
    for before, after in truth["ambiguous"]:
        touching = [m for m in truth["matches"] if m[0] in before or m[1] in after]
        inside = [m for m in touching if m[0] in before and m[1] in after]
        if not inside or inside != touching:
            found.append(f"the set {before} | {after} has {len(inside)} matches inside and {len(touching) - len(inside)} across its border")
    return found


def log_troubles(folder: Path, truth: dict, which: str, log: list[dict]) -> list[str]:
    path, found = folder / truth[which], []
    if path.stat().st_size > LIMIT:
        found.append(f"{which} has {path.stat().st_size} bytes")
    if (words := {m for e in log for m in ELSEWHERE.findall(json.dumps(e))}):
        found.append(f"{which} names {sorted(words)}")
    version = next(e["Spark Version"] for e in log if e["Event"] == "SparkListenerLogStart")
    if version != truth["runs"][which]["spark"]:
        found.append(f"{which} is of Spark {version}")
    properties = next(e["Spark Properties"] for e in log if e["Event"] == "SparkListenerEnvironmentUpdate")
    found += [f"{which}: {key} is {properties.get(key)}" for key, value in truth["runs"][which]["conf"].items()
              if properties.get(key, "true" if key == "spark.sql.adaptive.enabled" else None) != value]
    if log[-1]["Event"] != "SparkListenerApplicationEnd":
        found.append(f"{which} has no end")
    return found


def check(folder: Path) -> list[str]:
    truth = json.loads((folder / "truth.json").read_text())
    found = [] if set(truth) == KEYS and truth["pair"] == folder.name else ["wrong keys or name"]
    if len(truth["same_work"]) != len(truth["matches"]):
        found.append("same_work and matches differ in length")
    counts = []
    for side, which in enumerate(SIDES):
        log = events(folder / truth[which])
        stages = completed(log)
        counts.append(len(stages))
        found += stage_troubles(truth, side, stages) + log_troubles(folder, truth, which, log)
    found += set_troubles(truth)
    sets = "; ".join(f"{len(b)} | {len(a)}" for b, a in truth["ambiguous"])
    row = [*counts, len(truth["matches"]), truth["same_work"].count(False), len(truth["only_before"]), len(truth["only_after"])]
    print(f"{folder.name:24} " + " ".join(f"{n:{width}}" for n, width in zip(row, (6, 6, 8, 8, 7, 6))) + f"  {sets}")
    return [f"{folder.name}: {trouble}" for trouble in found]


def main(root: Path) -> int:
    print(f"{'pair':24} {'before':>6} {'after':>6} {'matches':>8} {'changed':>8} {'only b.':>7} {'only a.':>6}  ambiguous sets")
    troubles = [t for truth in sorted(root.glob("*/truth.json")) for t in check(truth.parent)]
    print("\n".join(troubles) or "no trouble")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]))
