"""Rules that look at plans, caches and groups: each mistake, planted into a job that has none, is found by its rule and by no other."""
from __future__ import annotations

import json
from pathlib import Path

import pytest
from installed import SPARK_3, SPARK_4

VARIANTS = {
    f"{name}-{adaptive}": f"""
[variants.{name}-{adaptive}]
python = "{venv}/bin/python"
conf = {{ "spark.sql.adaptive.enabled" = {"true" if adaptive == "adaptive" else "false"} }}
"""
    for name, venv in (("spark-4", SPARK_4), ("spark-3", SPARK_3))
    for adaptive in ("adaptive", "plain")
}

# Only what a hint asks for is broadcast, so that taking the hint out is enough.
MANIFEST = """
[spark]
master = "local[2]"

[defaults.conf]
"spark.sql.shuffle.partitions" = 4
"spark.sql.autoBroadcastJoinThreshold" = -1

[jobs.shop]
app = "job.py"
args = ["DATA", "{run_dir}/out"]
""" + "".join(VARIANTS.values())

JOB = """
import sys
from contextlib import contextmanager
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:]
spark = SparkSession.builder.getOrCreate()

@contextmanager
def section(name):
    spark.sparkContext.setJobGroup(name, f"the section {name}")
    try:
        yield
    finally:
        for key in ("spark.jobGroup.id", "spark.job.description", "spark.job.interruptOnCancel"):
            spark.sparkContext.setLocalProperty(key, None)

orders = spark.read.parquet(f"{data}/orders")
customers = spark.read.parquet(f"{data}/customers")
named = orders.join(F.broadcast(customers), "customer_id").cache()
with section("countries"):
    named.groupBy("country_id").count().write.parquet(f"{out}/countries")
with section("days"):
    named.groupBy("ordered_on").agg(F.sum("amount")).write.parquet(f"{out}/days")
print(spark.read.parquet(f"{out}/countries").count())
spark.stop()
"""

OURS = {"new-shuffle", "lost-broadcast", "lost-cache", "cache-unused", "job-group-left-set"}


def with_plants(*plants: tuple[str, str]) -> str:
    job = JOB
    for old, new in plants:
        assert old in job
        job = job.replace(old, new)
    return job


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, gate, data: Path) -> Path:
    """Where what the job does without any plant has been accepted."""
    folder = tmp_path_factory.mktemp("plan-rules")
    (folder / "stagegate.toml").write_text(MANIFEST.replace("DATA", str(data)))
    (folder / "job.py").write_text(JOB)
    gate(folder, "run", exit_code=5)
    assert found(folder) == dict.fromkeys(VARIANTS, {})
    gate(folder, "baseline", "accept", exit_code=0)
    return folder


def found(folder: Path) -> dict[str, dict[str, list[str]]]:
    """The messages of the new findings of our rules, by variant and rule."""
    verdict = json.loads((folder / "stagegate-out/verdict.json").read_text())
    all_found: dict[str, dict[str, list[str]]] = {}
    for variant in verdict["variants"]:
        by_rule = all_found.setdefault(variant["variant"], {})
        for finding in variant["findings"]:
            if finding["rule"] in OURS and finding["state"] == "new":
                by_rule.setdefault(finding["rule"], []).append(finding["message"])
    return all_found


def run(gate, folder: Path, job: str, exit_code: int) -> dict[str, dict[str, list[str]]]:
    (folder / "job.py").write_text(job)
    gate(folder, "run", exit_code=exit_code)
    return found(folder)


def test_the_same_job_again_is_fine(gate, project) -> None:
    assert run(gate, project, JOB, 0) == dict.fromkeys(VARIANTS, {})


def test_a_broadcast_that_was_dropped_and_a_group_that_was_left_set(gate, project) -> None:
    job = with_plants(
        ("F.broadcast(customers)", "customers"),
        ('setLocalProperty(key, None)', 'getLocalProperty(key)'),
    )
    for by_rule in run(gate, project, job, 1).values():
        assert set(by_rule) == {"lost-broadcast", "job-group-left-set"}
        (message,) = by_rule["lost-broadcast"]
        assert "join orders, customers on customer_id" in message
        assert "broadcast joins of the run 1 -> 0" in message
        (message,) = by_rule["job-group-left-set"]
        # With adaptive execution on, Spark 4 does not say what the actions are called.
        assert message.startswith("job group 'days' covers the last 2 actions") and message.endswith("and is never taken away")


def test_a_cache_that_was_taken_out_and_another_that_nobody_reads(gate, project) -> None:
    job = with_plants(
        ('"customer_id").cache()', '"customer_id")'),
        ("print(", "spare = customers.where('country_id < 10').cache()\nspare.count()\nprint("),
    )
    for by_rule in run(gate, project, job, 1).values():
        assert set(by_rule) == {"lost-cache", "cache-unused"}
        # Both sides of the join are read again.
        told = "reads again what an earlier stage has read: "
        assert all(message.startswith(told) for message in by_rule["lost-cache"])
        read_again = {message.removeprefix(told).split(";")[0] for message in by_rule["lost-cache"]}
        assert read_again == {"orders (1,000,000 records)", "customers (50,000 records)"}
        assert by_rule["cache-unused"] == ["no later action reads what it caches: rows of customers (1, limit 0)"]


def test_shuffles_that_were_added(gate, project) -> None:
    job = with_plants(
        ('named.groupBy("country_id")', 'named.repartition(5, "customer_id").groupBy("country_id")'),
        ('named.groupBy("ordered_on")', 'named.orderBy("amount").groupBy("ordered_on")'),
    )
    for by_rule in run(gate, project, job, 1).values():
        assert set(by_rule) == {"new-shuffle"}
        assert all(" of shuffle that was not there in the baseline; the run " in message for message in by_rule["new-shuffle"])
