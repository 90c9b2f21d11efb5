"""Asking Spark's servers for JSON, on machines that may be slow.

Both ways take a server that accepts and answers late for what it is: a fresh JVM on a busy machine. `ask` waits for it,
`ask_if_there` says that there is nothing yet and leaves the waiting to who asks again.
"""
from __future__ import annotations

import json
from http.client import HTTPException
from typing import Any
from urllib.request import urlopen

from processes import PATIENCE_S


def ask(url: str) -> Any:
    """The JSON of a server that is known to be up."""
    with urlopen(url, timeout=PATIENCE_S) as body:
        return json.load(body)


def ask_if_there(url: str, timeout_s: float = 5) -> Any:
    """The JSON that is there, or None where nobody listens or answers yet."""
    try:
        with urlopen(url, timeout=timeout_s) as body:
            return json.load(body)
    except (OSError, HTTPException):  # urllib wraps what goes wrong while it connects, not what does while it reads
        return None
