"""A fake job that does something else each time it is run, as jobs do that are not stable."""

from __future__ import annotations

import json

SCRIPT = """\
import json, pathlib, sys
import fake_job
turns = pathlib.Path(__file__).parent.parent / "turns"
turn = len(turns.read_text().splitlines()) if turns.exists() else 0
with open(turns, "a") as out:
    out.write("run\\n")
lists = json.loads(pathlib.Path(__file__).with_name("turns.json").read_text())
sys.exit(fake_job.main(lists[min(turn, len(lists) - 1)]))
"""


def job_by_turn(project, *turns: list[str], more: str = ""):
    """A manifest with the job `revenue`, which runs fake_job.py with the arguments of TURNS, one list a run; the last one stays."""
    project.write("jobs/by_turn.py", SCRIPT)
    project.write("jobs/turns.json", json.dumps(turns))
    project.write("stagegate.toml", f'[jobs.revenue]\ncommand = ["python3", "jobs/by_turn.py"]\n{more}')


def turns_taken(project) -> int:
    """How often it has been run."""
    turns = project.root / "turns"
    return len(turns.read_text(encoding="utf-8").splitlines()) if turns.exists() else 0
