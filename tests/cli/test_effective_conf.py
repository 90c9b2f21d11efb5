"""A run under another configuration than the variant's is not judged. The log is a real one of Spark 4.1.1, of a job that asks for 7 shuffle
partitions in its session's builder, and for 11 by spark.conf.set before its query."""

from pathlib import Path

import pytest

from event_log import Application, Shuffle, event_log_text

REAL_LOG = Path(__file__).resolve().parent.parent / "data" / "logs" / "local-1795980980229"
MANIFEST = """
[jobs.revenue]
command = ["true"]
[variants.off]
conf = {{ {conf} }}
"""


def check(project, log, conf):
    project.write("stagegate.toml", MANIFEST.format(conf=conf))
    return project.stagegate("check", str(log), "--job", "revenue", "--variant", "off")


@pytest.mark.parametrize(
    ("conf", "seen"),
    [
        ("spark.sql.shuffle.partitions = 200", "asks for spark.sql.shuffle.partitions = 200, and it was 7 in the application's environment"),
        ("spark.sql.shuffle.partitions = 7", "asks for spark.sql.shuffle.partitions = 7, and it was 11 in SQL execution"),
        ("spark.sql.adaptive.enabled = false", "asks for spark.sql.adaptive.enabled = false, and it was true"),
    ],
)
def test_a_property_that_the_job_sets_itself_is_told_with_both_values(project, conf, seen):
    outcome = check(project, REAL_LOG, conf)
    assert outcome.code == 3
    assert "not this variant" in outcome.stdout
    assert f"[variants.off] {seen}" in outcome.stdout
    assert outcome.verdict["variants"][0]["state"] == "not-this-variant"
    assert any(seen in line for line in outcome.verdict["variants"][0]["detail"])


def test_what_the_run_has_as_it_was_asked_for_is_judged(project):
    outcome = check(project, REAL_LOG, 'spark.sql.adaptive.enabled = "TRUE"')
    assert outcome.code == 5, outcome.stdout


def test_another_master_is_another_variant(project, tmp_path):
    log = tmp_path / "log"
    shuffle = Shuffle("join", [2**20] * 8)
    log.write_text(event_log_text(Application([shuffle], properties={"spark.master": "local[4]"})), encoding="utf-8")
    project.write("stagegate.toml", '[spark]\nmaster = "local[2]"\n[jobs.a]\ncommand = ["true"]\n')
    outcome = project.stagegate("check", str(log), "--job", "a", "--variant", "default")
    assert outcome.code == 3
    assert "[spark] asks for spark.master = local[2], and it was local[4]" in outcome.stdout
