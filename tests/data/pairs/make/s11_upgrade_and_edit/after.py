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

mark("kinds")
sc.setJobDescription("parcels by their scans")
kinds = scans.groupBy("parcel_id").pivot("kind", ["in", "out", "lost"]).count()
kinds.groupBy("lost").agg(F.avg("in"), F.avg("out")).collect()

mark("hours")
sc.setJobDescription("hours")
hours = scans.groupBy((F.col("second") / 3600 % 24).cast("int").alias("hour"), "kind").count()
hours.write.mode("overwrite").parquet(f"{OUT}/hours")

mark("lost")
sc.setJobDescription("lost")
dear = parcels.where("price > 4")
lost = scans.where("kind = 'lost'").join(dear, "parcel_id").join(depots, dear.depot_id == depots.depot_id)
lost.groupBy("city", "service").agg(F.sum("price").alias("worth"), F.count("*")).orderBy(F.desc("worth")).collect()

mark("claims")
sc.setJobDescription("claims")
claims.groupBy("reason").agg(F.sum("amount"), F.avg("amount")).collect()

mark("weights")
sc.setJobDescription("weights")
parcels.groupBy("depot_id").agg(F.sum("grams")).write.mode("overwrite").csv(f"{OUT}/weights")
spark.stop()
