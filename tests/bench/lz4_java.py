#!/usr/bin/env python3
"""How long lz4-java takes to decompress a log that Spark has packed with lz4: its framing, which the command lz4 cannot read.

    .venv/bin/python tests/bench/lz4_java.py LOG [ROUNDS]      seconds of each round, as JSON

The library is the one that Spark reads such logs with, out of pyspark's jars. One stream a round in one virtual machine: its start does
not count, and neither does the first round, which finds its code not compiled yet.
"""
from __future__ import annotations

import json
import sys
import time

from pyspark.java_gateway import launch_gateway


def main() -> None:
    log, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    gateway = launch_gateway()
    try:
        java, lz4 = gateway.jvm.java.io, gateway.jvm.net.jpountz.lz4
        seconds = []
        for _ in range(rounds + 1):
            plain = lz4.LZ4BlockInputStream(java.FileInputStream(log))
            start = time.perf_counter()
            plain.transferTo(java.OutputStream.nullOutputStream())
            seconds.append(time.perf_counter() - start)
            plain.close()
        print(json.dumps(seconds[1:]))
    finally:
        gateway.shutdown()


if __name__ == "__main__":
    main()
