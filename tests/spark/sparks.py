"""An installed Spark, and the servers that come with it: a history server, a standalone cluster."""
from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from processes import free_port, running, wait_until
from quick_java import quick_java
from rest_api import ask_if_there


@dataclass(frozen=True)
class Spark:
    """A virtual environment with PySpark in it."""

    venv: Path
    home: Path

    @property
    def python(self) -> Path:
        return self.venv / "bin/python"

    def environment(self) -> dict[str, str]:
        return {
            **{name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_"))},
            "SPARK_HOME": str(self.home),
            "PYSPARK_PYTHON": str(self.python),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "JAVA_HOME": str(quick_java()),
        }

    def submit(self, properties: Mapping[str, str], *words: str | Path) -> list[str]:
        """The command line of spark-submit."""
        conf = [word for name, value in properties.items() for word in ("--conf", f"{name}={value}")]
        return [str(self.home / "bin/spark-submit"), *conf, *map(str, words)]

    def server(self, name: str, *arguments: str) -> list[str]:
        return [str(self.home / "bin/spark-class"), f"org.apache.spark.deploy.{name}", *arguments]


@dataclass(frozen=True)
class Cluster:
    master: str
    conf: dict[str, str]
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)


@contextmanager
def standalone(spark: Spark, folder: Path) -> Iterator[Cluster]:
    """A standalone master and two workers of one core each."""
    port, ui = free_port(), free_port()
    master = f"spark://127.0.0.1:{port}"
    at_home = ["--host", "127.0.0.1"]
    # A worker hands its environment on to its executors.
    env = spark.environment()

    with ExitStack() as ended_last_first:

        def start(log: str, name: str, *arguments: str) -> subprocess.Popen[bytes]:
            return ended_last_first.enter_context(running(spark.server(name, *at_home, *arguments), folder / log, env))

        started = start("master.log", "master.Master", "--port", str(port), "--webui-port", str(ui))
        workers = []
        for name in ("worker-1", "worker-2"):
            size = ["--cores", "1", "--memory", "1g", "--work-dir", str(folder / name), "--webui-port", "0"]
            workers.append(start(f"{name}.log", "worker.Worker", *size, master))
        wait_until(lambda: True if alive_workers(ui) == 2 else None, started, folder / "master.log")
        # Stages are to find both executors there, or the number of cores would be a matter of luck.
        both = {"spark.cores.max": "2", "spark.scheduler.minRegisteredResourcesRatio": "1.0", "spark.executor.memory": "700m"}
        yield Cluster(master, both, workers)


@contextmanager
def history_server(spark: Spark, logs: Path, folder: Path) -> Iterator[str]:
    """A history server over LOGS that looks for news every second; gives its address."""
    port = free_port()
    properties = {
        "spark.history.fs.logDirectory": logs.as_uri(),
        "spark.history.fs.update.interval": "1s",
        "spark.history.ui.port": str(port),
    }
    env = {
        **spark.environment(),
        "SPARK_DAEMON_MEMORY": "512m",
        "SPARK_HISTORY_OPTS": " ".join(f"-D{name}={value}" for name, value in properties.items()),
    }
    log = folder / "history-server.log"
    address = f"http://127.0.0.1:{port}"
    with running(spark.server("history.HistoryServer"), log, env) as server:
        wait_until(lambda: ask_if_there(f"{address}/api/v1/applications"), server, log)
        yield address


def alive_workers(ui_port: int) -> int:
    state = ask_if_there(f"http://127.0.0.1:{ui_port}/json/")
    return state["aliveworkers"] if state else 0
