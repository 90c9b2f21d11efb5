"""The example through the real binary and a real Spark: what its reports show, on every Spark and every time the same."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from example import VARIANTS, change
from gate import Gate, Report, skew
from installed import ROOT
from places import LOCAL_3, LOCAL_4, WORKERS_3, WORKERS_4, Place

CORES = 4


def check_adaptive_off(report: Report) -> None:
    assert report.found("skew") == [report.join]
    assert report.join["tasks"]["succeeded"] == 200
    assert 100 < skew(report.join) < 1000
    assert report.found("small-tasks") == [report.last]
    assert report.last["tasks"]["succeeded"] == 200
    assert 1000 < report.last["bytes"]["shuffle_read"] / 200 < 2048


def check_no_skew_fix(report: Report) -> None:
    assert report.found("skew") == [report.join]
    assert report.join["tasks"]["succeeded"] == 5
    assert skew(report.join) == pytest.approx(8, abs=0.5)
    assert report.found("small-tasks") == []


def check_adaptive(report: Report) -> None:
    assert report.json["findings"] == []
    assert report.join["tasks"]["succeeded"] == 10
    assert skew(report.join) < 2


CHECKS = dict(zip(VARIANTS, (check_adaptive_off, check_no_skew_fix, check_adaptive), strict=True))


def reports_of(gate: Gate, place: Place) -> dict[str, Report]:
    return {variant: gate.report_of_run(place.report_dir, "revenue", variant) for variant in VARIANTS}


def check_all(gate: Gate, place: Place) -> None:
    for variant, report in reports_of(gate, place).items():
        CHECKS[variant](report)


def check_junit(file: Path) -> None:
    """Has the readers of tests/junit read what a real run wrote."""
    env = {**os.environ, "STAGEGATE_JUNIT_FILES": str(file)}
    subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", ROOT / "tests/junit"], env=env, check=True)


def test_three_variants_show_skew_then_less_then_none(gate, places) -> None:
    place = places[LOCAL_4]
    check_all(gate, place)
    for words in (*VARIANTS, "skew", "small-tasks", "stagegate baseline accept"):
        assert words in place.output
    check_junit(place.report_dir / "junit.xml")


def test_spark_3_shows_the_same(gate, places) -> None:
    check_all(gate, places[LOCAL_3])


def test_a_variant_may_be_another_spark(gate, example, tmp_path) -> None:
    with (example / "stagegate.toml").open("a") as manifest:
        manifest.write('\n[variants.spark-3]\npython = "../.venv-spark3/bin/python"\n')
    gate(example, "run", "--job", "revenue", "--variant", "spark-3", "--report-dir", tmp_path / "report", exit_code=5)
    report = gate.report_of_run(tmp_path / "report", "revenue", "spark-3")
    assert report.spark_version.startswith("3.5.")
    check_adaptive(report)


@pytest.mark.parametrize("place", [WORKERS_4, WORKERS_3])
def test_a_cluster_of_two_workers_shows_skew_and_its_fix(gate, places, place) -> None:
    reports = reports_of(gate, places[place])
    assert {report.json["cores"] for report in reports.values()} == {2}
    check_adaptive_off(reports["adaptive-off"])
    check_no_skew_fix(reports["adaptive-no-skew-fix"])
    # Two cores scan in two tasks, and the guest's partition can be cut into no more than that.
    assert reports["adaptive"].found("skew") == []
    assert reports["adaptive"].join["tasks"]["succeeded"] == 7


def pending(report_dir: Path) -> bytes:
    return (report_dir / "pending/baselines/revenue/adaptive.json").read_bytes()


ONE_VARIANT = ("run", "--job", "revenue", "--variant", "adaptive", "--report-dir")


def test_repeated_runs_would_be_accepted_as_the_same_bytes(gate, example, tmp_path) -> None:
    report_dirs = [tmp_path / f"after-each-other-{n}" for n in range(3)]
    for report_dir in report_dirs:
        gate(example, *ONE_VARIANT, report_dir, exit_code=5)

    beside = [tmp_path / f"side-by-side-{n}" for n in range(3)]
    processes = [gate.start(example, *ONE_VARIANT, report_dir) for report_dir in beside]
    try:
        for process in processes:
            output, messages = process.communicate(timeout=1200)
            assert process.returncode == 5, output + messages
    finally:
        for process in processes:
            process.terminate()

    assert len({pending(report_dir) for report_dir in report_dirs + beside}) == 1


def test_accepted_once_it_passes_and_a_change_that_brings_skew_fails(gate, example, tmp_path) -> None:
    only = ("--job", "revenue", "--variant", "adaptive")
    gate(example, "run", *only, exit_code=5)
    gate(example, "baseline", "accept", exit_code=0)
    gate(example, "run", *only, exit_code=0)

    join = 'orders.join(customers, "customer_id")'
    change(example / "jobs/revenue.py", join, join.replace("orders.", 'orders.repartition("customer_id").'))
    output = gate(example, "run", *only, "--report-dir", tmp_path / "report", exit_code=1)
    assert "skew" in output
    check_no_skew_fix(gate.report_of_run(tmp_path / "report", "revenue", "adaptive"))
