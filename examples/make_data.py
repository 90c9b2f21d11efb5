"""Makes the tables that the example jobs read: a shop's orders and customers, as Parquet files.

    .venv/bin/python examples/make_data.py [FOLDER] [--guest-percent N]        (examples/data and 64 unless given)

The rows are the same on every machine and under every Spark: each value is drawn by hashing the row's id, so nothing
depends on a random generator, on the clock or on which task made the row. The *bytes* of the files are the same for one
version of Spark only: each footer names the version, and newer ones write larger indices before it. The Spark that runs
this script is pinned in `ci/setup`. A folder that this very script filled under this very Spark is left as it is.

What the tables are made to show:
  - 64 of 100 orders belong to one customer, 0: the guest. A join on the customer gives one task all of them. With another
    share the guest's orders are some of these, or these and more: each order's own draw decides, and its amount stays.
  - Orders lie in 5 files, which `local[4]` reads in 5 tasks. A skewed partition can be cut between the tasks that
    wrote it, so adaptive execution cuts the guest's partition into 5.
  - Only guests pay for delivery. Rows of the guest are therefore about as wide, once compressed, as rows of customers
    whose ids differ, and 64 % of the rows stay about 64 % of the bytes.
"""
from __future__ import annotations

import argparse
import hashlib
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

ORDERS, ORDER_FILES = 1_000_000, 5
CUSTOMERS = 50_000
COUNTRIES = 30
GUEST = 0
GUEST_PERCENT = 64


def draw(what: str, choices: int) -> Column:
    """A number from 0 to `choices` - 1 for each row: a hash of its id. `what` keeps two draws of a row apart."""
    from pyspark.sql import functions as F

    return F.pmod(F.xxhash64(F.lit(what), F.col("id")), F.lit(choices))


def cents(what: str, most: int) -> Column:
    """An amount of money from 1.00 up, at most 7 digits long, so that sums of it are exact."""
    return ((draw(what, most) + 100) / 100).cast("decimal(7,2)")


def orders(spark: SparkSession, guest_percent: int) -> DataFrame:
    from pyspark.sql import functions as F

    is_guest = draw("guest", 100) < guest_percent
    registered = draw("customer", CUSTOMERS - 1) + 1
    first_day = F.lit("2026-01-01").cast("date")
    return spark.range(0, ORDERS, 1, ORDER_FILES).select(
        F.col("id").alias("order_id"),
        F.when(is_guest, F.lit(GUEST).cast("long")).otherwise(registered).alias("customer_id"),
        F.date_add(first_day, (F.col("id") * 365 / ORDERS).cast("int")).alias("ordered_on"),
        cents("amount", 2_000_000).alias("amount"),
        F.when(is_guest, cents("delivery", 500_000)).otherwise(F.lit(0).cast("decimal(7,2)")).alias("delivery"),
    )


def customers(spark: SparkSession) -> DataFrame:
    from pyspark.sql import functions as F

    return spark.range(0, CUSTOMERS, 1, 1).select(
        F.col("id").alias("customer_id"),
        F.when(F.col("id") == GUEST, "guest").otherwise(F.concat(F.lit("customer "), F.col("id"))).alias("name"),
        draw("country", COUNTRIES).cast("int").alias("country_id"),
    )


def write(table: DataFrame, folder: Path) -> None:
    """Writes uncompressed Parquet and gives the files plain names: Spark's own carry a random id."""
    table.write.option("compression", "none").parquet(str(folder))
    for path in sorted(folder.iterdir()):
        if path.name.startswith("part-"):
            path.rename(folder / f"{path.name[:10]}.parquet")
        else:
            path.unlink()


def make(folder: Path, guest_percent: int) -> None:
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.appName("example data")
        .master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.session.timeZone", "UTC")
        # Parquet lists a column's encodings in the order of a hash set of objects, which changes from one JVM to the
        # next. With one hash for all objects it is the order in which they came, and a file's bytes are always the same.
        .config("spark.driver.extraJavaOptions", "-XX:+UnlockExperimentalVMOptions -XX:hashCode=2")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    try:
        write(orders(spark, guest_percent), folder / "orders")
        write(customers(spark), folder / "customers")
    finally:
        spark.stop()


def stamp(guest_percent: int) -> str:
    """What the bytes depend on: this script, the guest's share and the version of Spark."""
    from importlib.metadata import version

    return f"{hashlib.sha256(Path(__file__).read_bytes()).hexdigest()} {guest_percent} % pyspark {version('pyspark')}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes the tables that the example jobs read.")
    parser.add_argument("folder", type=Path, nargs="?", default=Path(__file__).parent / "data", help="examples/data unless given")
    parser.add_argument("--guest-percent", type=int, default=GUEST_PERCENT, help="the guest's share of the orders")
    args = parser.parse_args()
    folder, wanted = args.folder, stamp(args.guest_percent)
    stamp_file = folder / ".made-by"
    if stamp_file.is_file() and stamp_file.read_text() == wanted:
        return
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    # Under another name until it is whole, so that a run that was ended leaves nothing that looks ready.
    unfinished = folder.with_name(f"{folder.name}.{os.getpid()}")
    try:
        make(unfinished.absolute(), args.guest_percent)
        (unfinished / ".made-by").write_text(wanted)
        shutil.rmtree(folder, ignore_errors=True)
        unfinished.rename(folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    print(f"made {ORDERS:,} orders and {CUSTOMERS:,} customers in {folder}")


if __name__ == "__main__":
    main()
