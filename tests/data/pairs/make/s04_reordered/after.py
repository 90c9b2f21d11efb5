"""The figures of the morning mail, the urgent ones first."""
from marks import mark
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

DATA, OUT = "/tmp/pairs-job/data", "/tmp/pairs-job/out/morning_mail"


def write_late(claims: DataFrame, parcels: DataFrame) -> None:
    """Money for late parcels, by depot."""
    late = claims.where("reason = 'late'").join(parcels, "parcel_id")
    by_depot = late.groupBy("depot_id").agg(F.sum("amount"))
    mark("late")
    by_depot.write.mode("overwrite").csv(f"{OUT}/late")


spark = SparkSession.builder.appName("morning_mail").getOrCreate()
sc = spark.sparkContext

mark("read scans")
scans = spark.read.parquet(f"{DATA}/2031-05/scans")
mark("read claims")
claims = spark.read.parquet(f"{DATA}/2031-05/claims")
mark("read parcels")
parcels = spark.read.parquet(f"{DATA}/2031-05/parcels")

mark("idle depots")
scans.select("depot_id").distinct().count()

sc.setJobDescription("late parcels")
write_late(claims, parcels)

mark("lost")
sc.setJobDescription("lost parcels")
lost = scans.where("kind = 'lost'").join(parcels, "parcel_id").groupBy("sender_id").count()
lost.orderBy(F.desc("count")).limit(25).collect()
sc.setJobDescription(None)

mark("bulk days")
parcels.where("service = 'bulk'").groupBy("day").agg(F.sum("price").alias("paid")).orderBy("day").collect()

mark("express days")
parcels.where("service = 'express'").groupBy("day").agg(F.sum("price").alias("paid")).orderBy("day").collect()

mark("read senders")
senders = spark.read.parquet(f"{DATA}/senders")

mark("tiers")
tiers = parcels.join(senders, "sender_id").groupBy("tier").agg(F.sum("price"), F.avg("grams"))
tiers.write.mode("overwrite").parquet(f"{OUT}/tiers")
spark.stop()
