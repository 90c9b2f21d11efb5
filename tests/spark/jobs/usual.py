"""A job that does what jobs usually do: tables read and written, joins, a cache, SQL, Python functions.

    spark-submit usual.py FOLDER
"""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

folder = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
sc = spark.sparkContext
spark.range(0, 10_000, 1, 2).selectExpr("IF(id % 10 < 8, 0, id % 100) AS customer", "id % 97 AS amount").write.parquet(f"{folder}/orders")
spark.range(0, 100, 1, 1).selectExpr("id AS customer", "concat('customer ', id) AS name").write.parquet(f"{folder}/customers")

for adaptive in (True, False):
    spark.conf.set("spark.sql.adaptive.enabled", adaptive)
    spark.conf.set("spark.sql.shuffle.partitions", 4)
    orders = spark.read.parquet(f"{folder}/orders").cache()
    customers = spark.read.parquet(f"{folder}/customers")
    sc.setJobGroup("join", "orders by customer")
    spark.conf.set("spark.sql.autoBroadcastJoinThreshold", -1)
    joined = orders.join(customers, "customer")
    joined.groupBy("name").agg(F.sum("amount"), F.count("*")).orderBy("name").write.parquet(f"{folder}/by-name-{adaptive}")
    orders.join(F.broadcast(customers), "customer").repartition(3, "amount").count()
    joined.createOrReplaceTempView("joined")
    spark.sql("SELECT name, max(amount) FROM joined WHERE amount > 5 GROUP BY name LIMIT 10").collect()
    orders.unpersist()

sc.parallelize(range(1_000), 2).map(lambda number: (number % 7, number)).reduceByKey(lambda a, b: a + b, 3).collect()
spark.stop()
