"""The example's data: the same on every machine, or no baseline of it could be kept in git."""
from __future__ import annotations

import json
import subprocess
from pathlib import Path

from installed import ROOT
from sparks import Spark

# Rows as Spark reads them: how many, and a sum of hashes that any changed value would move.
COUNT_ROWS = """
import json, sys
from pyspark.sql import SparkSession, functions as F
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
def rows(table):
    frame = spark.read.parquet(table)
    hashes = F.sum(F.xxhash64(*frame.columns).cast("decimal(38,0)")).cast("string")
    return [frame.schema.simpleString(), *frame.agg(F.count("*"), hashes).first()]
print(json.dumps({folder: [rows(f"{folder}/{table}") for table in ("orders", "customers")] for folder in sys.argv[1:]}))
"""


def make_data(spark: Spark, folder: Path) -> Path:
    subprocess.run([spark.python, ROOT / "examples/make_data.py", folder], env=spark.environment(), check=True)
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_one_spark_makes_the_same_bytes_each_time(spark4, data, tmp_path) -> None:
    assert files(make_data(spark4, tmp_path / "again")) == files(data)


def test_spark_3_makes_the_same_rows(spark3, spark4, data, tmp_path) -> None:
    by_spark_3 = make_data(spark3, tmp_path / "spark-3")
    command = [spark4.python, "-c", COUNT_ROWS, data, by_spark_3]
    rows = json.loads(subprocess.check_output(command, env=spark4.environment()))
    assert rows[str(by_spark_3)] == rows[str(data)]
    assert [count for _, count, _ in rows[str(data)]] == [1_000_000, 50_000]
