#!/usr/bin/env python3
"""What it costs to find the stages of one run again in another, beside reading the two logs.

    tests/bench/matching.py [STAGES]           (20000; needs -DSTAGEGATE_BENCH=ON)
    tests/bench/matching.py --plan-bytes 20000    small plans: less to read, as much to match
    tests/bench/matching.py --keep FOLDER      makes the logs there, or takes those that an earlier run has left

Two made logs of so many stages, a few tasks each, with the plans of the real log they are made from. Reading, telling what each stage does,
matching and comparing are timed in one process, one after the other, with one thread; the median of the rounds counts, as a part of reading.
"changed" is the same with every 7th stage doing something more, every 5th action renamed, and every 50th stage replaced.
"""
from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from make_log import LogSpec, make, truth_path
from measure import bench_tool, machine, need_space, readable, verdict

GOAL_OF_READING = 0.5
GOAL_SECONDS = 2.0  # for 20,000 stages
TASKS_OF_STAGE = 3
BYTES_OF_STAGE = 300_000


def made(folder: Path, name: str, stages: int, seed: int, plan_bytes: int | None) -> Path:
    log = folder / f"{name}-{stages}-{plan_bytes or 'real'}"
    if not truth_path(log).exists():
        make(LogSpec(tasks=stages * TASKS_OF_STAGE, stages=stages, seed=seed, plan_bytes=plan_bytes), log)
    return log


def measured(before: Path, after: Path) -> dict[str, Any]:
    done = subprocess.run([bench_tool("match_speed"), before, after], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def show(rounds: list[dict[str, Any]], what: str) -> None:
    of_reading = statistics.median((r[what]["match_seconds"] + r[what]["compare_seconds"]) / r["read_seconds"] for r in rounds)
    seconds = statistics.median(r[what]["match_seconds"] + r[what]["compare_seconds"] for r in rounds)
    matched, rows = rounds[0][what]["matched"], rounds[0][what]["rows"]
    print(f"  {what}: {matched} matches in {rows} rows")
    print(f"    matching and comparing / reading   {of_reading:.3f}   goal <= {GOAL_OF_READING}   {verdict(of_reading <= GOAL_OF_READING)}")
    print(f"    seconds of one core                {seconds:.2f}    goal < {GOAL_SECONDS}     {verdict(seconds < GOAL_SECONDS)}")


def bench(folder: Path, stages: int, rounds: int, plan_bytes: int | None) -> None:
    before, after = (made(folder, name, stages, seed, plan_bytes) for name, seed in (("before", 1), ("after", 2)))
    results = [measured(before, after) for _ in range(rounds)]
    first = results[0]
    print(f"{first['stages']} stages a side, logs of {readable(before.stat().st_size)} and {readable(after.stat().st_size)}, {rounds} rounds")
    reading = statistics.median(r["read_seconds"] for r in results)
    telling = statistics.median(r["identify_seconds"] for r in results)
    print(f"  reading both {reading:.2f} s of one core; telling what each stage does {telling / reading:.2f} of that")
    for what in ("same", "changed"):
        show(results, what)
    more = first["peak_bytes"] - first["peak_bytes_before_matching"]
    print(f"  peak memory {readable(first['peak_bytes_before_matching'])} before matching, {readable(max(more, 0))} more with it")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stages", type=int, nargs="?", default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--plan-bytes", type=int, help="of the largest event with a plan; else as the real log has it")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        need_space(folder, 2 * options.stages * BYTES_OF_STAGE)
        bench(folder, options.stages, options.rounds, options.plan_bytes)


if __name__ == "__main__":
    main()
