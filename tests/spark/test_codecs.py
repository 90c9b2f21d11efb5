"""Event logs as real Sparks write them, with every codec of theirs, in one file and rolling.

Times differ from run to run. So there are two kinds of logs: one for each codec of a run of its own, of which stages, tasks, records and bytes
must be the same; and the text of one log, packed by each of Spark's codecs, of which all must be the same.
"""
from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from gate import Gate
from sparks import Spark

CODECS = ("none", "zstd", "lz4", "snappy", "lzf")
LAYOUTS = ("single", "rolling")

# Runs in one JVM: an application for each codec and layout, then the text of one of their logs, packed by each codec.
MAKE_LOGS = """
import os, sys
from pathlib import Path
from pyspark.sql import SparkSession

out = Path(sys.argv[1])
codecs, layouts = (argument.split(",") for argument in sys.argv[2:4])

def run(codec, layout, tasks, **conf):
    folder = out / "run" / f"{codec}-{layout}"
    folder.mkdir(parents=True)
    builder = SparkSession.builder.master("local[2]").appName("codecs")
    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.shuffle.partitions": "3",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": folder.as_uri(),
        "spark.eventLog.compress": str(codec != "none").lower(),
        "spark.eventLog.compression.codec": "zstd" if codec == "none" else codec,
        "spark.eventLog.rolling.enabled": str(layout == "rolling").lower(),
        **conf,
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    assert spark.range(0, 1000, 1, tasks).selectExpr("id % 10 AS k").groupBy("k").count().count() == 10
    version = spark.version
    spark.stop()
    return version

for codec in codecs:
    for layout in layouts:
        version = run(codec, layout, 4)

# From 4.1 on parts may be so small that a quick job fills several.
if tuple(map(int, version.split(".")[:2])) >= (4, 1):
    run("parts", "rolling", 1200, **{"spark.eventLog.compression.codec": "zstd", "spark.eventLog.rolling.maxFileSize": "2m"})

from pyspark import SparkContext
jvm = SparkContext._jvm
maker = getattr(getattr(jvm.org.apache.spark.io, "CompressionCodec$"), "MODULE$")

def write(path, text, codec):
    file = jvm.java.io.FileOutputStream(str(path))
    if codec != "none":
        file = maker.createCodec(jvm.org.apache.spark.SparkConf(False), codec).compressedContinuousOutputStream(file)
    for line in text.splitlines(keepends=True):
        file.write(bytearray(line))
        if b'"SparkListenerStage' in line or b'"SparkListenerJob' in line:
            file.flush()
    file.close()

[source] = (out / "run" / "none-single").iterdir()
text = source.read_bytes()
lines = text.splitlines(keepends=True)
for codec in codecs:
    suffix = "" if codec == "none" else "." + codec
    single = out / "copy" / f"{codec}-single"
    single.mkdir(parents=True)
    write(single / (source.name + suffix), text, codec)
    log = out / "copy" / f"{codec}-rolling" / ("eventlog_v2_" + source.name)
    log.mkdir(parents=True)
    (log / ("appstatus_" + source.name)).touch()
    for part in range(3):
        piece = b"".join(lines[part * len(lines) // 3 : (part + 1) * len(lines) // 3])
        write(log / f"events_{part + 1}_{source.name}{suffix}", piece, codec)
"""


@dataclass(frozen=True)
class Logs:
    folder: Path

    def one(self, kind: str, codec: str, layout: str) -> Path:
        """The folder that Spark wrote into: there is one log in it."""
        return self.folder / kind / f"{codec}-{layout}"


def make_logs(spark: Spark, folder: Path) -> Logs:
    command = [spark.python, "-c", MAKE_LOGS, folder, ",".join(CODECS), ",".join(LAYOUTS)]
    done = subprocess.run(command, env=spark.environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return Logs(folder)


@pytest.fixture(scope="module", params=["spark4", "spark3"])
def logs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Logs:
    return make_logs(request.getfixturevalue(request.param), tmp_path_factory.mktemp(request.param))


def report_of(gate: Gate, log: Path) -> dict:
    return json.loads(gate(log.parent, "report", log, "--format", "json", exit_code=0))


def work_of(report: dict) -> list[tuple]:
    """What every run of the job has to have: no times."""
    kept = ("id", "attempt", "status", "tasks", "records", "bytes")
    return [tuple(json.dumps(stage[key], sort_keys=True) for key in kept) for stage in report["stages"]]


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_run_with_every_codec_says_the_same(gate, logs, codec, layout) -> None:
    report = report_of(gate, logs.one("run", codec, layout))
    assert report["evidence"]["problems"] == []
    assert report["application"]["complete"]
    expected = report_of(gate, logs.one("run", "none", "single"))
    assert work_of(report) == work_of(expected)
    ran = [stage for stage in report["stages"] if stage["status"] == "COMPLETE"]
    assert [stage["tasks"]["succeeded"] for stage in ran[:1]] == [4]
    assert sum(stage["records"]["shuffle_write"] or 0 for stage in ran) > 0


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_one_log_packed_by_every_codec_is_the_same_report(gate, logs, codec, layout) -> None:
    report = report_of(gate, logs.one("copy", codec, layout))
    assert report == report_of(gate, logs.one("run", "none", "single"))


def test_they_are_packed_as_they_say(logs) -> None:
    """Or the tests above would all be of plain text."""
    begins = {"none": b'{"Event', "zstd": b"\x28\xb5\x2f\xfd", "lz4": b"LZ4Block", "snappy": b"\x82SNAPPY", "lzf": b"ZV"}
    for kind in ("run", "copy"):
        for codec in CODECS:
            for layout in LAYOUTS:
                files = [path for path in logs.one(kind, codec, layout).rglob("*") if path.is_file() and path.stat().st_size > 0]
                files = [path for path in files if not path.name.startswith(".")]
                assert files
                assert all(path.read_bytes().startswith(begins[codec]) for path in files), (kind, codec, layout)


def test_parts_that_spark_rolled(gate, logs) -> None:
    folder = logs.folder / "run/parts-rolling"
    if not folder.exists():
        pytest.skip("this Spark does not roll below 10 MB")
    parts = [path for path in folder.rglob("events_*") if not path.name.startswith(".")]
    assert len(parts) > 1, os.listdir(folder)
    report = report_of(gate, folder)
    assert report["evidence"]["problems"] == []
    assert report["stages"][0]["tasks"]["succeeded"] == 1200
