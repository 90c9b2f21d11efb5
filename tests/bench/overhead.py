#!/usr/bin/env python3
"""What stagegate costs: its runs against plain spark-submit, and the time and memory of a report.

    tests/bench/overhead.py [BINARY] [ROUNDS]          (build/release/src/stagegate, 5)

Run it on a machine with nothing else to do, after `ci/demo`. Both sides start the same command line with the same event
log; they take turns, so that a machine that gets slower gets slower for both.
"""
from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
VARIANT = "adaptive"  # the fastest of the example: the least to hide behind

RUN_GOAL = 1.02
REPORT_GOAL_MS, REPORT_GOAL_MB = 60, 30
REPORT_ROUNDS = 20


@dataclass(frozen=True)
class Cost:
    seconds: float
    peak_mb: float


def cost_of(command: list[str], folder: Path, output: Path, environment: dict[str, str] | None = None, codes: tuple[int, ...] = (0,)) -> Cost:
    """Time and peak memory of one process. The memory is never less than this script's own: the child starts as its copy."""
    with output.open("wb") as sink:
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, stdout=sink, stderr=sink, env={**os.environ, **(environment or {})})
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in codes:
        sys.exit(f"{command[0]} ended with {process.returncode}:\n{output.read_text(errors='replace')[-3000:]}")
    return Cost(seconds, usage.ru_maxrss / 1000)


def gated(binary: Path, reports: Path, log: Path) -> Cost:
    command = [str(binary), "run", "--job", "revenue", "--variant", VARIANT, "--report-dir", str(reports)]
    # With or without a baseline, and whatever it says: only the time counts here.
    return cost_of(command, EXAMPLES, log, codes=(0, 1, 5))


def run_folder(reports: Path) -> Path:
    return reports / "runs/revenue" / VARIANT / "1"


def plain(reports: Path, folder: Path, log: Path) -> Cost:
    """What stagegate started for `reports`, started again by hand: the command line that it noted, with folders of its own."""
    run = run_folder(reports)
    noted = json.loads((run / "run.json").read_text())
    (folder / "eventlog").mkdir(parents=True)
    command = [argument.replace(str(run), str(folder)) for argument in noted["command"]]
    return cost_of(command, Path(noted["working_dir"]), log, noted["environment"])


def job_seconds(reports: Path) -> float:
    """How long the job's own process took, as the run noted it."""
    return json.loads((run_folder(reports) / "run.json").read_text())["duration_ms"] / 1000


def compare_runs(binary: Path, rounds: int, folder: Path) -> Path:
    """Prints the ratio; gives the event log of one gated run."""
    # Not counted: it fills the page cache for both sides, and notes the command line that the plain runs repeat.
    first = folder / "gated-0"
    gated(binary, first, folder / "gated.log")
    gated_s, plain_s, own_s = [], [], []

    def gated_turn(n: int) -> None:
        reports = folder / f"gated-{n}"
        gated_s.append(gated(binary, reports, folder / "gated.log").seconds)
        own_s.append(gated_s[-1] - job_seconds(reports))

    def plain_turn(n: int) -> None:
        plain_s.append(plain(first, folder / f"plain-{n}", folder / "plain.log").seconds)

    for n in range(1, rounds + 1):
        # Who goes first changes with each round: a machine that slows down while it is busy favours neither.
        turns = (gated_turn, plain_turn) if n % 2 else (plain_turn, gated_turn)
        for turn in turns:
            turn(n)
        print(f"round {n}: stagegate run {gated_s[-1]:6.2f} s   spark-submit {plain_s[-1]:6.2f} s   {gated_s[-1] / plain_s[-1]:.3f}", flush=True)
    ratios = sorted(mine / theirs for mine, theirs in zip(gated_s, plain_s))
    print(f"median ratio of {rounds} rounds {statistics.median(ratios):.3f}, from {ratios[0]:.3f} to {ratios[-1]:.3f} (goal: at most {RUN_GOAL})")
    # What remains of a run without the job's own process: free of how long Spark took this time.
    own = statistics.median(own_s)
    print(f"of each run {own:.2f} s were not the job's: {1 + own / statistics.median(plain_s):.3f} of plain spark-submit")
    return run_folder(first) / "eventlog"


def measure_report(binary: Path, event_log: Path, folder: Path) -> None:
    command = [str(binary), "report", str(event_log)]
    costs = [cost_of(command, folder, folder / "report.log") for _ in range(REPORT_ROUNDS)]
    milliseconds = statistics.median(cost.seconds for cost in costs) * 1000
    peak = max(cost.peak_mb for cost in costs)
    size = sum(path.stat().st_size for path in event_log.rglob("*") if path.is_file()) / 1e6
    print(f"report of {size:.1f} MB: {milliseconds:.0f} ms (goal: under {REPORT_GOAL_MS}), at most {peak:.0f} MB (goal: under {REPORT_GOAL_MB})")


def main() -> None:
    binary = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/src/stagegate").resolve()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    subprocess.run([ROOT / ".venv/bin/python", EXAMPLES / "make_data.py"], check=True, stderr=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        event_log = compare_runs(binary, rounds, folder)
        many_tasks = folder / "many-tasks"
        command = [str(binary), "run", "--job", "revenue", "--variant", "adaptive-off", "--report-dir", str(many_tasks)]
        cost_of(command, EXAMPLES, folder / "gated.log", codes=(0, 1, 5))
        measure_report(binary, event_log, folder)
        measure_report(binary, many_tasks / "runs/revenue/adaptive-off/1/eventlog", folder)


if __name__ == "__main__":
    main()
