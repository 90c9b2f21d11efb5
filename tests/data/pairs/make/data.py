"""data.py FOLDER: a parcel service's tables for two months, small and the same on every machine."""
from __future__ import annotations

import sys

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

root = sys.argv[1]
spark = SparkSession.builder.appName("data").getOrCreate()


def pick(salt: str, n: int) -> F.Column:
    """A number from 0 to n - 1 that depends on the row and the salt only."""
    return F.pmod(F.hash(F.col("id"), F.lit(salt)), F.lit(n))


def name(salt: str, names: list[str]) -> F.Column:
    return F.element_at(F.array(*[F.lit(x) for x in names]), pick(salt, len(names)) + 1)


def write(table: DataFrame, path: str, files: int = 3) -> None:
    table.coalesce(files).write.mode("overwrite").parquet(f"{root}/{path}")


def month(label: str, parcels: int, scans: int, claims: int) -> None:
    def day(salt: str) -> F.Column:
        return F.date_add(F.lit(f"{label}-01").cast("date"), pick(salt, 28))

    write(spark.range(parcels).select(
        F.col("id").alias("parcel_id"), pick(label + "s", 3000).alias("sender_id"), pick(label + "d", 60).alias("depot_id"),
        name(label + "v", ["letter", "express", "bulk", "return"]).alias("service"), (pick(label + "w", 9000) + 50).alias("grams"),
        (pick(label + "p", 4000) / 100 + 2).alias("price"), day("day").alias("day")), f"{label}/parcels")
    write(spark.range(scans).select(
        pick(label + "x", parcels).cast("long").alias("parcel_id"), pick(label + "y", 60).alias("depot_id"),
        name(label + "k", ["in", "out", "sorted", "lost", "handed over"]).alias("kind"), pick(label + "t", 2419200).alias("second")),
        f"{label}/scans")
    write(spark.range(claims).select(
        pick(label + "c", parcels).cast("long").alias("parcel_id"), name(label + "r", ["lost", "late", "damaged"]).alias("reason"),
        (pick(label + "a", 20000) / 100).alias("amount")), f"{label}/claims", 2)
    spark.range(parcels // 4).select(F.concat_ws(";", F.col("id"), pick(label + "l", 60), name(label + "m", ["van", "bike", "truck"]),
        pick(label + "n", 500)).alias("value")).coalesce(2).write.mode("overwrite").text(f"{root}/{label}/tours")


month("2031-05", 40000, 90000, 6000)
month("2031-06", 43500, 97300, 5210)
# The same table as it is called from June on.
write(spark.read.parquet(f"{root}/2031-06/parcels").withColumnRenamed("service", "product"), "2031-06/shipments")
write(spark.range(3000).select(
    F.col("id").cast("int").alias("sender_id"), F.concat(F.lit("S-"), F.col("id")).alias("code"), pick("g", 12).alias("region_id"),
    name("q", ["gold", "silver", "plain"]).alias("tier"), F.sha2(F.col("id").cast("string"), 256).alias("contract")), "senders", 2)
write(spark.range(60).select(
    F.col("id").cast("int").alias("depot_id"), F.concat(F.lit("Depot "), F.col("id")).alias("city"), pick("h", 12).alias("region_id")),
    "depots", 1)
write(spark.range(12).select(
    F.col("id").cast("int").alias("region_id"), F.concat(F.lit("Region "), F.col("id")).alias("region"), pick("i", 3).alias("zone")),
    "regions", 1)
for lane, rows in {"north": 12000, "south": 9500, "east": 15200, "west": 7100}.items():
    write(spark.range(rows).select(
        pick(lane + "a", 60).alias("depot_id"), pick(lane + "b", 700).alias("minutes"), pick(lane + "c", 90).alias("stops")),
        f"lanes/{lane}", 2)
spark.stop()
