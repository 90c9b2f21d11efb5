"""What the tests with a real Spark share: the Sparks, the example's data, a copy of the example, a small cluster."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from class_archives import make_class_archives
from example import binary_in, copy_example, example_data, spark_in
from gate import Gate
from installed import SPARK_3, SPARK_4
from places import WORKERS_3, Places
from sparks import Cluster, Spark, standalone


@pytest.fixture(scope="session", autouse=True)
def class_archives() -> None:
    make_class_archives()


@pytest.fixture(scope="session")
def spark4() -> Spark:
    return spark_in(SPARK_4)


@pytest.fixture(scope="session")
def spark3() -> Spark:
    return spark_in(SPARK_3)


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
def cluster3(spark3: Spark, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with standalone(spark3, tmp_path_factory.mktemp("cluster-3")) as started:
        yield started


@pytest.fixture(scope="session")
def places(gate: Gate, data: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Places:
    """The example where it was run once for all tests."""

    def cluster_at(place: str) -> Cluster:
        return request.getfixturevalue("cluster3" if place == WORKERS_3 else "cluster")

    return Places(gate, data, lambda: tmp_path_factory.mktemp("place"), cluster_at)


@pytest.fixture(scope="session")
def gate(stagegate: Path) -> Gate:
    return Gate(stagegate)
