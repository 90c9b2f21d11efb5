"""The three kinds of job that need no build: a Python script, a file of SQL, and a command that starts Spark by itself."""
from __future__ import annotations

import json
from pathlib import Path

import pytest
from installed import SPARK_4

MANIFEST = f"""
[spark]
python = "{SPARK_4}/bin/python"
master = "local[2]"

[defaults.conf]
"spark.sql.shuffle.partitions" = 3
"spark.sql.adaptive.enabled" = false

[jobs.script]
app = "job.py"
args = ["ten", "{{run_dir}}/out"]

[jobs.query]
app = "query.sql"

[jobs.command]
command = ["{SPARK_4}/bin/python", "job.py", "ten", "{{run_dir}}/out"]

[variants.plain]
"""

SCRIPT = """
import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
assert sys.argv[1] == "ten"
spark.range(0, 1000, 1, 2).selectExpr("id % 10 AS k").groupBy("k").count().write.parquet(sys.argv[2])
spark.stop()
"""

QUERY = """
-- a comment; with a semicolon
SELECT k, count(*) FROM (SELECT id % 10 AS k FROM range(0, 1000, 1, 2)) GROUP BY k;
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "stagegate.toml").write_text(MANIFEST)
    (folder / "job.py").write_text(SCRIPT)
    (folder / "query.sql").write_text(QUERY)
    return folder


@pytest.mark.parametrize("job", ["script", "query", "command"])
def test_runs_with_the_variants_configuration(gate, project, job) -> None:
    gate(project, "run", "--job", job, exit_code=5)
    report = gate.report_of_run(project / "stagegate-out", job, "plain")
    # Two tasks write ten groups each; three read them, as the variant's configuration has it.
    written, read = report.ran[-2:]
    assert (written["tasks"]["succeeded"], written["records"]["shuffle_write"]) == (2, 20)
    assert (read["tasks"]["succeeded"], read["records"]["shuffle_read"]) == (3, 20)


def test_a_script_that_fails_is_a_failed_job(gate, project) -> None:
    (project / "job.py").write_text(SCRIPT.replace("spark.stop()", "sys.exit(3)"))
    gate(project, "run", "--job", "script", exit_code=3)


def test_a_job_that_sets_a_property_itself_is_not_the_variant(gate, project) -> None:
    """The session's builder wins over the command line, and SET over both: neither run is judged."""
    (project / "job.py").write_text(SCRIPT.replace(".builder.", '.builder.config("spark.sql.shuffle.partitions", "5").'))
    (project / "query.sql").write_text("SET spark.sql.shuffle.partitions = 5;" + QUERY)
    gate(project, "run", "--job", "script", "--job", "query", exit_code=3)
    verdict = json.loads((project / "stagegate-out/verdict.json").read_text())
    assert [variant["state"] for variant in verdict["variants"]] == ["not-this-variant"] * 2
    told = (project / "stagegate-out/junit.xml").read_text()
    for place in ("the application's environment", "SQL execution"):
        assert f"asks for spark.sql.shuffle.partitions = 3, and it was 5 in {place}" in told.replace("&apos;", "'").replace("&#39;", "'")
