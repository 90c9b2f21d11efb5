#!/usr/bin/env python3
"""Makes a large, valid Spark event log out of a small real one, and checks that a report finds in it what was planted.

    tests/bench/make_log.py OUT --size 1GB                           a file of about a gigabyte
    tests/bench/make_log.py OUT --tasks 1000000 --codec zstd         as many tasks, as Spark compresses it
    tests/bench/make_log.py FOLDER --size 4GiB --rolling --codec zstd    FOLDER/eventlog_v2_*, in parts of 128 MiB
    tests/bench/make_log.py OUT --size 100MB --check build/release/src/stagegate

What the real log's application did once, it does again and again, each time with other ids, numbers, times and plans, and with as
many tasks as wanted. Everything follows from the seed. The sums of what was planted lie beside the log, in OUT.truth.json; --check
compares them with `stagegate report --format json`, also for a log that is there already (without --size and --tasks).

Real task ends have 2.5 to 7 KB, most of it accumulables. By default they are as long as the real log has them; --task-end-bytes 3300 cuts
their lists, for short lines are the harder case. The C++ program make_log does the work; this script is the way to call it.
"""
from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from measure import BINARY, ROOT, bench_tool, readable, size

CODECS = ("none", "zstd", "lz4", "lz4-frame")


@dataclass(frozen=True)
class LogSpec:
    size: int | None = None
    tasks: int | None = None
    stages: int | None = None
    seed: int = 1
    codec: str = "none"
    rolling: bool = False
    task_end_bytes: int | None = None
    plan_bytes: int | None = None
    real_log: Path | None = None


def small_real_log() -> Path:
    """The one in tests/data: its name holds the time of the run, so it is found by how it begins."""
    for path in sorted((ROOT / "tests/data/logs").iterdir()):
        if path.is_file() and path.read_bytes().startswith(b'{"Event":"SparkListenerLogStart"'):
            return path
    sys.exit("tests/data/logs holds no event log")


def truth_path(log: Path) -> Path:
    return log.with_name(f"{log.name}.truth.json")


def truth_of(log: Path) -> dict[str, Any]:
    return json.loads(truth_path(log).read_text())


def make(spec: LogSpec, out: Path) -> dict[str, Any]:
    """Gives the truth. With `rolling`, OUT is the folder around the log's own."""
    command: list[str | Path] = [bench_tool("make_log"), spec.real_log or small_real_log(), out, "--truth", truth_path(out)]
    numbers = {
        "--bytes": spec.size,
        "--tasks": spec.tasks,
        "--stages": spec.stages,
        "--task-end-bytes": spec.task_end_bytes,
        "--plan-bytes": spec.plan_bytes,
    }
    for option, number in numbers.items():
        if number is not None:
            command += [option, str(number)]
    command += ["--seed", str(spec.seed), "--codec", spec.codec, *(["--rolling"] if spec.rolling else [])]
    if subprocess.run(command).returncode != 0:
        sys.exit(1)
    return truth_of(out)


def differences(truth: dict[str, Any], report: dict[str, Any]) -> list[str]:
    """What a report says otherwise than what was planted."""
    found: list[str] = []

    def compare(what: str, planted: object, reported: object) -> None:
        if planted != reported:
            found.append(f"{what}: planted {planted}, reported {reported}")

    evidence = report["evidence"]
    compare("evidence complete", True, evidence["complete"])
    compare("lines", truth["lines"], evidence["lines"])
    compare("malformed lines", 0, evidence["malformed_lines"])
    compare("unknown events", 0, evidence["unknown_events"])
    compare("application", truth["application"], report["application"]["id"])
    ran = {stage["id"]: stage for stage in report["stages"] if stage["status"] != "SKIPPED"}
    compare("stages", [stage["id"] for stage in truth["stages"]], sorted(ran))
    for planted in truth["stages"]:
        reported = ran.get(planted["id"])
        if reported is None:
            continue
        name = f"stage {planted['id']}"
        compare(f"{name}: status", "COMPLETE", reported["status"])
        compare(f"{name}: tasks declared", planted["tasks"], reported["tasks"]["declared"])
        compare(f"{name}: tasks", planted["tasks"], reported["tasks"]["succeeded"])
        for kind in ("bytes", "records"):
            for metric, number in planted[kind].items():
                compare(f"{name}: {kind} {metric}", number, reported[kind][metric])
        for end, number in planted["duration_ms"].items():
            compare(f"{name}: duration {end}", number, reported["distribution"]["duration_ms"][end])
    return found


def check(binary: Path, log: Path) -> list[str]:
    done = subprocess.run([binary, "report", log, "--format", "json"], capture_output=True, text=True)
    if done.returncode != 0:
        return [done.stderr.strip()]
    return differences(truth_of(log), json.loads(done.stdout))


def described(truth: dict[str, Any], log: Path) -> str:
    files = [log] if log.is_file() else [path for path in log.rglob("*") if path.is_file()]
    stored = sum(path.stat().st_size for path in files)
    return (
        f"{log}: {readable(truth['uncompressed_bytes'])}, {readable(stored)} on disk; "
        f"{truth['lines']} lines, {truth['tasks']} tasks, {len(truth['stages'])} stages"
    )


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, metavar="OUT")
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("--size", type=size, help="of the uncompressed log, about: 100MB, 1GiB")
    amount.add_argument("--tasks", type=int)
    parser.add_argument("--stages", type=int, help="that run; without it they have about a thousand tasks each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rolling", action="store_true", help="OUT is the folder that gets the log's folder")
    parser.add_argument("--codec", choices=CODECS, default="none", help="zstd and lz4 as Spark writes them, lz4-frame as lz4 does")
    parser.add_argument("--task-end-bytes", type=int, help="of a task end, on average; 0 (the default): as the real log has them")
    parser.add_argument("--plan-bytes", type=size, help="of the largest event with a plan (1MB)")
    parser.add_argument("--from", type=Path, dest="real_log", metavar="LOG", help="another real log, uncompressed")
    parser.add_argument("--check", type=Path, nargs="?", const=BINARY, metavar="BINARY", help="compare with a report by it")
    return parser.parse_args()


def main() -> None:
    options = parse()
    names = ("size", "tasks", "stages", "seed", "codec", "rolling", "task_end_bytes", "plan_bytes", "real_log")
    if options.size or options.tasks:
        print(described(make(LogSpec(**{name: getattr(options, name) for name in names}), options.out), options.out))
    elif not options.check:
        sys.exit("--size or --tasks is needed, or --check for a log that is there")
    if options.check:
        found = check(options.check.resolve(), options.out)
        print("\n".join(found[:20]) if found else "the report says what was planted")
        sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
