"""How a job and the test that watches it wait for each other: one writes a file, the other looks for it."""
from __future__ import annotations

import time
from pathlib import Path

# A test that died leaves no application behind.
PATIENCE_S = 300


def say(file: Path, text: str = "") -> None:
    """Makes FILE, whole from the moment it is there."""
    unfinished = file.with_name(f"{file.name}.unfinished")
    unfinished.write_text(text)
    unfinished.rename(file)


def wait_for(file: Path) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not file.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
