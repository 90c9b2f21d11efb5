"""What the tests with a real Spark share: the Sparks, the example's data, a copy of the example, a small cluster."""
from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from gate import Gate
from processes import free_port, running, wait_until

ROOT = Path(__file__).resolve().parents[2]

# Less start-up for jobs of a few seconds; bytes are the same.
QUICK_JVM = dict.fromkeys(("spark.driver.extraJavaOptions", "spark.executor.extraJavaOptions"), "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")


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
        }


def spark_in(venv: Path) -> Spark:
    where = [str(venv / "bin/python"), "-c", "import importlib.util as i; print(i.find_spec('pyspark').submodule_search_locations[0])"]
    return Spark(venv, Path(subprocess.check_output(where, text=True).strip()))


@pytest.fixture(scope="session")
def spark4() -> Spark:
    return spark_in(ROOT / ".venv")


@pytest.fixture(scope="session")
def spark3() -> Spark:
    return spark_in(ROOT / ".venv-spark3")


@pytest.fixture(scope="session")
def stagegate() -> Path:
    """The binary under test."""
    path = Path(os.environ.get("STAGEGATE") or ROOT / "build/asan/src/stagegate").resolve()
    assert path.is_file(), f"no binary at {path}: build it, or say where it is in STAGEGATE"
    return path


@pytest.fixture(scope="session")
def data(spark4: Spark) -> Path:
    """The example's tables, made once for all runs of the tests while the script and Spark stay the same."""
    folder = ROOT / "build/example-data"
    folder.parent.mkdir(exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run([spark4.python, ROOT / "examples/make_data.py", folder], env=spark4.environment(), check=True)
    return folder


@pytest.fixture
def example(tmp_path: Path, data: Path) -> Path:
    """A copy of examples/ to run in, without baselines; links stand in for its data and for the environments beside it."""
    for venv in (".venv", ".venv-spark3"):
        (tmp_path / venv).symlink_to(ROOT / venv)
    copy = tmp_path / "examples"
    shutil.copytree(ROOT / "examples", copy, ignore=shutil.ignore_patterns("data", "baselines", "stagegate-out", "__pycache__"))
    (copy / "data").symlink_to(data)
    return copy


@dataclass(frozen=True)
class Cluster:
    master: str
    conf: dict[str, str]


@pytest.fixture(scope="session")
def cluster(spark4: Spark, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A standalone master and two workers of one core each."""
    folder = tmp_path_factory.mktemp("cluster")
    port, ui = free_port(), free_port()
    master = f"spark://127.0.0.1:{port}"
    spark_class = [str(spark4.home / "bin/spark-class")]
    deploy = "org.apache.spark.deploy"
    at_home = ["--host", "127.0.0.1"]
    # A worker hands its environment on to its executors.
    env = spark4.environment()

    with ExitStack() as ended_last_first:

        def start(name: str, *command: str) -> subprocess.Popen[bytes]:
            return ended_last_first.enter_context(running([*spark_class, *command], folder / f"{name}.log", env))

        started = start("master", f"{deploy}.master.Master", *at_home, "--port", str(port), "--webui-port", str(ui))
        for name in ("worker-1", "worker-2"):
            size = ["--cores", "1", "--memory", "1g", "--work-dir", str(folder / name), "--webui-port", "0"]
            start(name, f"{deploy}.worker.Worker", *at_home, *size, master)
        wait_until(lambda: True if alive_workers(ui) == 2 else None, started, folder / "master.log")
        # Stages are to find both executors there, or the number of cores would be a matter of luck.
        both = {"spark.cores.max": "2", "spark.scheduler.minRegisteredResourcesRatio": "1.0", "spark.executor.memory": "700m"}
        yield Cluster(master, both)


def alive_workers(ui_port: int) -> int:
    try:
        with urlopen(f"http://127.0.0.1:{ui_port}/json/", timeout=5) as answer:
            return json.load(answer)["aliveworkers"]
    except (URLError, ConnectionError):
        return 0


@pytest.fixture(scope="session")
def gate(stagegate: Path) -> Gate:
    return Gate(stagegate)
