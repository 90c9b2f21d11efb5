"""The collection of public event logs and of Spark's own REST answers, where it lies beside the checkout (tests/corpus)."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

CORPUS = Path(os.environ.get("STAGEGATE_CORPUS", Path(__file__).resolve().parents[3] / "shared/corpus"))
needs_corpus = pytest.mark.skipif(not (CORPUS / "answers").is_dir(), reason=f"there is no collection of logs at {CORPUS}")


def log_path(name: str) -> Path:
    return CORPUS / "logs" / name


def answer(name: str) -> dict:
    return json.loads((CORPUS / "answers" / f"{name}.json").read_text(encoding="utf-8"))


def parts(name: str) -> list[Path]:
    """The files of a log, in their order."""
    path = log_path(name)
    if path.is_file():
        return [path]
    found = [part for part in path.iterdir() if part.name.startswith("events_")]
    return sorted(found, key=lambda part: int(part.name.split("_")[1]))


def plain(path: Path) -> bytes:
    if "zstd" in path.name.split("@")[0].rsplit(".", 1)[-1]:
        return subprocess.run(["zstd", "-dcq", str(path)], capture_output=True, check=True).stdout
    return path.read_bytes()


def lines(name: str) -> list[bytes]:
    return [line for part in parts(name) for line in plain(part).splitlines()]


def recorded(version: str) -> dict[str, object]:
    """Spark's answers by their address below /api/v1/."""
    rows = (CORPUS / "rest/EXPECTATION_URLS.tsv").read_text(encoding="utf-8").splitlines()[1:]
    found = {}
    for name, address in (row.split("\t")[:2] for row in rows):
        path = CORPUS / "rest" / version / name
        if path.is_file():
            found[address.rstrip("/")] = json.loads(path.read_text(encoding="utf-8"))
    return found
