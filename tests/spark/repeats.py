#!/usr/bin/env python3
"""Runs the unchanged example again and again, and counts what the gate has to say of it: each word is a false alarm.

    tests/spark/repeats.py [N] [--accept-first]          (20)

Each repeat is a `stagegate run` of all jobs and variants of the example in processes of its own, against the baselines in
examples/baselines, or, with --accept-first, against what a first run did. False alarms are an exit code other than 0, findings that are new
or worse, accepted findings that are gone, and results that would be accepted as other bytes than the accepted ones. It ends with 1 where
there was any. The binary is $STAGEGATE, else build/release/src/stagegate.
"""
from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from example import binary_in, copy_example, example_data, spark_in
from gate import Gate
from installed import SPARK_4

RUN = ("run", "--jobs", "2")


@dataclass(frozen=True)
class Repeat:
    exit_code: int
    seconds: float
    variants: int
    findings: list[str]  # new, worse or gone
    other_bytes: list[str]  # files that would be accepted and are not as accepted

    @property
    def is_false_alarm(self) -> bool:
        return bool(self.exit_code or self.findings or self.other_bytes)

    def line(self) -> str:
        wrong = [*self.findings, *(f"other bytes: {name}" for name in self.other_bytes)]
        return f"exit code {self.exit_code}, {self.variants} variants, {self.seconds:.0f} s: {'; '.join(wrong) or 'nothing to say'}"


def findings_of(variant: dict[str, Any]) -> list[str]:
    where = f"{variant['job']}/{variant['variant']}"
    state = [] if variant["state"] == "judged" else [f"{where} {variant['state']}: {variant['reason']}"]
    told = [finding for finding in variant["findings"] if finding["state"] in ("new", "worse")]
    gone = [f"{where} gone {finding['rule']} at {finding['stage']}" for finding in variant["gone"]]
    return state + [f"{where} {finding['state']} {finding['rule']} at {finding['stage']}" for finding in told] + gone


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.json"))}


def repeat(gate: Gate, example: Path, report_dir: Path) -> Repeat:
    started = time.monotonic()
    code, _, _ = gate.ended(example, *RUN, "--report-dir", report_dir)
    seconds = time.monotonic() - started
    verdict = json.loads((report_dir / "verdict.json").read_text())
    findings = [words for variant in verdict["variants"] for words in findings_of(variant)]
    accepted, pending = files_in(example / "baselines"), files_in(report_dir / "pending/baselines")
    names = sorted(accepted.keys() | pending.keys())
    return Repeat(code, seconds, len(verdict["variants"]), findings, [name for name in names if accepted.get(name) != pending.get(name)])


def main() -> None:
    parser = argparse.ArgumentParser(description="Runs the unchanged example again and again, and counts false alarms.")
    parser.add_argument("times", type=int, nargs="?", default=20, metavar="N")
    parser.add_argument("--accept-first", action="store_true", help="against what a first run did, not against examples/baselines")
    args = parser.parse_args()
    gate, data = Gate(binary_in("release")), example_data(spark_in(SPARK_4))
    repeats = []
    with tempfile.TemporaryDirectory(prefix="repeats-") as folder:
        example = copy_example(Path(folder) / "copy", data, *(["baselines"] if args.accept_first else []))
        if args.accept_first:
            gate(example, *RUN, exit_code=5)
            gate(example, "baseline", "accept", exit_code=0)
        for number in range(1, args.times + 1):
            repeats.append(repeat(gate, example, Path(folder) / f"reports-{number}"))
            print(f"{number:3} {repeats[-1].line()}", flush=True)
    alarms = sum(repeat.is_false_alarm for repeat in repeats)
    codes = sum(repeat.exit_code != 0 for repeat in repeats)
    findings = sum(len(repeat.findings) for repeat in repeats)
    other = sum(len(repeat.other_bytes) for repeat in repeats)
    print(f"{len(repeats)} repeats of {sum(repeat.variants for repeat in repeats)} variants: {alarms} false alarms "
          f"({codes} exit codes but 0, {findings} findings new, worse or gone, {other} results that are other bytes)")
    sys.exit(1 if alarms or not repeats else 0)


if __name__ == "__main__":
    main()
