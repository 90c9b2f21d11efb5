"""What the benches share: sizes, the cost of a process, turns, and a goal beside its figure."""
from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/release"
BINARY = BUILD / "src/stagegate"
HOW_TO_BUILD = "cmake --preset release -DSTAGEGATE_BENCH=ON && cmake --build --preset release"
UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30}


def size(text: str) -> int:
    """1GB is decimal, 1GiB binary."""
    match = re.fullmatch(r"([\d.]+)\s*([KMG]i?)?B?", text, re.IGNORECASE)
    if not match:
        raise argparse.ArgumentTypeError(f"no size: {text}; for example 100MB or 1GiB")
    unit = (match[2] or "").capitalize()
    return int(float(match[1]) * UNITS[unit])


def readable(number: float) -> str:
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if number >= unit:
            return f"{number / unit:.3g} {name}"
    return f"{number:.0f} B"


def bench_tool(name: str) -> Path:
    path = BUILD / "tests/bench" / name
    if not path.exists():
        sys.exit(f"{path.relative_to(ROOT)} is not there: {HOW_TO_BUILD}")
    return path


def need_space(folder: Path, wanted: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < wanted + 2 * 10**9:
        sys.exit(f"{folder} has {readable(free)} free; {readable(wanted)} are needed, and 2 GB should stay free")


def read_from_disk(log: Path) -> None:
    """Has LOG in the page cache as the system reads a file. As a program has written it, in small pieces, it lies there in small pages,
    and to read these takes half as long again."""
    for file in [log] if log.is_file() else [path for path in log.rglob("*") if path.is_file()]:
        with file.open("rb", buffering=0) as stream:
            os.fsync(stream.fileno())
            os.posix_fadvise(stream.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            while stream.read(1 << 20):
                pass


BUSY_CORES, BUSY_SECONDS = 0.15, 0.05


@dataclass(frozen=True)
class Cost:
    seconds: float
    cpu_seconds: float
    peak_bytes: int  # never less than the calling script's own: a child starts as its copy
    others_cpu_seconds: float  # what everybody else on the machine used meanwhile
    threads: int = 1  # so many cores it had use for

    @property
    def others_cores(self) -> float:
        return self.others_cpu_seconds / self.seconds

    @property
    def disturbed(self) -> bool:
        """Others took cores that it had use for. Its own times do not show it: two threads on one core spend a second a second."""
        spare = max((os.cpu_count() or 1) - self.threads, 0)
        return self.others_cores > spare + BUSY_CORES and self.others_cpu_seconds > BUSY_SECONDS

    def note(self) -> str:
        return f"(others used {self.others_cores:.1f} cores meanwhile)" if self.disturbed else ""


def machine_cpu_seconds() -> float:
    """Of all cores since the start of the machine, with what its host took away; in steps of a hundredth of a second."""
    user, nice, system, _idle, _iowait, irq, softirq, steal = (
        int(field) for field in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    )
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


class Failed(Exception):
    """A process that ended otherwise than with 0: what it said on stderr."""


def cost_of(command: list[str | Path], environment: Mapping[str, str] | None = None, threads: int = 1) -> Cost:
    """Of one process. What it prints goes to /dev/null."""
    start, machine_start = time.perf_counter(), machine_cpu_seconds()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, **(environment or {})})
    errors = process.stderr.read()  # type: ignore[union-attr]
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise Failed(f"{Path(command[0]).name} ended with {process.returncode}: {errors.decode(errors='replace').strip()[-500:]}")
    cpu = usage.ru_utime + usage.ru_stime
    return Cost(seconds, cpu, usage.ru_maxrss * 1024, machine_cpu_seconds() - machine_start - cpu, threads)


def median_of(costs: list[Cost]) -> Cost:
    seconds = statistics.median(cost.seconds for cost in costs)
    others_cores = sum(cost.others_cpu_seconds for cost in costs) / sum(cost.seconds for cost in costs)
    return Cost(
        seconds,
        statistics.median(cost.cpu_seconds for cost in costs),
        max(cost.peak_bytes for cost in costs),
        others_cores * seconds,
        costs[0].threads,
    )


def rounds_of(contestants: Mapping[str, Callable[[], Cost]], rounds: int) -> dict[str, list[Cost]]:
    """Of each contestant its cost in each round. Who goes first changes: a machine that slows down while it is busy favours none."""
    costs: dict[str, list[Cost]] = {name: [] for name in contestants}
    names = list(contestants)
    for n in range(rounds):
        turn = n % len(names)
        for name in names[turn:] + names[:turn]:
            costs[name].append(contestants[name]())
    return costs


def take_turns(contestants: Mapping[str, Callable[[], Cost]], rounds: int) -> dict[str, Cost]:
    return {name: median_of(all_of) for name, all_of in rounds_of(contestants, rounds).items()}


def times_as_fast(slow: list[Cost], fast: list[Cost]) -> float:
    """The median of what the rounds say: what disturbs a whole round is in both of its costs."""
    return statistics.median(one.seconds / other.seconds for one, other in zip(slow, fast, strict=True))


def machine() -> str:
    models = [line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    return f"{os.cpu_count()} cores, {models[0] if models else 'unknown'}; load {os.getloadavg()[0]:.2f}"


def verdict(met: bool, *costs: Cost) -> str:
    """COSTS: what the figure was made of."""
    if any(cost.disturbed for cost in costs):
        return "not decided, the machine was busy"
    return "met" if met else "NOT met"
