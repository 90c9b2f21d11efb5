"""The plan of the tours.

Tours of the coming month count too, and a tour that was entered twice counts once.
"""
from operator import add

from marks import mark
from pyspark import SparkContext

DATA, OUT = "/tmp/pairs-job/data", "/tmp/pairs-job/out/tour_plan"
LONG = 380
sc = SparkContext(appName="tour_plan")


def parse(line):
    fields = line.split(";")
    if len(fields) != 4 or not fields[3].isdigit():
        return None
    return int(fields[0]), int(fields[1]), fields[2].strip().lower(), int(fields[3])


def longer(a, b):
    return a if a[3] >= b[3] else b


this_month = sc.textFile(f"{DATA}/2031-05/tours", 4)
next_month = sc.textFile(f"{DATA}/2031-06/tours", 4)
tours = this_month.map(parse).filter(lambda t: t is not None)
both = this_month.union(next_month).map(parse).filter(lambda t: t is not None)

mark("stops by depot")
once = tours.map(lambda t: (t[0], t)).reduceByKey(longer, 7).values()
by_depot = once.map(lambda t: (t[1], max(1, t[3]))).reduceByKey(add, 6)
most = by_depot.sortBy(lambda x: (-x[1], x[0]), numPartitions=4).collect()

mark("vehicles")
sc.setJobDescription("vehicles")
vehicles = both.map(lambda t: (t[2], 1)).reduceByKey(add, 3)
vehicles.saveAsTextFile(f"{OUT}/vehicles")

mark("long tours")
sc.setJobDescription(None)
tours.filter(lambda t: t[3] > LONG).count()

mark("mean stops")


def plus(a, b):
    return a[0] + b[0], a[1] + b[1]


pairs = tours.map(lambda t: ((t[1], t[2]), (t[3], 1))).reduceByKey(plus, 5)
means = pairs.mapValues(lambda x: round(x[0] / x[1], 2))
means.saveAsTextFile(f"{OUT}/means")

mark("shares")
sc.setJobDescription("shares")
shares = by_depot.join(pairs.map(lambda x: (x[0][0], x[1][0])), 6).mapValues(lambda x: x[1] / x[0])
shares.map(lambda x: (round(x[1], 2), 1)).reduceByKey(add, 2).collect()

mark("depots")
sc.setJobDescription(None)
tours.map(lambda t: t[1]).distinct(4).count()
sc.stop()
