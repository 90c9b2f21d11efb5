"""mark("what comes next"): says in a local property which statement of the script the following stages belong to.

The property is taken out of the logs before they are packed, so a matcher cannot see it; the hand-made truth leans on it.
"""
from __future__ import annotations

from pyspark import SparkContext


def mark(action: str) -> None:
    SparkContext._active_spark_context.setLocalProperty("pairs.action", action)
