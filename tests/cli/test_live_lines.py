"""What a person sees of variants while they run: a line each, redrawn."""

from project import CALM, fake_job
from terminal import terminal

JOBS = 6


def test_more_running_variants_than_rows_are_counted(project):
    project.manifest("\n".join(f"[jobs.job{i}]\ncommand = {fake_job(CALM, '--sleep', '2', '--pids', f'pids-{i}')}" for i in range(JOBS)))
    with terminal(project, "run", "--jobs", str(JOBS), height=5, before="echo ready;") as window:
        screen = window.wait(f"... and {JOBS - 2} more run")
        assert screen.count("0 stages, 0 tasks") == 2, screen
        assert "more run" not in window.end(5)
        assert all(f"job{i}/default: " in window.scrolled() for i in range(JOBS))
        assert "more run" not in window.scrolled(), "nothing that was drawn is left behind"
