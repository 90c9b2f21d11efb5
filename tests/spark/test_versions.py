"""The example on two versions of Spark, in one process and on two workers: every stage is found again, and versions can be looked through."""
from __future__ import annotations

import json
import shutil
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from gate import Gate
from places import JOB_VARIANTS, LOCAL_3, LOCAL_4, PLACES, WORKERS_3, WORKERS_4, Place
from roles import ROLES, roles_in


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
    return Place(example, ran.output)
