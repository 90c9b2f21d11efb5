#!/usr/bin/env python3
"""run.py [PAIR[:before|:after]]...: runs the jobs of the pairs with real Spark and packs their logs.

Needs the two environments of ci/setup (.venv: Spark 4, .venv-spark3: Spark 3.5) and the zstd command. Everything runs in
/tmp/pairs-job, so that logs name no other folder. A new run gives stages new numbers: the roles in the pair's roles.py have
to be read off again (show_stages.py), before make_truth.py writes the truth.
"""
from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from pairs import PAIRS, Side

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]
WORK = Path("/tmp/pairs-job")
QUIET_JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
# Events that say nothing of stages, and parts of the environment that are the same in every log.
DROPPED = ("SparkListenerBlockManagerAdded", "SparkListenerExecutorMetricsUpdate", "SparkListenerStageExecutorMetrics")
EMPTIED = ("Hadoop Properties", "System Properties", "Metrics Properties", "Classpath Entries")


def spark_home(venv: str) -> Path:
    return next((ROOT / venv).glob("lib/python3*/site-packages/pyspark"))


def submit(venv: str, script: Path, conf: dict[str, str], arguments: list[str]) -> None:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("SPARK_", "PYSPARK_"))}
    env = {**kept, "SPARK_HOME": str(spark_home(venv)), "PYSPARK_PYTHON": str(ROOT / venv / "bin/python"), "SPARK_LOCAL_IP": "127.0.0.1",
           "SPARK_LOCAL_HOSTNAME": "localhost", "SPARK_USER": "etl", "HADOOP_USER_NAME": "etl", "PYTHONHASHSEED": "0"}
    every = {"spark.ui.enabled": "false", "spark.driver.extraJavaOptions": QUIET_JVM, "spark.sql.warehouse.dir": f"file:{WORK}/warehouse"}
    flags = [flag for k, v in {**every, **conf}.items() for flag in ("--conf", f"{k}={v}")]
    with open(WORK / "spark.err", "w") as err:
        command = [spark_home(venv) / "bin/spark-submit", "--master", "local[4]", *flags, script, *arguments]
        subprocess.run(command, env=env, cwd=WORK / "run", stderr=err, check=True, timeout=300)


def make_data() -> None:
    if not (WORK / "data/.whole").exists():
        (WORK / "run").mkdir(parents=True, exist_ok=True)
        submit(".venv-spark3", HERE / "data.py", {}, [str(WORK / "data")])
        (WORK / "data/.whole").touch()


def tidy(line: str) -> str | None:
    """The line as it goes into the pair: without the marks and without names of this machine."""
    if any(line.startswith(f'{{"Event":"{name}"') for name in DROPPED):
        return None
    if line.startswith('{"Event":"SparkListenerEnvironmentUpdate"'):
        event = json.loads(line)
        for part in EMPTIED:
            event[part] = {}
        line = json.dumps(event, separators=(",", ":"))
    line = re.sub(r',"pairs\.action":"[^"]*"|"pairs\.action":"[^"]*",?', "", line)
    line = re.sub(re.escape(str(ROOT)) + r"|" + re.escape(str((ROOT / ".venv").resolve().parent)), "/opt", line)
    return line


def marks_of(log: Path) -> dict[int, str]:
    """Stage -> the script's statement, from the local property that marks.py sets."""
    found = {}
    for line in log.read_text().splitlines():
        if line.startswith('{"Event":"SparkListenerStageSubmitted"'):
            event = json.loads(line)
            found[event["Stage Info"]["Stage ID"]] = event["Properties"].get("pairs.action", "?")
    return found


def run(name: str, which: str, side: Side) -> None:
    logs = WORK / "logs"
    for folder in (logs, WORK / "out", WORK / "warehouse"):
        shutil.rmtree(folder, ignore_errors=True)
    logs.mkdir()
    (WORK / "run").mkdir(exist_ok=True)
    shutil.copy(HERE / "marks.py", WORK / "run/marks.py")
    script = WORK / "run" / f"{side.app}.py"
    shutil.copy(HERE / name / side.script, script)
    evidence = {"spark.eventLog.enabled": "true", "spark.eventLog.dir": f"file:{logs}", "spark.eventLog.compress": "false",
                "spark.eventLog.rolling.enabled": "false"}
    submit(side.venv, script, {**evidence, **side.conf}, side.arguments)
    (log,) = logs.iterdir()
    plain = WORK / "packed" / f"{name}.{which}.log"
    plain.parent.mkdir(exist_ok=True)
    plain.write_text("\n".join(t for t in map(tidy, log.read_text().splitlines()) if t is not None) + "\n")
    plain.with_suffix(".marks.json").write_text(json.dumps(marks_of(log)))
    target = HERE.parent / name / f"{which}.zst"
    target.parent.mkdir(exist_ok=True)
    subprocess.run(["zstd", "-q", "-f", "-19", plain, "-o", target], check=True)
    print(f"{name} {which}: {target.stat().st_size} bytes")


def main(wanted: list[str]) -> None:
    make_data()
    for name, sides in PAIRS.items():
        for which, side in sides.items():
            if not wanted or name in wanted or f"{name}:{which}" in wanted:
                run(name, which, side)


if __name__ == "__main__":
    main(sys.argv[1:])
