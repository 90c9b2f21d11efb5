"""The month's end: June."""
from marks import mark
from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F

MONTH = "2031-06"
DATA, OUT = "/tmp/pairs-job/data", "/tmp/pairs-job/out/closing"
spark = SparkSession.builder.appName("month_end").getOrCreate()
sc = spark.sparkContext

mark("read shipments")
shipments = spark.read.parquet(f"{DATA}/{MONTH}/shipments")
mark("read claims")
claims = spark.read.parquet(f"{DATA}/{MONTH}/claims")
mark("read senders")
senders = spark.read.parquet(f"{DATA}/senders")
mark("read depots")
depots = spark.read.parquet(f"{DATA}/depots")

mark("income")
sc.setJobDescription(f"income of {MONTH}")
income = shipments.join(senders, "sender_id").groupBy("tier", "product").agg(F.sum("price").alias("paid"))
income.write.mode("overwrite").parquet(f"{OUT}/{MONTH}/income")

mark("days")
sc.setJobDescription(f"days {MONTH}")
days = shipments.join(depots, "depot_id").groupBy("city", "day").agg(F.sum("grams").alias("grams"))
rank = F.row_number().over(Window.partitionBy("city").orderBy(F.desc("grams")))
days.withColumn("rank", rank).where("rank <= 3").write.mode("overwrite").csv(f"{OUT}/{MONTH}/best_days")

mark("refunds")
sc.setJobDescription(None)
shipments.createOrReplaceTempView("shipments")
claims.createOrReplaceTempView("claims")
spark.sql("SELECT p.product, c.reason, sum(c.amount) AS back FROM claims c JOIN shipments p ON c.parcel_id = p.parcel_id "
          "GROUP BY p.product, c.reason ORDER BY back DESC").collect()

mark("products")
shipments.groupBy("product").count().write.mode("overwrite").parquet(f"{OUT}/{MONTH}/products")
spark.stop()
