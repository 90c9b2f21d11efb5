"""A job in three sections, each under a job group of its own: read, join, write. Reports name stages by these."""
import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--data", required=True, help="folder of the tables, see make_data.py")
parser.add_argument("--out", required=True, help="folder that the result is written to")
args = parser.parse_args()

spark = SparkSession.builder.appName("orders in sections").getOrCreate()


@contextmanager
def section(name: str, description: str) -> Iterator[None]:
    """Puts the jobs of a block into a job group, and takes the group away again: it would stay set otherwise."""
    spark.sparkContext.setJobGroup(name, description)
    try:
        yield
    finally:
        for key in ("spark.jobGroup.id", "spark.job.description", "spark.job.interruptOnCancel"):
            spark.sparkContext.setLocalProperty(key, None)


with section("read", "registered customers' orders"):
    orders = spark.read.parquet(f"{args.data}/orders").where("customer_id <> 0").cache()
    print(f"{orders.count()} orders of registered customers")

with section("join", "orders and revenue by customer"):
    customers = spark.read.parquet(f"{args.data}/customers")
    by_customer = (
        orders.join(customers, "customer_id")
        .groupBy("customer_id", "country_id")
        .agg(F.count("*").alias("orders"), F.sum("amount").alias("revenue"))
        .cache()
    )
    print(f"{by_customer.count()} customers with orders")

with section("write", "regular customers by country"):
    regulars = by_customer.where("orders >= 5").groupBy("country_id").agg(F.count("*").alias("customers"))
    regulars.write.mode("overwrite").parquet(args.out)

# In no section: the groups were cleared.
print(f"{spark.read.parquet(args.out).count()} countries written")

spark.stop()
