"""Processes that a test starts and ends itself, by pid and also where the test fails."""
from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

PATIENCE_S = 300  # what takes longer does not come any more, on the slowest machine that tests run on


@contextmanager
def running(command: list[str], log: Path, env: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """COMMAND in a process group of its own, which is ended with the block: spark-submit has a JVM start a Python."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=dict(env), cwd=log.parent, start_new_session=True
        )
    try:
        yield process
    finally:
        end_group(process)


def end_group(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def wait_until(look: Callable[[], T | None], process: subprocess.Popen[bytes], log: Path) -> T:
    """What LOOK gives once it gives something; fails with the end of LOG where PROCESS ends before."""
    return wait_for(look, lambda: f"{process.args}\n{log.read_text(errors='replace')[-3000:]}", process)


def wait_for(look: Callable[[], T | None], tell: Callable[[], str], process: subprocess.Popen[Any] | None = None) -> T:
    """What LOOK gives once it gives something; fails with what there is to TELL where that takes too long or PROCESS ends before."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        ended = process is not None and process.poll() is not None
        if (seen := look()) is not None:
            return seen
        if ended or time.monotonic() > deadline:
            how = f"ended with {process.returncode}" if ended else f"was not ready after {PATIENCE_S} s"
            raise AssertionError(f"{how}: {tell()}")
        time.sleep(0.1)


def free_port() -> int:
    """One that stays free until it is used: whoever takes any port, as other suites do meanwhile, gets one of those above 32767."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as listener, suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port
