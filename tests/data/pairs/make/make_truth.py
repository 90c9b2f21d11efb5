#!/usr/bin/env python3
"""make_truth.py: writes each pair's truth.json from its truth.txt, which a person wrote.

A line of truth.txt is one of
    change: ... / note: ...     what changed, and what is to be known about the truth (notes may go on over lines)
    = before after role         the same stage, with the same work
    ~ before after role         the same stage, with changed work
    - before role               a stage of the run before only
    + after role                a stage of the run after only
    alike: b b | a a            stages that nobody can tell apart
    split: b | a a              one stage that was split (or two that were merged): either half is a right answer
"""
from __future__ import annotations

import json
from pathlib import Path

from pairs import PAIRS, SPARK3, Side

HERE = Path(__file__).resolve().parent
VERSIONS = {SPARK3: "3.5.9"}


def read_truth(name: str) -> dict:
    truth: dict = {"pair": name, "change": "", "before": "before.zst", "after": "after.zst", "matches": [], "same_work": [],
                   "only_before": [], "only_after": [], "ambiguous": [], "notes": "", "runs": {}, "stages_before": {}, "stages_after": {}}
    for line in (HERE / name / "truth.txt").read_text().splitlines():
        kind, rest = line.split(" ", 1)
        if kind == "change:":
            truth["change"] = rest
        elif kind == "note:":
            truth["notes"] = f"{truth['notes']} {rest}".strip()
        elif kind in ("alike:", "split:"):
            truth["ambiguous"].append([[int(n) for n in half.split()] for half in rest.split("|")])
        elif kind in "=~":
            before, after, role = rest.split(" ", 2)
            truth["matches"].append([int(before), int(after)])
            truth["same_work"].append(kind == "=")
            truth["stages_before"][before] = truth["stages_after"][after] = role
        else:
            side = {"-": "before", "+": "after"}[kind]
            number, role = rest.split(" ", 1)
            truth[f"only_{side}"].append(int(number))
            truth[f"stages_{side}"][number] = role
    return truth


def settings(side: Side) -> dict:
    return {"spark": VERSIONS.get(side.venv, "4.3.0"), "job": side.app, "version": side.script.removesuffix(".py"),
            "conf": {"spark.sql.adaptive.enabled": "true", **side.conf}}


def main() -> None:
    for name, sides in PAIRS.items():
        truth = read_truth(name)
        truth["runs"] = {which: settings(side) for which, side in sides.items()}
        for which in sides:
            truth[f"stages_{which}"] = dict(sorted(truth[f"stages_{which}"].items(), key=lambda item: int(item[0])))
        (HERE.parent / name / "truth.json").write_text(render(truth) + "\n")


def render(truth: dict) -> str:
    """One line for each match, set and stage, so that a change of the truth is readable as a diff."""
    def rows(items: list) -> str:
        return "[" + ",".join(f"\n  {json.dumps(item)}" for item in items) + ("\n ]" if items else "]")

    parts = {key: json.dumps(value, indent=1).replace("\n", "\n ") for key, value in truth.items()}
    parts.update({key: rows(truth[key]) for key in ("matches", "ambiguous")})
    parts.update({key: json.dumps(truth[key]) for key in ("same_work", "only_before", "only_after")})
    return "{\n" + ",\n".join(f' "{key}": {text}' for key, text in parts.items()) + "\n}"


if __name__ == "__main__":
    main()
