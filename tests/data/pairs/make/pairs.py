"""The pairs: which script runs on which side, on which Spark, with which settings."""
from __future__ import annotations

from dataclasses import dataclass, field

SPARK3, SPARK4 = ".venv-spark3", ".venv"
# Eight partitions, and a broadcast threshold under which the tables of a few rows fall and the others do not.
USUAL = {"spark.sql.shuffle.partitions": "8", "spark.sql.autoBroadcastJoinThreshold": "16KB"}


@dataclass(frozen=True)
class Side:
    app: str
    script: str = "job.py"
    venv: str = SPARK4
    conf: dict[str, str] = field(default_factory=lambda: USUAL)
    arguments: list[str] = field(default_factory=list)


def two_scripts(app: str, **settings) -> dict[str, Side]:
    return {"before": Side(app, "before.py", **settings), "after": Side(app, "after.py", **settings)}


PAIRS: dict[str, dict[str, Side]] = {
    "s01_adaptive_off": {
        "before": Side("depot_report"),
        "after": Side("depot_report", conf={**USUAL, "spark.sql.adaptive.enabled": "false"}),
    },
    "s02_spark_3_to_4": {"before": Side("claims_report", venv=SPARK3), "after": Side("claims_report")},
    "s03_broadcast": {
        "before": Side("sender_bill", venv=SPARK3),
        "after": Side("sender_bill", venv=SPARK3, conf={**USUAL, "spark.sql.autoBroadcastJoinThreshold": "1MB"}),
    },
    "s04_reordered": two_scripts("morning_mail"),
    "s05_cache_moved": two_scripts("service_levels"),
    "s06_sort_and_distinct": two_scripts("hand_over", venv=SPARK3),
    "s07_rdd_bodies": two_scripts("tour_plan"),
    "s08_tables": two_scripts("lane_times", conf={**USUAL, "spark.sql.adaptive.enabled": "false"}),
    "s09_names_and_month": two_scripts("month_end"),
    "s10_udf_and_window": two_scripts("sender_ranks"),
    "s11_upgrade_and_edit": {
        "before": Side("yard_watch", "before.py", venv=SPARK3),
        "after": Side("yard_watch", "after.py"),
    },
    "s12_union_branches": two_scripts("service_claims"),
}
