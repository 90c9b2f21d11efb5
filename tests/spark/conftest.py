"""What the tests with a real Spark share: the Sparks, the example's data, a copy of the example, a small cluster."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from example import ROOT, binary_in, copy_example, example_data, spark_in
from gate import Gate
from sparks import Cluster, Spark, standalone


@pytest.fixture(scope="session")
def spark4() -> Spark:
    return spark_in(ROOT / ".venv")


@pytest.fixture(scope="session")
def spark3() -> Spark:
    return spark_in(ROOT / ".venv-spark3")


@pytest.fixture(scope="session")
def stagegate() -> Path:
    """The binary under test."""
    return binary_in("asan")


@pytest.fixture(scope="session")
def data(spark4: Spark) -> Path:
    """The example's tables."""
    return example_data(spark4)


@pytest.fixture
def example(tmp_path: Path, data: Path) -> Path:
    """A copy of examples/ to run in, without baselines."""
    return copy_example(tmp_path, data, "baselines")


@pytest.fixture(scope="session")
def cluster(spark4: Spark, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A standalone master and two workers of one core each."""
    with standalone(spark4, tmp_path_factory.mktemp("cluster")) as started:
        yield started


@pytest.fixture(scope="session")
def gate(stagegate: Path) -> Gate:
    return Gate(stagegate)
