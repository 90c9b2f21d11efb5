"""The example where tests use it: its data, copies of it to run in and to change, the Sparks and the binary that run it."""
from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from installed import ROOT, SPARK_3, SPARK_4, spark_home
from sparks import Spark

VARIANTS = ("adaptive-off", "adaptive-no-skew-fix", "adaptive")
GUEST_PERCENT = 64


def spark_in(venv: Path) -> Spark:
    return Spark(venv, spark_home(venv))


def binary_in(preset: str) -> Path:
    """The binary under test: $STAGEGATE, else what PRESET built."""
    path = Path(os.environ.get("STAGEGATE") or ROOT / f"build/{preset}/src/stagegate").resolve()
    assert path.is_file(), f"no binary at {path}: build it, or say where it is in STAGEGATE"
    return path


def example_data(spark: Spark, guest_percent: int = GUEST_PERCENT) -> Path:
    """The example's tables, made once for all runs of the tests while the script and Spark stay the same."""
    folder = ROOT / "build/example-data"
    if guest_percent != GUEST_PERCENT:
        folder = folder.with_name(f"{folder.name}-{guest_percent}")
    folder.parent.mkdir(exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        command = [spark.python, ROOT / "examples/make_data.py", folder, "--guest-percent", str(guest_percent)]
        subprocess.run(command, env=spark.environment(), check=True, stdout=subprocess.DEVNULL)
    return folder


def copy_example(folder: Path, data: Path, *left_out: str) -> Path:
    """A copy of examples/ in FOLDER to run in; links stand in for its data and for the environments beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    for venv in (SPARK_4, SPARK_3):
        (folder / venv.name).symlink_to(venv)
    copy = folder / "examples"
    shutil.copytree(ROOT / "examples", copy, ignore=shutil.ignore_patterns("data", "stagegate-out", "__pycache__", *left_out))
    (copy / "data").symlink_to(data)
    return copy


def add_conf(example: Path, conf: Mapping[str, str]) -> None:
    """Puts properties into a copied manifest, for all jobs and variants."""
    lines = "".join(f'"{name}" = "{value}"\n' for name, value in conf.items())
    change(example / "stagegate.toml", "[defaults.conf]\n", f"[defaults.conf]\n{lines}")


def change(file: Path, before: str, after: str) -> None:
    """Changes one place of a copied file, which must be there."""
    text = file.read_text()
    assert text.count(before) == 1, f"{file.name} has {text.count(before)} times, not once: {before}"
    file.write_text(text.replace(before, after))
