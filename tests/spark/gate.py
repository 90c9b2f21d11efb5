"""`stagegate` as a person or a CI step calls it, and what a run left behind."""
from __future__ import annotations

import csv
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quick_java import quick_java

Stage = dict[str, Any]

# What would make two machines differ, or a laptop and a CI runner, is taken out of the environment.
LEFT_OUT = ("SPARK_", "PYSPARK_", "STAGEGATE_", "CI", "GITHUB_", "GITLAB_")


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(LEFT_OUT)}
    return {**kept, "SPARK_LOCAL_IP": "127.0.0.1", "JAVA_HOME": str(quick_java())}


@dataclass(frozen=True)
class Report:
    """`stagegate report --format json` of an event log."""

    json: dict[str, Any]

    @property
    def spark_version(self) -> str:
        return self.json["application"]["spark_version"]

    @property
    def ran(self) -> list[Stage]:
        return [stage for stage in self.json["stages"] if stage["tasks"]["succeeded"]]

    def found(self, rule: str) -> list[Stage]:
        """The stages with a finding of this rule."""
        at = {(finding["stage"], finding["attempt"]) for finding in self.json["findings"] if finding["rule"] == rule}
        return [stage for stage in self.ran if (stage["id"], stage["attempt"]) in at]

    @property
    def join(self) -> Stage:
        """The stage that reads both tables from the shuffle: the one that reads most."""
        return max(self.ran, key=lambda stage: stage["bytes"]["shuffle_read"] or 0)

    @property
    def last(self) -> Stage:
        return self.ran[-1]


def skew(stage: Stage) -> float:
    reads = stage["distribution"]["shuffle_read"]
    return reads["max"] / reads["median"]


@dataclass(frozen=True)
class Reading:
    """All that `stagegate report` says of an application: of its stages, and of its tasks."""

    report: dict[str, Any]
    tasks: list[dict[str, str]]


@dataclass(frozen=True)
class Gate:
    binary: Path

    def start(self, folder: Path, *arguments: str | Path) -> subprocess.Popen[str]:
        command = [self.binary, *arguments]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, cwd=folder, env=environment(), stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True)

    def __call__(self, folder: Path, *arguments: str | Path, exit_code: int) -> str:
        """Runs it in FOLDER; gives what it printed, and fails where the exit code is another one."""
        return self.outcome(folder, *arguments, exit_code=exit_code)[0]

    def outcome(self, folder: Path, *arguments: str | Path, exit_code: int) -> tuple[str, str]:
        """The same; gives what it printed to stdout and to stderr."""
        code, output, messages = self.ended(folder, *arguments)
        assert code == exit_code, f"ended with {code}\n{output}\n{messages}"
        return output, messages

    def ended(self, folder: Path, *arguments: str | Path) -> tuple[int, str, str]:
        """Runs it in FOLDER until it ends; gives its exit code and what it printed to stdout and to stderr."""
        process = self.start(folder, *arguments)
        try:
            output, messages = process.communicate(timeout=1200)
        finally:
            process.terminate()
        return process.returncode, output, messages

    def reading(self, folder: Path, *source: str | Path) -> Reading:
        report = self(folder, "report", *source, "--format", "json", exit_code=0)
        tasks = self(folder, "report", *source, "--format", "csv-tasks", exit_code=0)
        return Reading(json.loads(report), list(csv.DictReader(tasks.splitlines())))

    def report(self, event_log: Path) -> Report:
        return Report(json.loads(self(event_log.parent, "report", event_log, "--format", "json", exit_code=0)))

    def report_of_run(self, report_dir: Path, job: str, variant: str) -> Report:
        return self.report(report_dir / "runs" / job / variant / "1/eventlog")
