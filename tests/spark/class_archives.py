"""Archives of the classes that Spark's processes load, one for each Spark, with which quick_java.py's `java` starts them in half the time.

    class_archives.py     makes those that are not there
"""
from __future__ import annotations

import fcntl
import subprocess
import tempfile
from pathlib import Path

from example import spark_in
from installed import ROOT
from quick_java import OPTIONS, VENVS, archive_of, machines_java, quick_java
from sparks import Spark


def make_class_archives() -> None:
    """Whoever asks first makes them, and others wait."""
    with (quick_java() / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for venv in VENVS:
            make_archive(spark_in(venv))


def make_archive(spark: Spark) -> None:
    """Runs a job and has the JVM keep what it loaded. A JVM takes no archive of another Java or of other jars: then a new one is made."""
    archive = archive_of(spark.venv)
    stamp = archive.with_suffix(".made-of")
    java, jars = machines_java(), spark.home / "jars"
    made_of = f"{java} {java.stat().st_mtime_ns}\n{jars} {jars.stat().st_mtime_ns}\n{OPTIONS}\n"
    if archive.exists() and stamp.exists() and stamp.read_text() == made_of:
        return
    archive.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(dir=archive.parent) as name:
        folder = Path(name)
        run_usual_job(spark, folder, folder / archive.name)
        (folder / archive.name).replace(archive)
    stamp.write_text(made_of)


def run_usual_job(spark: Spark, folder: Path, archive: Path) -> None:
    conf = {"spark.master": "local[2]", "spark.ui.port": "0", "spark.eventLog.enabled": "true", "spark.eventLog.dir": folder.as_uri()}
    command = spark.submit(conf, ROOT / "tests/spark/jobs/usual.py", folder / "data")
    env = {**spark.environment(), "SPARK_SUBMIT_OPTS": f"-XX:ArchiveClassesAtExit={archive}"}
    done = subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and archive.exists(), done.stdout[-3000:] + done.stderr[-3000:]


if __name__ == "__main__":
    make_class_archives()
