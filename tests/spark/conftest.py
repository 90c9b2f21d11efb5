"""What the tests with a real Spark share: the Sparks, the example's data, a copy of the example, a small cluster."""
from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from gate import Gate
from sparks import Cluster, Spark, standalone

ROOT = Path(__file__).resolve().parents[2]


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


@pytest.fixture(scope="session")
def cluster(spark4: Spark, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A standalone master and two workers of one core each."""
    with standalone(spark4, tmp_path_factory.mktemp("cluster")) as started:
        yield started


@pytest.fixture(scope="session")
def gate(stagegate: Path) -> Gate:
    return Gate(stagegate)
