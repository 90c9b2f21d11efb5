"""Two shuffles, one behind the other, with tasks in the middle that wait: whoever watches can take a worker away meanwhile.

    spark-submit three_stages.py FOLDER

The second stage has eight tasks. The first attempts at its partitions 4 and 5 write FOLDER/holding-4 and holding-5, and
wait for FOLDER/go. By then each of two executors of one core has done some of the others.
"""
import sys
from pathlib import Path

from holding import say, wait_for
from pyspark import TaskContext
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import LongType

HOLDING = (4, 5)

folder = Path(sys.argv[1])
spark = SparkSession.builder.appName("three stages").getOrCreate()
spark.sparkContext.addPyFile(str(Path(__file__).parents[1] / "holding.py"))


def hold(number: int) -> int:
    here = TaskContext.get()
    go = folder / "go"
    if here.partitionId() in HOLDING and here.attemptNumber() == 0 and not go.exists():
        say(folder / f"holding-{here.partitionId()}")
        wait_for(go)
    return number


numbers = spark.range(0, 80_000, 1, 8).selectExpr("id % 4000 AS number", "id")
totals = numbers.groupBy("number").agg(F.sum("id").alias("total"))
held = totals.select(F.udf(hold, LongType())("number").alias("number"), "total")
print(len(held.groupBy((F.col("number") % 100).alias("rest")).agg(F.sum("total")).collect()))

spark.stop()
