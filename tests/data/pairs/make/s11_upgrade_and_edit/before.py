"""What happens in the yards."""
from marks import mark
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

DATA, OUT = "/tmp/pairs-job/data", "/tmp/pairs-job/out/yard_watch"
spark = SparkSession.builder.appName("yard_watch").getOrCreate()
sc = spark.sparkContext

mark("read scans")
scans = spark.read.parquet(f"{DATA}/2031-05/scans")
mark("read parcels")
parcels = spark.read.parquet(f"{DATA}/2031-05/parcels")
mark("read depots")
depots = spark.read.parquet(f"{DATA}/depots")
mark("read claims")
claims = spark.read.parquet(f"{DATA}/2031-05/claims")

mark("hours")
hours = scans.groupBy((F.col("second") / 3600 % 24).cast("int").alias("hour"), "kind").count()
hours.write.mode("overwrite").parquet(f"{OUT}/hours")

mark("seen")
scans.select("parcel_id").distinct().count()

mark("lost")
lost = scans.where("kind = 'lost'").join(parcels, "parcel_id").join(depots, parcels.depot_id == depots.depot_id)
lost.groupBy("city", "service").agg(F.sum("price").alias("worth")).orderBy(F.desc("worth")).collect()

mark("claims")
claims.groupBy("reason").agg(F.sum("amount"), F.avg("amount")).collect()

mark("weights")
parcels.groupBy("depot_id").agg(F.sum("grams")).write.mode("overwrite").csv(f"{OUT}/weights")
spark.stop()
