"""Revenue by country: orders joined with their customers. Two in three orders are the guest's, so the join is skewed."""
import argparse

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--data", required=True, help="folder of the tables, see make_data.py")
parser.add_argument("--out", required=True, help="folder that the result is written to")
args = parser.parse_args()

spark = SparkSession.builder.appName("revenue by country").getOrCreate()

orders = spark.read.parquet(f"{args.data}/orders")
customers = spark.read.parquet(f"{args.data}/customers")

revenue = (
    orders.join(customers, "customer_id")
    .groupBy("country_id")
    .agg(F.sum(F.col("amount") + F.col("delivery")).alias("revenue"))
)

spark.sparkContext.setJobDescription("revenue by country")
revenue.write.mode("overwrite").parquet(args.out)

spark.stop()
