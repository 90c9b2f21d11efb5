"""The bill of each sender."""
from marks import mark
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import DateType, DoubleType, IntegerType, LongType, StringType, StructField, StructType

DATA, OUT = "/tmp/pairs-job/data", "/tmp/pairs-job/out/sender_bill"
PARCELS = StructType([StructField("parcel_id", LongType()), StructField("sender_id", IntegerType()), StructField("depot_id", IntegerType()),
                      StructField("service", StringType()), StructField("grams", IntegerType()), StructField("price", DoubleType()),
                      StructField("day", DateType())])
spark = SparkSession.builder.appName("sender_bill").getOrCreate()
sc = spark.sparkContext

parcels = spark.read.schema(PARCELS).parquet(f"{DATA}/2031-05/parcels")
mark("read scans")
scans = spark.read.parquet(f"{DATA}/2031-05/scans")
mark("read claims")
claims = spark.read.parquet(f"{DATA}/2031-05/claims")
mark("read senders")
senders = spark.read.parquet(f"{DATA}/senders")
mark("read depots")
depots = spark.read.parquet(f"{DATA}/depots")

mark("bills")
sc.setJobDescription("bills")
bills = parcels.join(senders, "sender_id").groupBy("region_id", "tier", "service").agg(F.sum("price").alias("owed"))
bills.write.mode("overwrite").parquet(f"{OUT}/bills")

mark("paid back")
sc.setJobDescription("paid back")
claims.join(parcels, "parcel_id").where("amount > price").groupBy("sender_id").agg(F.sum("amount").alias("back")).orderBy(
    F.desc("back")).limit(50).collect()

mark("stops")
sc.setJobDescription(None)
scans.join(depots, "depot_id").groupBy("city", "kind").count().write.mode("overwrite").parquet(f"{OUT}/stops")

mark("scanned")
scans.groupBy("parcel_id").count().join(parcels, "parcel_id").groupBy("service").agg(F.avg("count")).collect()

mark("contracts")
senders.groupBy("tier").agg(F.countDistinct("contract")).collect()
spark.stop()
