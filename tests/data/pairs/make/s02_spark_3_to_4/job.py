"""Claims by region, reason and week."""
from marks import mark
from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F

DATA, OUT = "/tmp/pairs-job/data", "/tmp/pairs-job/out/claims_report"
spark = SparkSession.builder.appName("claims_report").getOrCreate()
sc = spark.sparkContext

mark("read parcels")
parcels = spark.read.parquet(f"{DATA}/2031-05/parcels")
mark("read claims")
claims = spark.read.parquet(f"{DATA}/2031-05/claims")
mark("read senders")
senders = spark.read.parquet(f"{DATA}/senders")
mark("read regions")
regions = spark.read.parquet(f"{DATA}/regions")

mark("by region")
sc.setJobGroup("claims", "claims by region")
claimed = claims.join(parcels, "parcel_id")
by_region = (claimed.join(senders, "sender_id").join(F.broadcast(regions), "region_id").groupBy("region", "reason")
             .agg(F.sum("amount").alias("amount")))
by_region.write.mode("overwrite").parquet(f"{OUT}/by_region")

mark("worst per reason")
sc.setJobGroup("claims", "the ten dearest parcels of each reason")
rank = F.row_number().over(Window.partitionBy("reason").orderBy(F.desc("amount"), "parcel_id"))
claims.withColumn("rank", rank).where("rank <= 10").orderBy("reason", "rank").collect()

mark("by week")
sc.setJobGroup("weeks", "money by week")
by_week = parcels.groupBy(F.weekofyear("day").alias("week"), "service").agg(F.sum("price"), F.countDistinct("sender_id"))
by_week.write.mode("overwrite").csv(f"{OUT}/by_week")

mark("no claim")
sc.setLocalProperty("spark.jobGroup.id", None)
sc.setJobDescription(None)
parcels.join(claims, "parcel_id", "left_anti").groupBy("depot_id").count().collect()

mark("show")
parcels.groupBy("service").agg(F.max("grams")).show()

mark("lines")
sc.parallelize(range(4000), 4).map(lambda n: (n % 37, n)).reduceByKey(lambda a, b: a + b, 5).sortByKey(numPartitions=3).collect()
spark.stop()
