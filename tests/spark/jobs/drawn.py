"""Draws rows in the way its argument says, and sends them through two shuffles, so that what is drawn has effects far behind it."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
rows = spark.range(0, 20_000, 1, 4).withColumn("key", F.col("id") % 100)
drawn = {
    "all": lambda: rows,
    "rand": lambda: rows.where(F.rand() < 0.5),
    "rand-with-seed": lambda: rows.where(F.rand(7) < 0.5),
    "uuid": lambda: rows.withColumn("name", F.expr("uuid()")).where("name < '8'"),
    "clock": lambda: rows.where("id % 1000 < unix_millis(current_timestamp()) % 1000"),
    "sample": lambda: rows.sample(0.3),
    "round-robin": lambda: rows.repartition(3),
}[sys.argv[1]]()
spark.sparkContext.setJobDescription("count keys")
drawn.repartition(4, "id").groupBy("key").agg(F.collect_set("id").alias("ids")).groupBy(F.size("ids")).count().collect()
spark.stop()
