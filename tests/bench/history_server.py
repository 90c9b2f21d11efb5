#!/usr/bin/env python3
"""`stagegate report` against Spark's own history server and the profiling tool of the RAPIDS accelerator, on the same log, in turns.

    tests/bench/history_server.py [BINARY] [LOG or SIZE]      (build/release/src/stagegate, 1GB)

The history server is that of .venv (ci/setup). It is measured as one who waits for it: `asked` is the time of the first answer to
/api/v1/applications/<id>/stages of a server that is up and has listed the application, which is when it replays the log; `started` is
the time from starting the server to that answer. Each round starts a new one. The profiling tool comes as a jar inside the Python
package spark-rapids-user-tools, which pip downloads to the temporary folder; it runs on the Spark of .venv-spark3 and is left out where
one of them cannot be had. The server's numbers are held against ours too: who answers faster has to give the same answer.
"""
from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from make_log import LogSpec, make
from measure import (
    BINARY,
    ROOT,
    Cost,
    Failed,
    cost_of,
    machine,
    machine_cpu_seconds,
    median_of,
    need_space,
    read_from_disk,
    readable,
    size,
    take_turns,
    verdict,
)

GOAL_TIMES_FASTER = 100
RUNS_A_TURN = 7
CORES = os.cpu_count() or 1
HEAP = "4g"
PATIENCE_S = 1800
RAPIDS_TOOLS = "spark-rapids-user-tools==26.8.4"
RAPIDS_MAIN = "com.nvidia.spark.rapids.tool.profiling.ProfileMain"
# What the REST API calls it, and where a report has it.
METRICS = {
    "numCompleteTasks": ("tasks", "succeeded"),
    "inputBytes": ("bytes", "input"),
    "inputRecords": ("records", "input"),
    "outputBytes": ("bytes", "output"),
    "shuffleReadBytes": ("bytes", "shuffle_read"),
    "shuffleReadRecords": ("records", "shuffle_read"),
    "shuffleWriteBytes": ("bytes", "shuffle_write"),
    "shuffleWriteRecords": ("records", "shuffle_write"),
}


def spark_home(venv: str) -> Path | None:
    found = sorted((ROOT / venv).glob("lib/python3*/site-packages/pyspark"))
    return found[0] if found else None


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def linked(log: Path, folder: Path) -> Path:
    """The log under a name that tools of Spark take it by, in a folder of its own, without copying where that is possible."""
    folder.mkdir()
    target = folder / log.name

    def link(source: str, to: str) -> None:
        try:
            os.link(source, to)
        except OSError:
            shutil.copyfile(source, to)

    if log.is_dir():
        shutil.copytree(log, target, copy_function=link)
    else:
        link(str(log), str(target))
    return target


@dataclass
class HistoryServer:
    process: subprocess.Popen[bytes]
    url: str
    started: float
    machine_started: float
    said: Path

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(f"{self.url}{path}", timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def applications(self) -> list[dict[str, Any]]:
        try:
            return self.get("/applications")
        except (urllib.error.URLError, ConnectionError, json.JSONDecodeError):
            return []  # it is only just coming up

    def wait_for_listing(self, application: str) -> None:
        """Until the application is there and is known to have ended."""
        while time.perf_counter() - self.started < PATIENCE_S:
            if self.process.poll() is not None:
                raise Failed(f"the history server ended:\n{self.said.read_text(errors='replace')[-2000:]}")
            if any(entry["id"] == application and entry["attempts"][0]["completed"] for entry in self.applications()):
                return
            time.sleep(0.05)
        raise Failed("the history server does not list the application")

    def peak_bytes(self) -> int:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM"))


@contextmanager
def history_server(home: Path, log_folder: Path, folder: Path) -> Iterator[HistoryServer]:
    port = free_port()
    options = {"fs.logDirectory": log_folder.as_uri(), "ui.port": str(port), "fs.update.interval": "1s"}
    environment = {
        "SPARK_HOME": str(home),
        "SPARK_DAEMON_MEMORY": HEAP,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_HISTORY_OPTS": " ".join(f"-Dspark.history.{key}={value}" for key, value in options.items()),
    }
    command = [home / "bin/spark-class", "org.apache.spark.deploy.history.HistoryServer"]
    started, machine_started = time.perf_counter(), machine_cpu_seconds()
    said = folder / "history-server.log"
    with said.open("wb") as sink:
        # spark-class replaces itself by the JVM: its process id is the server's.
        process = subprocess.Popen(command, stdout=sink, stderr=sink, cwd=folder, env={**os.environ, **environment})
    try:
        yield HistoryServer(process, f"http://127.0.0.1:{port}/api/v1", started, machine_started, said)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@dataclass
class Replay:
    asked: Cost
    started: Cost
    stages: list[dict[str, Any]]


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def replay(home: Path, log_folder: Path, folder: Path, application: str) -> Replay:
    with history_server(home, log_folder, folder) as server:
        server.wait_for_listing(application)
        pid, peak = server.process.pid, server.peak_bytes
        asked, cpu_asked, machine_asked = time.perf_counter(), cpu_seconds(pid), machine_cpu_seconds()
        stages = server.get(f"/applications/{application}/stages")
        answered, cpu, machine_cpu = time.perf_counter(), cpu_seconds(pid), machine_cpu_seconds()
        cpu_answer = cpu - cpu_asked
        return Replay(
            Cost(answered - asked, cpu_answer, peak(), machine_cpu - machine_asked - cpu_answer, CORES),
            Cost(answered - server.started, cpu, peak(), machine_cpu - server.machine_started - cpu, CORES),
            stages,
        )


def report(binary: Path, log: Path) -> dict[str, Any]:
    done = subprocess.run([binary, "report", log, "--format", "json"], capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(done.stderr.strip())
    return json.loads(done.stdout)


def compare_answers(ours: dict[str, Any], theirs: list[dict[str, Any]]) -> str:
    """The server drops the oldest stages where there are more than spark.ui.retainedStages; the others have to be equal."""
    reported = {(stage["id"], stage["attempt"]): stage for stage in ours["stages"] if stage["status"] == "COMPLETE"}
    shared = [stage for stage in theirs if (stage["stageId"], stage["attemptId"]) in reported]
    wrong = 0
    for stage in shared:
        mine = reported[stage["stageId"], stage["attemptId"]]
        wrong += any((mine[group][key] or 0) != stage[name] for name, (group, key) in METRICS.items())
    return f"{len(shared) - wrong} of {len(shared)} stages that it answered with have our numbers ({len(reported)} in the log)"


def rapids_jar(folder: Path) -> Path | None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "-d", folder, RAPIDS_TOOLS]
    if subprocess.run(command, stderr=subprocess.DEVNULL).returncode != 0:
        return None
    for wheel in folder.glob("spark_rapids_user_tools*.whl"):
        with zipfile.ZipFile(wheel) as content:
            for name in content.namelist():
                if name.endswith(".jar") and "rapids-4-spark-tools" in name:
                    return Path(content.extract(name, folder))
    return None


def profile(jar: Path, home: Path, log: Path, folder: Path) -> Cost:
    out = folder / "profile"
    shutil.rmtree(out, ignore_errors=True)
    command = ["java", f"-Xmx{HEAP}", "-cp", f"{jar}:{home}/jars/*", RAPIDS_MAIN, "--output-directory", out, log]
    cost = cost_of(command, {"SPARK_LOCAL_IP": "127.0.0.1"}, CORES)
    if not any(out.rglob("stage_level_aggregated_task_metrics.csv")):
        raise Failed("the profiling tool made nothing of the log")
    return cost


class Contest:
    def __init__(self, binary: Path, log: Path, folder: Path) -> None:
        self.binary, self.log, self.folder = binary, linked(log, folder / "logs"), folder
        self.spark, self.spark3 = spark_home(".venv"), spark_home(".venv-spark3")
        self.jar = rapids_jar(folder) if self.spark3 else None
        self.report = report(binary, self.log)
        self.replays: list[Replay] = []

    def ours(self) -> Cost:
        """Several times a turn: a tenth of a second is soon disturbed, theirs last a hundred times as long."""
        return median_of([cost_of([self.binary, "report", self.log, "--format", "json"], threads=CORES) for _ in range(RUNS_A_TURN)])

    def history(self) -> Cost:
        assert self.spark
        self.replays.append(replay(self.spark, self.log.parent, self.folder, self.report["application"]["id"]))
        return self.replays[-1].asked

    def profiled(self) -> Cost:
        assert self.jar and self.spark3
        return profile(self.jar, self.spark3, self.log, self.folder)

    def contestants(self) -> dict[str, Callable[[], Cost]]:
        there: dict[str, Callable[[], Cost]] = {"stagegate report": self.ours}
        if self.spark:
            there["history server, asked"] = self.history
        else:
            print("  history server: not there (ci/setup makes .venv)")
        try:
            if self.jar:
                self.profiled()
                there["RAPIDS profiling tool"] = self.profiled
            else:
                print("  RAPIDS profiling tool: not there (pip has no spark-rapids-user-tools, or there is no .venv-spark3)")
        except Failed as failure:
            print(f"  RAPIDS profiling tool: left out, {failure}")
        return there

    def run(self, rounds: int) -> None:
        costs = take_turns(self.contestants(), rounds)
        ours = costs.pop("stagegate report")
        print(f"  {'stagegate report':26} {figures(ours)}")
        if self.replays:
            costs["history server, started"] = median_of([replay.started for replay in self.replays])
        for name, cost in costs.items():
            print_ratio(name, ours, cost)
        if self.replays:
            print(f"  history server: {compare_answers(self.report, self.replays[-1].stages)}")


def figures(cost: Cost) -> str:
    return f"{cost.seconds:8.2f} s {cost.cpu_seconds:8.2f} s cpu {cost.peak_bytes / 1e6:7.0f} MB {cost.note()}".rstrip()


def print_ratio(name: str, ours: Cost, theirs: Cost) -> None:
    times, cpu_times = theirs.seconds / ours.seconds, theirs.cpu_seconds / ours.cpu_seconds
    memory = theirs.peak_bytes / ours.peak_bytes
    met = verdict(times >= GOAL_TIMES_FASTER, ours, theirs)
    print(f"  {name:26} {figures(theirs)}")
    print(f"    {times:.0f} times our time, goal at least {GOAL_TIMES_FASTER}: {met}")
    print(f"    {cpu_times:.0f} times our CPU time, {memory:.0f} times our memory", flush=True)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", nargs="?", type=Path, default=BINARY, metavar="BINARY")
    parser.add_argument("log", nargs="?", default="1GB", metavar="LOG or SIZE")
    parser.add_argument("--rounds", type=int, default=3)
    return parser.parse_args()


def log_for(text: str, folder: Path) -> Path:
    """The log that is there, or one that is made: uncompressed and in one file, which is the quickest for the server to list."""
    if Path(text).exists():
        return Path(text).resolve()
    wanted = size(text)
    need_space(folder, wanted)
    make(LogSpec(size=wanted), folder / "application")
    read_from_disk(folder / "application")
    return folder / "application"


def main() -> None:
    options = parse()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = log_for(options.log, folder)
        stored = sum(path.stat().st_size for path in ([log] if log.is_file() else log.rglob("*")) if path.is_file())
        print(f"{machine()}; {readable(stored)} on disk; median of {options.rounds}, in turns", flush=True)
        try:
            Contest(options.binary.resolve(), log, folder).run(options.rounds)
        except Failed as failure:
            sys.exit(str(failure))
        print(machine())


if __name__ == "__main__":
    main()
