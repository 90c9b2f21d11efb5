"""A `java` for the tests that is up quickly: the machine's own, with options for short lives and, where it is to run Spark, an archive of the
classes that Spark's processes load (class-data sharing). Nothing else is different: bytes are the same.

    quick_java.py     makes it, once, and prints its home for JAVA_HOME
"""
from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from installed import ROOT, SPARK_3, SPARK_4, spark_home

HOME = ROOT / "build/quick-java"
OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
VENVS = (SPARK_4, SPARK_3)

# An archive is for one class path, which has to be the same to the letter: where it leads through a link, the folder itself takes its place.
# Spark's launcher has another class path, and no use for an archive.
PROGRAM = """\
#!/bin/sh
# Written by tests/spark/quick_java.py.
before= class_path=
for word; do
  if [ "$before" = -cp ]; then class_path=$word; break; fi
  before=$word
done
seen=${{class_path%%/conf:*}}
home=$(readlink -f "$seen")
archive=
case "$home" in
{cases}
esac
if [ -f "$archive" ]; then
  for word; do
    shift
    if [ "$word" = "$class_path" ]; then word=$(printf %s "$word" | sed "s|$seen/|$home/|g"); fi
    set -- "$@" "$word"
  done
  set -- "-XX:SharedArchiveFile=$archive" "$@"
fi
exec {java} {options} "$@"
"""


@cache
def quick_java() -> Path:
    """What JAVA_HOME is to be. Whoever asks first makes it, and others wait."""
    (HOME / "bin").mkdir(parents=True, exist_ok=True)
    with (HOME / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        write_program()
        for venv in VENVS:
            make_archive(venv)
    return HOME


def write_program() -> None:
    cases = "\n".join(f'  "{spark_home(venv).resolve()}") archive="{archive_of(venv)}" ;;' for venv in VENVS)
    text = PROGRAM.format(cases=cases, java=machines_java(), options=OPTIONS)
    program = HOME / "bin/java"
    if not program.exists() or program.read_text() != text:
        written = HOME / "java.new"
        written.write_text(text)
        written.chmod(0o755)
        written.replace(program)


def make_archive(venv: Path) -> None:
    """Runs a job and has the JVM keep what it loaded. A JVM takes no archive of another Java or of other jars: then a new one is made."""
    archive = archive_of(venv)
    stamp = archive.with_suffix(".made-of")
    made_of = f"{machines_java()} {machines_java().stat().st_mtime_ns}\n{spark_home(venv)} {(spark_home(venv) / 'jars').stat().st_mtime_ns}\n{OPTIONS}\n"
    if archive.exists() and stamp.exists() and stamp.read_text() == made_of:
        return
    archive.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(dir=HOME) as folder:
        run_usual_job(venv, Path(folder), Path(folder) / archive.name)
        (Path(folder) / archive.name).replace(archive)
    stamp.write_text(made_of)


def run_usual_job(venv: Path, folder: Path, archive: Path) -> None:
    conf = {"spark.master": "local[2]", "spark.ui.port": "0", "spark.eventLog.enabled": "true", "spark.eventLog.dir": folder.as_uri()}
    words = [word for name, value in conf.items() for word in ("--conf", f"{name}={value}")]
    command = [spark_home(venv) / "bin/spark-submit", *words, ROOT / "tests/spark/jobs/usual.py", folder / "data"]
    env = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_"))},
        "JAVA_HOME": str(HOME),
        "SPARK_HOME": str(spark_home(venv)),
        "PYSPARK_PYTHON": str(venv / "bin/python"),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_SUBMIT_OPTS": f"-XX:ArchiveClassesAtExit={archive}",
    }
    done = subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and archive.exists(), done.stdout[-3000:] + done.stderr[-3000:]


def archive_of(venv: Path) -> Path:
    return HOME / f"{venv.name.removeprefix('.')}.jsa"


@cache
def machines_java() -> Path:
    """As Spark finds it: in JAVA_HOME, else on PATH."""
    home = os.environ.get("JAVA_HOME")
    found = f"{home}/bin/java" if home and Path(home) != HOME else shutil.which("java")
    assert found, "no java on PATH: ci/setup installs it"
    return Path(found).resolve()


if __name__ == "__main__":
    print(quick_java())
