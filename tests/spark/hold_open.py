"""Runs a PySpark script, and keeps its session open at the end for somebody to look at the live UI.

    spark-submit hold_open.py FOLDER SCRIPT [ARGUMENTS]

Where the script stops its session, the UI's address is written to FOLDER/ui; the session is stopped once there is a
FOLDER/release, or after five minutes, so that a test that died leaves no application behind.
"""
import runpy
import sys
from pathlib import Path

from holding import say, wait_for
from pyspark.sql import SparkSession

folder, script = Path(sys.argv[1]), sys.argv[2]
stop = SparkSession.stop


def stop_when_released(session: SparkSession) -> None:
    say(folder / "ui", session.sparkContext.uiWebUrl)
    wait_for(folder / "release")
    stop(session)


SparkSession.stop = stop_when_released
sys.argv = sys.argv[2:]
runpy.run_path(script, run_name="__main__")
