"""Where the tests find things: the checkout, the environments that ci/setup made, the Sparks in them."""
from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SPARK_4 = ROOT / ".venv"
SPARK_3 = ROOT / ".venv-spark3"


@cache
def spark_home(venv: Path) -> Path:
    """The folder of its pyspark package."""
    where = [str(venv / "bin/python"), "-c", "import importlib.util as i; print(i.find_spec('pyspark').submodule_search_locations[0])"]
    return Path(subprocess.check_output(where, text=True).strip())
