"""What the depots did in a month."""
from marks import mark
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

DATA, OUT = "/tmp/pairs-job/data", "/tmp/pairs-job/out/depot_report"
spark = SparkSession.builder.appName("depot_report").getOrCreate()
sc = spark.sparkContext

mark("read")
parcels = spark.read.parquet(f"{DATA}/2031-05/parcels")
scans = spark.read.parquet(f"{DATA}/2031-05/scans")
claims = spark.read.parquet(f"{DATA}/2031-05/claims")
senders = spark.read.parquet(f"{DATA}/senders")
depots = spark.read.parquet(f"{DATA}/depots")

mark("volume")
sc.setJobDescription("volume by city and tier")
volume = parcels.join(senders, "sender_id").join(depots, "depot_id").groupBy("city", "tier").agg(F.sum("grams"), F.count("*"))
volume.write.mode("overwrite").parquet(f"{OUT}/volume")

mark("transit")
sc.setJobDescription(None)
span = scans.groupBy("parcel_id").agg((F.max("second") - F.min("second")).alias("span"))
transit = parcels.join(span, "parcel_id").groupBy("service").agg(F.avg("span").alias("mean")).orderBy("service")
transit.collect()

mark("best senders")
parcels.groupBy("sender_id").agg(F.sum("price").alias("paid")).orderBy(F.desc("paid")).limit(20).collect()

mark("touched")
sc.setJobDescription("parcels that anybody touched")
touched = scans.where("kind <> 'lost'").select("parcel_id").union(claims.select("parcel_id")).distinct()
touched.count()

mark("dear claims")
sc.setJobDescription(None)
dear = claims.where("amount > 195 and reason = 'lost'").join(scans, "parcel_id")
dear.groupBy("kind").agg(F.sum("amount")).collect()

mark("ranked")
scans.groupBy("depot_id", "kind").count().orderBy("depot_id", "kind").write.mode("overwrite").json(f"{OUT}/ranked")
spark.stop()
