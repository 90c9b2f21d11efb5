#!/usr/bin/env python3
"""How fast `stagegate report` reads, and in how much memory, beside other people's code on the same bytes.

    tests/bench/reader.py [BINARY] [SIZE]      (build/release/src/stagegate, 1GB; the helpers: -DSTAGEGATE_BENCH=ON)
    tests/bench/reader.py --keep FOLDER        makes the logs there, or takes those that an earlier run has left
    tests/bench/reader.py --only plain,zstd    parts: plain, zstd, lz4, threads, memory

Run it on a machine with nothing else to do. All that is compared reads the same file from the page cache, one after the other in turns,
each as a process of its own; the median counts. GB/s are of uncompressed bytes. It needs the commands zstd and lz4, and about 13 GB in
the temporary folder (TMPDIR) for a SIZE of 1GB.
"""
from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from make_log import LogSpec, make, truth_of, truth_path
from measure import (
    BINARY, ROOT, Cost, Failed, bench_tool, cost_of, machine, median_of, need_space, read_from_disk, readable, rounds_of, size, take_turns,
    times_as_fast, verdict,
)  # fmt: skip

CORES = os.cpu_count() or 1
OURS, OURS_BY_DEFAULT = "stagegate report", "stagegate report, default threads"
SIDE_BY_SIDE = "--threads 1, twice side by side"
SPARK_PYTHON = ROOT / ".venv/bin/python"
LZ4_JAVA = Path(__file__).with_name("lz4_java.py")
GOAL_GB_PER_CORE = 1.5
GOAL_OF_DOM = 3.0
GOAL_OF_DECOMPRESSOR = 1.25
GOAL_OF_TWO_THREADS = 1.8
GOAL_PEAK_BYTES, GOAL_BYTES_PER_TASK = 64 * 10**6, 64
MEMORY_SIZES = (10**8, 10**9, 4 * 10**9)
PYTHON_BYTES = 50 * 10**6
PYTHON_JSON = """
import json, sys
left = int(sys.argv[2])
with open(sys.argv[1], "rb") as log:
    for line in log:
        json.loads(line)
        left -= len(line)
        if left <= 0:
            break
"""


@dataclass(frozen=True)
class Bench:
    binary: Path
    size: int
    folder: Path
    rounds: int
    has_threads: bool
    task_end_bytes: int | None

    def log(self, codec: str, rolling: bool = False, bytes_: int | None = None) -> Path:
        """Made where it is not there yet, and in the page cache."""
        spec = LogSpec(size=bytes_ or self.size, codec=codec, rolling=rolling, task_end_bytes=self.task_end_bytes)
        lines = "" if self.task_end_bytes is None else f"-{self.task_end_bytes}"
        path = self.folder / f"{'rolling' if rolling else 'log'}-{spec.size}{lines}-{codec}"
        if not truth_path(path).exists():
            shutil.rmtree(path, ignore_errors=True)
            make(spec, path)
        read_from_disk(path)
        return path

    def report(self, log: Path, threads: int | None = 1) -> Cost:
        return cost_of(self.command(log, threads), threads=threads or CORES)

    def command(self, log: Path, threads: int | None) -> list[str | Path]:
        choice = ["--threads", str(threads)] if self.has_threads and threads else []
        return [self.binary, "report", log, "--format", "json", *choice]


def row(name: str, cost: Cost, bytes_: int, note: str = "") -> None:
    print(
        f"  {name:34} {cost.seconds:7.3f} s {cost.cpu_seconds:7.3f} s cpu {bytes_ / cost.seconds / 1e9:6.2f} GB/s"
        f" {cost.peak_bytes / 1e6:6.0f} MB   {note} {cost.note()}".rstrip(),
        flush=True,
    )


def goal(what: str, met: bool, *costs: Cost) -> None:
    print(f"    {what}: {verdict(met, *costs)}", flush=True)


def reads(bench: Bench, log: Path) -> bool:
    try:
        bench.report(log)
    except Failed as failure:
        print(f"  {OURS:34} not there: {str(failure).splitlines()[0].split(';')[0]}")
        return False
    return True


def compare(bench: Bench, log: Path, others: Mapping[str, Callable[[], Cost]]) -> dict[str, Cost]:
    """Ours on one thread against the others, one row each; ours is missing where it cannot read the log."""
    contestants = dict(others)
    if reads(bench, log):
        contestants = {OURS: lambda: bench.report(log), **contestants}
        if bench.has_threads:
            contestants[OURS_BY_DEFAULT] = lambda: bench.report(log, None)
    costs = take_turns(contestants, bench.rounds)
    ours = costs.get(OURS)
    for name, cost in costs.items():
        note = f"ours: {ours.seconds / cost.seconds:.2f} times as long" if ours and name in others else ""
        row(name, cost, truth_of(log)["uncompressed_bytes"], note)
    return costs


def plain(bench: Bench) -> None:
    log = bench.log("none")
    bytes_ = truth_of(log)["uncompressed_bytes"]
    print(f"\nplain ({readable(bytes_)}, {truth_of(log)['tasks']} tasks)")
    line_speed = bench_tool("line_speed")
    costs = compare(
        bench,
        log,
        {
            "memchr over the lines": lambda: cost_of([line_speed, "memchr", log]),
            "Boost.JSON DOM of each line": lambda: cost_of([line_speed, "dom", log]),
        },
    )
    python_bytes = min(PYTHON_BYTES, bytes_)
    python = median_of([cost_of([sys.executable, "-c", PYTHON_JSON, log, str(python_bytes)]) for _ in range(3)])
    row(f"Python's json, first {readable(python_bytes)}", python, python_bytes)
    ours = costs.get(OURS)
    if ours:
        speed = bytes_ / ours.cpu_seconds / 1e9
        goal(f"{speed:.2f} GB/s a core, goal at least {GOAL_GB_PER_CORE}", speed >= GOAL_GB_PER_CORE)
        times = costs["Boost.JSON DOM of each line"].cpu_seconds / ours.cpu_seconds
        goal(f"{times:.2f} times as fast as the DOM, goal at least {GOAL_OF_DOM}", times >= GOAL_OF_DOM)
        print(f"    {python.cpu_seconds / python_bytes / (ours.cpu_seconds / bytes_):.0f} times as fast as Python's json")


def against_decompressor(costs: Mapping[str, Cost], decompressor: str) -> None:
    """Each with as many threads as it takes by itself: `zstd -dc` has one for what it writes."""
    if OURS not in costs:
        return
    one, theirs = costs[OURS], costs[decompressor]
    ours = costs.get(OURS_BY_DEFAULT, one)
    ratio = ours.seconds / theirs.seconds
    what = f"{ratio:.2f} times as long as {decompressor}, each as it comes, goal at most {GOAL_OF_DECOMPRESSOR}"
    goal(what, ratio <= GOAL_OF_DECOMPRESSOR, ours, theirs)
    cpu = one.cpu_seconds / theirs.cpu_seconds
    print(f"    {one.seconds / theirs.seconds:.2f} times as long with one thread, {cpu:.2f} times the CPU time")


def compressed(
    bench: Bench, title: str, codec: str, decompressor: str, others: Callable[[Path], Mapping[str, Callable[[], Cost]]]
) -> Mapping[str, Cost]:
    log = bench.log(codec)
    truth = truth_of(log)
    print(f"\n{title} ({readable(truth['uncompressed_bytes'])} in {readable(log.stat().st_size)})")
    costs = compare(bench, log, others(log))
    against_decompressor(costs, decompressor)
    return costs


def against_lz4_java(bench: Bench, ours: Cost) -> None:
    """The command lz4 does not read what Spark writes. What people have that does is Spark's own library."""
    if not SPARK_PYTHON.exists():
        print(f"  {SPARK_PYTHON.relative_to(ROOT)} is not there: ci/setup makes it")
        return
    log = bench.log("lz4")
    answer = subprocess.run([SPARK_PYTHON, LZ4_JAVA, log, str(bench.rounds)], capture_output=True, text=True, check=True).stdout
    theirs = statistics.median(json.loads(answer))
    print(f"  {'lz4-java, without its start':34} {theirs:7.3f} s")
    ratio = ours.seconds / theirs
    goal(f"{ratio:.2f} times as long as lz4-java, goal at most {GOAL_OF_DECOMPRESSOR}", ratio <= GOAL_OF_DECOMPRESSOR, ours)


def zstd(bench: Bench) -> None:
    line_speed = bench_tool("line_speed")
    compressed(
        bench,
        "zstd, as Spark writes it",
        "zstd",
        "zstd -dc",
        lambda log: {
            "zstd -dc": lambda: cost_of(["zstd", "-dcf", log]),
            "libzstd alone": lambda: cost_of([line_speed, "zstd", log]),
        },
    )


def lz4(bench: Bench) -> None:
    line_speed = bench_tool("line_speed")
    costs = compressed(
        bench,
        "lz4, as Spark writes it",
        "lz4",
        "liblz4 and the checksums",  # without them nobody can say whether a block is what was written: lz4-java and `lz4 -dc` have them too
        lambda log: {
            "liblz4 alone": lambda: cost_of([line_speed, "lz4-blocks", log]),
            "liblz4 and the checksums": lambda: cost_of([line_speed, "lz4-blocks-checked", log]),
        },
    )
    if OURS in costs:
        against_lz4_java(bench, costs[OURS])
    compressed(
        bench,
        "lz4, as the lz4 command writes it",
        "lz4-frame",
        "lz4 -dc",
        lambda log: {
            "lz4 -dc": lambda: cost_of(["lz4", "-dcf", log]),
            "lz4 -dc --no-crc": lambda: cost_of(["lz4", "--no-crc", "-dcf", log]),
        },
    )


def threads(bench: Bench) -> None:
    """Of a small log the start of the process, the rules and the report are a larger share: so of a large one too."""
    for bytes_, codec in product(sorted({bench.size, max(MEMORY_SIZES)}), ("none", "zstd")):
        print(f"\nrolling log, {readable(bytes_)}, {'plain' if codec == 'none' else codec}")
        if bench.has_threads:
            two_threads(bench, codec, bytes_)
        else:
            print("  --threads is not there")


def two_threads(bench: Bench, codec: str, bytes_: int) -> None:
    line_speed = bench_tool("line_speed")
    log = bench.log(codec, rolling=True, bytes_=bytes_)
    files = sorted(log.rglob("events_*"))
    ours = [f"--threads {n}" for n in (1, 2)]
    alone = [f"reading alone, threads: {n}" for n in (1, 2)]
    contestants = {name: lambda n=n: bench.report(log, n) for n, name in enumerate(ours, 1)}
    contestants[SIDE_BY_SIDE] = lambda: cost_of(["sh", "-c", '"$@" & "$@" & wait', "sh", *bench.command(log, 1)], threads=2)
    if codec == "none":
        contestants |= {name: lambda n=n: cost_of([line_speed, f"read-{n}", *files], threads=n) for n, name in enumerate(alone, 1)}
    costs = rounds_of(contestants, bench.rounds)
    medians = {name: median_of(all_of) for name, all_of in costs.items()}
    for name, cost in medians.items():
        row(name, cost, truth_of(log)["uncompressed_bytes"] * (2 if name == SIDE_BY_SIDE else 1))
    times = times_as_fast(*(costs[name] for name in ours))
    what = f"{times:.2f} times as fast with two threads, goal at least {GOAL_OF_TWO_THREADS}"
    goal(what, times >= GOAL_OF_TWO_THREADS, *medians.values())
    limit = 2 * times_as_fast(costs[ours[0]], costs[SIDE_BY_SIDE])
    print(f"    {limit:.2f} times as much is what this machine gets done in two processes that share nothing")
    if codec == "none":
        limit = times_as_fast(*(costs[name] for name in alone))
        print(f"    {limit:.2f} times is what two threads gain on this machine where nothing is done with what is read")


def memory(bench: Bench) -> None:
    print("\npeak memory of a report")
    for bytes_ in MEMORY_SIZES:
        log = bench.log("none", bytes_=bytes_)
        tasks = truth_of(log)["tasks"]
        peak = bench.report(log).peak_bytes
        without_tasks = peak - GOAL_BYTES_PER_TASK * tasks
        goal(
            f"{readable(bytes_)}, {tasks} tasks: {peak / 1e6:.0f} MB, {without_tasks / 1e6:.0f} MB without {GOAL_BYTES_PER_TASK} B a task,"
            f" goal under {readable(GOAL_PEAK_BYTES)}",
            without_tasks < GOAL_PEAK_BYTES,
        )


PARTS: dict[str, Callable[[Bench], None]] = {"plain": plain, "zstd": zstd, "lz4": lz4, "threads": threads, "memory": memory}


def has_threads(binary: Path) -> bool:
    return "--threads" in subprocess.run([binary, "report", "--help"], capture_output=True, text=True, check=True).stdout


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", nargs="?", type=Path, default=BINARY, metavar="BINARY")
    parser.add_argument("size", nargs="?", type=size, default=10**9, metavar="SIZE")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--task-end-bytes", type=int, help="of make_log.py: longer lines are read faster; 0 (the default): as the real log has them")
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(PARTS), metavar="PARTS")
    options = parser.parse_args()
    if unknown := set(options.only) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    return options


def run(options: argparse.Namespace, folder: Path) -> None:
    for tool in ("zstd", "lz4"):
        if not shutil.which(tool):
            sys.exit(f"{tool} is not there: install it (Debian: the package {tool})")
    if not options.keep or not any(folder.iterdir()):
        more = {"memory": sum(MEMORY_SIZES), "threads": int(1.1 * max(MEMORY_SIZES))}
        need_space(folder, int(2.5 * options.size) + sum(more.get(part, 0) for part in options.only))
    binary = options.binary.resolve()
    bench = Bench(binary, options.size, folder, options.rounds, has_threads(binary), options.task_end_bytes)
    print(f"{machine()}; median of {bench.rounds}, in turns" + ("; stagegate with --threads 1" if bench.has_threads else ""))
    print(f"  {'':34} {'wall':>9} {'':13} {'of wall':>11} {'peak':>9}")
    for part in options.only:
        PARTS[part](bench)
    print(f"\n{machine()}")


def main() -> None:
    options = parse()
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
        run(options, options.keep.resolve())
        return
    with tempfile.TemporaryDirectory() as name:
        run(options, Path(name))


if __name__ == "__main__":
    main()
