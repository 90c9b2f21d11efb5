"""The month's end: May."""
from marks import mark
from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F

MONTH = "2031-05"
DATA, OUT = "/tmp/pairs-job/data", "/tmp/pairs-job/out/month_end"
spark = SparkSession.builder.appName("month_end").getOrCreate()
sc = spark.sparkContext

mark("read parcels")
parcels = spark.read.parquet(f"{DATA}/{MONTH}/parcels")
mark("read claims")
claims = spark.read.parquet(f"{DATA}/{MONTH}/claims")
mark("read senders")
senders = spark.read.parquet(f"{DATA}/senders")
mark("read depots")
depots = spark.read.parquet(f"{DATA}/depots")

mark("income")
sc.setJobDescription(f"income {MONTH}")
income = parcels.join(senders, "sender_id").groupBy("tier", "service").agg(F.sum("price").alias("paid"))
income.write.mode("overwrite").parquet(f"{OUT}/{MONTH}/income")

mark("days")
sc.setJobDescription(f"days {MONTH}")
days = parcels.join(depots, "depot_id").groupBy("city", "day").agg(F.sum("grams").alias("grams"))
rank = F.row_number().over(Window.partitionBy("city").orderBy(F.desc("grams")))
days.withColumn("rank", rank).where("rank <= 3").write.mode("overwrite").csv(f"{OUT}/{MONTH}/days")

mark("refunds")
sc.setJobDescription(None)
parcels.createOrReplaceTempView("parcels")
claims.createOrReplaceTempView("claims")
spark.sql("SELECT p.service, c.reason, sum(c.amount) AS back FROM claims c JOIN parcels p ON c.parcel_id = p.parcel_id "
          "GROUP BY p.service, c.reason ORDER BY back DESC").collect()

mark("services")
parcels.groupBy("service").count().write.mode("overwrite").parquet(f"{OUT}/{MONTH}/services")
spark.stop()
