"""A `java` for the tests that is up quickly: the machine's own, with options for short lives and, where it is to run Spark and there is one, an
archive of the classes that Spark's processes load (class_archives.py makes them). Nothing else is different: bytes are the same.

    quick_java.py     writes it, and prints its home for JAVA_HOME
"""
from __future__ import annotations

import os
import shutil
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
    """What JAVA_HOME is to be."""
    cases = "\n".join(f'  "{spark_home(venv).resolve()}") archive="{archive_of(venv)}" ;;' for venv in VENVS)
    text = PROGRAM.format(cases=cases, java=machines_java(), options=OPTIONS)
    program = HOME / "bin/java"
    if not program.exists() or program.read_text() != text:
        program.parent.mkdir(parents=True, exist_ok=True)
        # At once, for whoever starts it meanwhile.
        with tempfile.TemporaryDirectory(dir=HOME) as folder:
            written = Path(folder) / program.name
            written.write_text(text)
            written.chmod(0o755)
            written.replace(program)
    return HOME


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
