"""The ranks of the senders."""
from marks import mark
from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F

DATA, OUT = "/tmp/pairs-job/data", "/tmp/pairs-job/out/sender_ranks"
spark = SparkSession.builder.appName("sender_ranks").getOrCreate()
sc = spark.sparkContext


@F.udf("string")
def code_of(sender_id: int) -> str:
    """Senders are known by a code now; parcels still have the number."""
    return f"S-{sender_id}"


mark("read parcels")
parcels = spark.read.parquet(f"{DATA}/2031-05/parcels")
mark("read claims")
claims = spark.read.parquet(f"{DATA}/2031-05/claims")
mark("read senders")
senders = spark.read.parquet(f"{DATA}/senders")

mark("paid")
sc.setJobDescription("what a sender paid")
known = parcels.join(senders.drop("sender_id"), code_of("sender_id") == F.col("code"))
paid = known.groupBy("sender_id").agg(F.sum("price").alias("paid"), F.first("tier").alias("tier"))
paid.write.mode("overwrite").parquet(f"{OUT}/paid")

mark("depot days")
sc.setJobDescription("depot days")
days = parcels.groupBy("depot_id", "day").agg(F.sum("grams").alias("grams"))
running = Window.partitionBy("depot_id").orderBy("day").rowsBetween(Window.unboundedPreceding, Window.currentRow)
days = days.withColumn("so_far", F.sum("grams").over(running))
days.write.mode("overwrite").parquet(f"{OUT}/days")

mark("trouble")
sc.setJobDescription(None)
claims.join(parcels, "parcel_id").groupBy("depot_id", "reason").count().orderBy(F.desc("count")).limit(30).collect()

mark("tiers")
senders.groupBy("tier").count().collect()

mark("heaviest")
parcels.groupBy("service").agg(F.max("grams"), F.min("grams")).write.mode("overwrite").csv(f"{OUT}/heaviest")
spark.stop()
