"""`--across-versions`: a run under another minor version of Spark is held against the baseline of the version before."""

import pytest

from event_log import Application, Shuffle, event_log_text

MIB = 2**20
MANIFEST = '[jobs.revenue]\ncommand = ["true"]\n'


def check(project, tmp_path, shuffle, *words, **changes):
    log = tmp_path / f"log-{project.next_number()}"
    log.write_text(event_log_text(Application([shuffle], **changes)), encoding="utf-8")
    return project.stagegate("check", str(log), "--job", "revenue", "--variant", "default", *words)


@pytest.fixture
def accepted(project, tmp_path):
    """The baseline of a calm join on Spark 3.5, in a project."""
    project.write("stagegate.toml", MANIFEST)
    assert check(project, tmp_path, Shuffle("join customers", [4 * MIB] * 8), spark_version="3.5.9").code == 5
    project.accept()
    return project


def test_without_it_another_version_is_not_comparable_and_the_field_is_named(accepted, tmp_path):
    outcome = check(accepted, tmp_path, Shuffle("join customers", [4 * MIB] * 8), spark_version="4.3.0")
    assert outcome.code == 5
    assert "spark: 3.5 in the baseline, 4.3 now" in outcome.stdout
    assert outcome.verdict["variants"][0]["state"] == "not-comparable"
    assert any("spark: 3.5 in the baseline, 4.3 now" in line for line in outcome.verdict["variants"][0]["detail"])
    assert "--across-versions" in outcome.stdout, "the way out is named"


def test_with_it_the_same_bytes_pass_and_what_is_left_out_is_said(accepted, tmp_path):
    outcome = check(accepted, tmp_path, Shuffle("join customers", [4 * MIB] * 8), "--across-versions", spark_version="4.3.0")
    assert outcome.code == 0
    assert "Spark 3.5 in the baseline and 4.3 now: output bytes are left out" in outcome.stdout


def test_with_it_more_bytes_and_new_skew_fail(accepted, tmp_path):
    grown = check(accepted, tmp_path, Shuffle("join customers", [8 * MIB] * 8), "--across-versions", spark_version="4.3.0")
    assert grown.code == 1
    assert grown.findings("revenue/default", "growth")
    skewed = check(accepted, tmp_path, Shuffle("join customers", [4 * MIB] * 7 + [40 * MIB]), "--across-versions", spark_version="4.3.0")
    assert skewed.code == 1
    assert skewed.findings("revenue/default", "skew")


def test_cores_still_have_to_be_the_same(accepted, tmp_path):
    outcome = check(accepted, tmp_path, Shuffle("join customers", [4 * MIB] * 8), "--across-versions", spark_version="4.3.0", cores=2)
    assert outcome.code == 5
    assert "cores: 4 in the baseline, 2 now" in outcome.stdout
    assert "spark:" not in outcome.stdout


def test_the_same_version_is_compared_in_full(accepted, tmp_path):
    outcome = check(accepted, tmp_path, Shuffle("join customers", [4 * MIB] * 8), "--across-versions", spark_version="3.5.8")
    assert outcome.code == 0
    assert "left out" not in outcome.stdout


def test_accepting_the_run_makes_a_baseline_of_its_version(accepted, tmp_path):
    check(accepted, tmp_path, Shuffle("join customers", [4 * MIB] * 8), "--across-versions", spark_version="4.3.0")
    accepted.accept()
    assert check(accepted, tmp_path, Shuffle("join customers", [4 * MIB] * 8), spark_version="4.3.0").code == 0
