"""How well each service was kept."""
from marks import mark
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

DATA, OUT = "/tmp/pairs-job/data", "/tmp/pairs-job/out/service_levels"
spark = SparkSession.builder.appName("service_levels").getOrCreate()
sc = spark.sparkContext

mark("read parcels")
parcels = spark.read.parquet(f"{DATA}/2031-05/parcels")
mark("read scans")
scans = spark.read.parquet(f"{DATA}/2031-05/scans")
mark("read senders")
senders = spark.read.parquet(f"{DATA}/senders")

sent = parcels.join(senders, "sender_id").cache()
spans = scans.groupBy("parcel_id").agg((F.max("second") - F.min("second")).alias("span"), F.count("*").alias("scans"))

mark("by tier")
sent.groupBy("tier", "service").agg(F.sum("price")).write.mode("overwrite").parquet(f"{OUT}/by_tier")

mark("by region")
sc.setJobDescription("by region")
sent.groupBy("region_id").agg(F.avg("grams").alias("grams")).orderBy("region_id").collect()

mark("spans")
sc.setJobDescription("spans")
spans.groupBy("scans").agg(F.avg("span")).collect()

mark("longest")
sc.setJobDescription(None)
spans.orderBy(F.desc("span"), "parcel_id").limit(40).collect()

mark("days")
parcels.groupBy("day").count().write.mode("overwrite").csv(f"{OUT}/days")
spark.stop()
