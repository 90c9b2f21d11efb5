"""The example on two versions of Spark, in one process and on two workers: every stage is found again, and versions can be looked through."""
from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import pytest
from example import VARIANTS, add_conf, change, copy_example
from gate import Gate
from roles import ROLES, roles_in
from sparks import QUICK_JVM, Cluster, Spark, standalone

JOB_VARIANTS = [*(("revenue", variant) for variant in VARIANTS), ("sections", "adaptive")]
LOCAL_3, LOCAL_4, WORKERS_3, WORKERS_4 = PLACES = ("3.5", "4.3", "3.5 on two workers", "4.3 on two workers")


@dataclass(frozen=True)
class Place:
    """A copy of the example that ran all its jobs once and accepted what they did."""

    example: Path

    def run_folder(self, job: str, variant: str) -> Path:
        return self.example / "stagegate-out/runs" / job / variant / "1"

    def event_log(self, job: str, variant: str) -> Path:
        [log] = (self.run_folder(job, variant) / "eventlog").iterdir()
        return log


def on_spark_3(example: Path) -> None:
    change(example / "stagegate.toml", 'python = "../.venv/bin/python"', 'python = "../.venv-spark3/bin/python"')


def on_cluster(example: Path, cluster: Cluster) -> None:
    change(example / "stagegate.toml", 'master = "local[4]"', f'master = "{cluster.master}"')
    add_conf(example, cluster.conf)


@pytest.fixture(scope="session")
def cluster3(spark3: Spark, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with standalone(spark3, tmp_path_factory.mktemp("cluster-3")) as started:
        yield started


@pytest.fixture(scope="session")
def places(gate: Gate, data: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> dict[str, Place]:
    found = {}
    for name in PLACES:
        example = copy_example(tmp_path_factory.mktemp("place"), data, "baselines")
        add_conf(example, QUICK_JVM)
        if name in (LOCAL_3, WORKERS_3):
            on_spark_3(example)
        if name in (WORKERS_3, WORKERS_4):
            on_cluster(example, request.getfixturevalue("cluster3" if name == WORKERS_3 else "cluster"))
        side_by_side = "2" if name in (LOCAL_3, LOCAL_4) else "1"
        gate(example, "run", "--jobs", side_by_side, exit_code=5)
        gate(example, "baseline", "accept", exit_code=0)
        found[name] = Place(example)
    return found


@pytest.mark.parametrize("job, variant", JOB_VARIANTS)
@pytest.mark.parametrize("place", PLACES)
def test_a_job_has_the_stages_that_its_script_asks_for(places, place, job, variant) -> None:
    """The roles that the pairing is held against are the script's: each once, on every Spark and wherever it ran."""
    assert Counter(roles_in(places[place].event_log(job, variant)).values()) == Counter(ROLES[job])


@pytest.mark.parametrize("job, variant", JOB_VARIANTS)
@pytest.mark.parametrize("before, after", list(combinations(PLACES, 2)))
def test_every_stage_is_found_again_elsewhere(gate, places, before, after, job, variant) -> None:
    sides = [places[before], places[after]]
    folders = [place.run_folder(job, variant) for place in sides]
    compared = json.loads(gate(sides[0].example, "compare", *folders, "--format", "json", exit_code=0))
    roles = [roles_in(place.event_log(job, variant)) for place in sides]

    pairs = [(match["before"], match["after"]) for match in compared["matches"]]
    assert [sorted(numbers) for numbers in zip(*pairs, strict=True)] == [sorted(side) for side in roles]
    assert [pair for pair in pairs if roles[0][pair[0]] != roles[1][pair[1]]] == []
    # Stages that do the same for the same purpose may be called alike, no others.
    alike = {role for role, count in Counter(ROLES[job]).items() if count > 1}
    assert {roles[0][match["before"]] for match in compared["matches"] if match["ambiguous"]} <= alike
    assert {row["change"] for row in compared["stages"]} & {"not-comparable"} == set()


def check(gate: Gate, accepted: Place, ran: Place, report_dir: Path, job_variant: tuple[str, str], *words: str, exit_code: int) -> str:
    job, variant = job_variant
    words = ("--job", job, "--variant", variant, "--report-dir", report_dir, *words)
    return gate(accepted.example, "check", ran.event_log(job, variant), *words, exit_code=exit_code)


@pytest.mark.parametrize("job_variant", JOB_VARIANTS)
@pytest.mark.parametrize("accepted, ran", [(LOCAL_3, LOCAL_4), (LOCAL_4, LOCAL_3)])
def test_another_version_is_not_comparable_unless_it_is_looked_through(gate, places, tmp_path, accepted, ran, job_variant) -> None:
    told = check(gate, places[accepted], places[ran], tmp_path / "without", job_variant, exit_code=5)
    assert f"spark: {accepted} in the baseline, {ran} now" in told
    check(gate, places[accepted], places[ran], tmp_path / "with", job_variant, "--across-versions", exit_code=0)


@pytest.mark.parametrize("accepted, ran", [(WORKERS_3, WORKERS_4), (WORKERS_4, WORKERS_3)])
def test_versions_are_looked_through_on_a_cluster_too(gate, places, cluster, cluster3, tmp_path, accepted, ran) -> None:
    """The manifest is the one of the run, with its master; the baselines are the other version's."""
    place = with_baselines_of(places[ran], places[accepted], tmp_path)
    for job_variant in JOB_VARIANTS:
        check(gate, place, places[ran], tmp_path / "with", job_variant, "--across-versions", exit_code=0)


@pytest.mark.parametrize("words", [(), ("--across-versions",)])
@pytest.mark.parametrize("ran", [WORKERS_3, WORKERS_4])
def test_a_cluster_of_two_cores_is_never_comparable_with_four(gate, places, tmp_path, ran, words) -> None:
    place = with_baselines_of(places[ran], places[LOCAL_4], tmp_path)
    for job_variant in JOB_VARIANTS:
        told = check(gate, place, places[ran], tmp_path / "reports", job_variant, *words, exit_code=5)
        assert "cores: 4 in the baseline, 2 now" in told


def with_baselines_of(ran: Place, accepted: Place, folder: Path) -> Place:
    """The manifest of one place with the baselines of another."""
    example = folder / "examples"
    shutil.copytree(ran.example, example, symlinks=True, ignore=shutil.ignore_patterns("baselines", "stagegate-out"))
    shutil.copytree(accepted.example / "baselines", example / "baselines")
    return Place(example)
