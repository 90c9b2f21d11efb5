"""A job with a bit of everything that a report shows, on small data: a skewed join, many small tasks, a cached table, a
task that fails once, stages that are skipped, job groups and descriptions, adaptive execution off and on, output.

    spark-submit varied.py FOLDER

In the middle it writes the UI's address to FOLDER/halfway and waits for FOLDER/go.
"""
import sys
from pathlib import Path

from holding import say, wait_for
from pyspark import TaskContext
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

folder = Path(sys.argv[1])
spark = SparkSession.builder.appName("a bit of everything").getOrCreate()
sc = spark.sparkContext

# Eight in ten orders are customer 0's, so one task of the join reads most of them.
orders = spark.range(0, 40_000, 1, 4).selectExpr("IF(id % 10 < 8, 0, id % 1000) AS customer", "id % 97 AS amount")
customers = spark.range(0, 1_000, 1, 2).selectExpr("id AS customer", "id % 7 AS country")

sc.setJobGroup("tables", "orders and | their <customers>")
sold = orders.join(customers, "customer").cache()
sold.count()

say(folder / "halfway", sc.uiWebUrl)
wait_for(folder / "go")

sc.setJobGroup("totals", "by country and amount")
sold.groupBy("country", "amount").agg(F.count("*")).collect()
for name in ("spark.jobGroup.id", "spark.job.description", "spark.job.interruptOnCancel"):
    sc.setLocalProperty(name, None)

spark.conf.set("spark.sql.adaptive.enabled", "true")
sold.groupBy("country", "amount").count().orderBy("amount").write.parquet(str(folder / "out"))


def keyed(number: int) -> tuple[int, int]:
    here = TaskContext.get()
    if here.partitionId() == 1 and here.attemptNumber() == 0:
        raise ValueError("the first attempt at partition 1 fails")
    return number % 10, number


sc.setJobDescription("fails once")
sums = sc.parallelize(range(1_000), 4).map(keyed).reduceByKey(lambda a, b: a + b, 3)
sums.count()
sums.collect()

spark.stop()
