"""Files that are handed over to the carriers."""
from marks import mark
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

DATA, OUT = "/tmp/pairs-job/data", "/tmp/pairs-job/out/hand_over"
spark = SparkSession.builder.appName("hand_over").getOrCreate()
sc = spark.sparkContext

mark("read parcels")
parcels = spark.read.parquet(f"{DATA}/2031-05/parcels")
mark("read scans")
scans = spark.read.parquet(f"{DATA}/2031-05/scans")
mark("read claims")
claims = spark.read.parquet(f"{DATA}/2031-05/claims")

mark("heavy")
sc.setJobDescription("heavy parcels")
heavy = parcels.where("grams > 7000").select("parcel_id", "depot_id", "day", "grams")
heavy.write.mode("overwrite").parquet(f"{OUT}/heavy")

mark("loads")
sc.setJobDescription("loads")
loads = parcels.groupBy("depot_id", "day").agg(F.sum("grams").alias("grams"), F.count("*").alias("parcels"))
loads.write.mode("overwrite").csv(f"{OUT}/loads")

mark("steps")
sc.setJobDescription(None)
steps = scans.select("parcel_id", "depot_id", "kind").distinct().groupBy("depot_id", "kind").count()
steps.write.mode("overwrite").parquet(f"{OUT}/steps")

mark("refunds")
refunds = claims.join(parcels, "parcel_id").groupBy("depot_id", "reason").agg(F.sum("amount").alias("amount"))
refunds.write.mode("overwrite").parquet(f"{OUT}/refunds")

mark("check")
parcels.select("day").distinct().count()

mark("dearest")
claims.orderBy(F.desc("amount")).limit(15).collect()
spark.stop()
