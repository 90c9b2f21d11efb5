"""Claims by service: one branch for each service, put together at the end."""
from functools import reduce

from marks import mark
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

DATA, OUT = "/tmp/pairs-job/data", "/tmp/pairs-job/out/service_claims"
SERVICES = ["bulk", "return", "letter", "express"]
spark = SparkSession.builder.appName("service_claims").getOrCreate()
sc = spark.sparkContext

mark("read parcels")
parcels = spark.read.parquet(f"{DATA}/2031-05/parcels")
mark("read claims")
claims = spark.read.parquet(f"{DATA}/2031-05/claims")


def claimed(service: str) -> DataFrame:
    of_it = parcels.where(F.col("service") == service)
    return of_it.join(claims, "parcel_id").groupBy("depot_id").agg(F.sum("amount").alias("amount")).withColumn("service", F.lit(service))


mark("all")
sc.setJobDescription("claims of all services")
reduce(DataFrame.unionByName, map(claimed, SERVICES)).write.mode("overwrite").parquet(f"{OUT}/all")

for service in SERVICES:
    mark(f"senders {service}")
    sc.setJobDescription(None)
    by_sender = parcels.where(F.col("service") == service).groupBy("sender_id").agg(F.sum("price").alias("paid"))
    by_sender.orderBy(F.desc("paid"), "sender_id").limit(10).collect()
spark.stop()
