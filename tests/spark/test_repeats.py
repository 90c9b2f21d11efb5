"""Variants that run several times, with a real Spark: what is stable is said to be, and what is not is told with its cause."""
from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from installed import ROOT

MANIFEST = """\
[spark]
python = "{python}"
master = "local[2]"
[defaults]
runs = {runs}
conf = {{ "spark.ui.enabled" = false, "spark.sql.shuffle.partitions" = 4 }}
[jobs.drawn]
app = "drawn.py"
args = ["{way}"]
"""


def variant_after(gate, folder: Path, spark, way: str, runs: int) -> dict:
    shutil.copy(ROOT / "tests/spark/jobs/drawn.py", folder)
    (folder / "stagegate.toml").write_text(MANIFEST.format(python=spark.python, way=way, runs=runs))
    gate(folder, "run", exit_code=5)
    [variant] = json.loads((folder / "stagegate-out/verdict.json").read_text())["variants"]
    return variant


def unstable_input(variant: dict) -> list[dict]:
    return [finding for finding in variant["findings"] if finding["rule"] == "unstable-input"]


def check_cause(variant: dict, cause: str) -> None:
    assert variant["runs"] == 2 and variant["state"] == "no-baseline"
    [finding] = unstable_input(variant)
    assert finding["level"] == "warning"
    assert cause in finding["message"]
    [first] = [stage for stage in variant["unstable"] if stage["stage"] == finding["stage"]]
    low, high = first["values"]["shuffle_write_records"]
    assert 0 <= low < high <= 20_000, "the stage that draws"
    assert cause in first["cause"]
    assert len(variant["unstable"]) > 1, "what follows from it differs too, and is no finding of its own"


@pytest.mark.parametrize("way, cause", [("rand", "rand() without a seed"), ("clock", "Filter is another one in each run")])
def test_the_first_stage_that_differs_is_told_with_its_cause(gate, tmp_path, spark4, way, cause) -> None:
    check_cause(variant_after(gate, tmp_path, spark4, way, runs=2), cause)


@pytest.mark.parametrize("way, cause", [("uuid", "uuid() without a seed"), ("sample", "Sample has no seed")])
def test_spark_3_tells_as_much(gate, tmp_path, spark3, way, cause) -> None:
    check_cause(variant_after(gate, tmp_path, spark3, way, runs=2), cause)


@pytest.mark.parametrize("way", ["rand-with-seed", "round-robin"])
def test_what_looks_like_chance_and_is_not_is_stable(gate, tmp_path, spark4, way) -> None:
    variant = variant_after(gate, tmp_path, spark4, way, runs=2)
    assert unstable_input(variant) == []
    assert variant["unstable"] == []


def test_the_example_is_stable_and_its_baseline_has_no_ranges(gate, example, tmp_path) -> None:
    report_dir = tmp_path / "report"
    gate(example, "run", "--job", "revenue", "--variant", "adaptive", "--runs", "3", "--report-dir", report_dir, exit_code=5)
    [variant] = json.loads((report_dir / "verdict.json").read_text())["variants"]
    assert variant["runs"] == 3 and unstable_input(variant) == []
    assert variant["unstable"] == []
    [pending] = report_dir.glob("pending/**/adaptive.json")
    baseline = json.loads(pending.read_text())
    assert baseline["stages"]
    for stage in baseline["stages"]:
        assert all(isinstance(value, int) for value in [stage["tasks"], *stage["totals"].values()]), stage
    assert sorted(folder.name for folder in (report_dir / "runs/revenue/adaptive").iterdir()) == ["1", "2", "3"]
