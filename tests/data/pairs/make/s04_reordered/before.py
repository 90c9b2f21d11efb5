"""The figures of the morning mail."""
from marks import mark
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

DATA, OUT = "/tmp/pairs-job/data", "/tmp/pairs-job/out/morning_mail"
spark = SparkSession.builder.appName("morning_mail").getOrCreate()
sc = spark.sparkContext

mark("read parcels")
parcels = spark.read.parquet(f"{DATA}/2031-05/parcels")
mark("read scans")
scans = spark.read.parquet(f"{DATA}/2031-05/scans")
mark("read claims")
claims = spark.read.parquet(f"{DATA}/2031-05/claims")
mark("read senders")
senders = spark.read.parquet(f"{DATA}/senders")

mark("tiers")
tiers = parcels.join(senders, "sender_id").groupBy("tier").agg(F.sum("price"), F.avg("grams"))
tiers.write.mode("overwrite").parquet(f"{OUT}/tiers")

mark("express days")
parcels.where("service = 'express'").groupBy("day").agg(F.sum("price").alias("paid")).orderBy("day").collect()

mark("bulk days")
parcels.where("service = 'bulk'").groupBy("day").agg(F.sum("price").alias("paid")).orderBy("day").collect()

mark("lost")
sc.setJobDescription("lost parcels")
lost = scans.where("kind = 'lost'").join(parcels, "parcel_id").groupBy("sender_id").count()
lost.orderBy(F.desc("count")).limit(25).collect()

mark("late")
sc.setJobDescription("late parcels")
claims.where("reason = 'late'").join(parcels, "parcel_id").groupBy("depot_id").agg(F.sum("amount")).write.csv(f"{OUT}/late", "overwrite")
sc.setJobDescription(None)

mark("idle depots")
scans.select("depot_id").distinct().count()
spark.stop()
