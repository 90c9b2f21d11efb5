"""The plan of the tours."""
from marks import mark
from pyspark import SparkContext

DATA, OUT = "/tmp/pairs-job/data/2031-05", "/tmp/pairs-job/out/tour_plan"
sc = SparkContext(appName="tour_plan")


def parse(line):
    tour, depot, vehicle, stops = line.split(";")
    return int(tour), int(depot), vehicle, int(stops)


tours = sc.textFile(f"{DATA}/tours", 4).map(parse)

mark("stops by depot")
by_depot = tours.map(lambda t: (t[1], t[3])).reduceByKey(lambda a, b: a + b, 6)
most = by_depot.sortBy(lambda x: -x[1], numPartitions=4).collect()

mark("vehicles")
sc.setJobDescription("vehicles")
vehicles = tours.map(lambda t: (t[2], 1)).reduceByKey(lambda a, b: a + b, 3)
vehicles.saveAsTextFile(f"{OUT}/vehicles")

mark("long tours")
sc.setJobDescription(None)
tours.filter(lambda t: t[3] > 400).count()

mark("mean stops")
pairs = tours.map(lambda t: ((t[1], t[2]), (t[3], 1))).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]), 5)
means = pairs.mapValues(lambda x: x[0] / x[1])
means.saveAsTextFile(f"{OUT}/means")

mark("shares")
sc.setJobDescription("shares")
shares = by_depot.join(pairs.map(lambda x: (x[0][0], x[1][0])), 6).mapValues(lambda x: x[1] / max(1, x[0]))
shares.map(lambda x: (round(x[1], 1), 1)).reduceByKey(lambda a, b: a + b, 2).collect()

mark("depots")
sc.setJobDescription(None)
tours.map(lambda t: t[1]).distinct(4).count()
sc.stop()
