"""How long the lanes take: the same figures for every table, and for what two scanners report."""
from marks import mark
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

DATA, OUT = "/tmp/pairs-job/data", "/tmp/pairs-job/out/lane_times"
LANES = ["north", "east", "west"]
SCANNERS = ["hall", "yard"]
COLUMNS = "depot_id int, minutes int, stops int"
spark = SparkSession.builder.appName("lane_times").getOrCreate()
sc = spark.sparkContext


def heard(scanner: str) -> list[tuple[int, int, int]]:
    """Both scanners see every lorry, so they report the same."""
    return [(n * 7 % 60, n * n % 700, n % 90) for n in range(6000)]


def times(table: DataFrame) -> DataFrame:
    return table.groupBy("depot_id").agg(F.avg("minutes").alias("mean"), F.max("stops").alias("stops"))


for lane in LANES:
    table = spark.read.schema(COLUMNS).parquet(f"{DATA}/lanes/{lane}")
    mark(f"times {lane}")
    times(table).write.mode("overwrite").parquet(f"{OUT}/{lane}")

for scanner in SCANNERS:
    rows = sc.parallelize(heard(scanner), 4)
    table = spark.createDataFrame(rows, COLUMNS)
    mark(f"times {scanner}")
    times(table).orderBy(F.desc("mean")).collect()

mark("all lanes")
sc.setJobDescription("all lanes")
lanes = spark.read.schema(COLUMNS).parquet(*[f"{DATA}/lanes/{lane}" for lane in LANES])
lanes.groupBy("depot_id").count().where("count > 400").count()
spark.stop()
