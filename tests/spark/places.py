"""The example where it was run once for all tests that look at what a run leaves: on two versions of Spark, in one process and on two workers."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from example import VARIANTS, add_conf, change, copy_example
from gate import Gate
from sparks import Cluster

JOB_VARIANTS = [*(("revenue", variant) for variant in VARIANTS), ("sections", "adaptive")]
LOCAL_3, LOCAL_4, WORKERS_3, WORKERS_4 = PLACES = ("3.5", "4.3", "3.5 on two workers", "4.3 on two workers")


@dataclass(frozen=True)
class Place:
    """A copy of the example that ran all its jobs once and accepted what they did."""

    example: Path
    output: str  # of the run

    @property
    def report_dir(self) -> Path:
        return self.example / "stagegate-out"

    def run_folder(self, job: str, variant: str) -> Path:
        return self.report_dir / "runs" / job / variant / "1"

    def event_log(self, job: str, variant: str) -> Path:
        [log] = (self.run_folder(job, variant) / "eventlog").iterdir()
        return log


@dataclass(frozen=True)
class Places:
    """Each is run when somebody first asks for it."""

    gate: Gate
    data: Path
    new_folder: Callable[[], Path]
    cluster_at: Callable[[str], Cluster]
    found: dict[str, Place] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Place:
        if name not in self.found:
            self.found[name] = self.run(name)
        return self.found[name]

    def run(self, name: str) -> Place:
        example = copy_example(self.new_folder(), self.data, "baselines")
        if name in (LOCAL_3, WORKERS_3):
            on_spark_3(example)
        on_workers = name in (WORKERS_3, WORKERS_4)
        if on_workers:
            on_cluster(example, self.cluster_at(name))
        output = self.gate(example, "run", "--jobs", "1" if on_workers else "2", exit_code=5)
        self.gate(example, "baseline", "accept", exit_code=0)
        return Place(example, output)


def on_spark_3(example: Path) -> None:
    change(example / "stagegate.toml", 'python = "../.venv/bin/python"', 'python = "../.venv-spark3/bin/python"')


def on_cluster(example: Path, cluster: Cluster) -> None:
    change(example / "stagegate.toml", 'master = "local[4]"', f'master = "{cluster.master}"')
    add_conf(example, cluster.conf)
