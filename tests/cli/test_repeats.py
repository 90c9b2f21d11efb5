"""A variant that runs several times: `runs` in the manifest, and --runs."""

import signal

from by_turn import job_by_turn, turns_taken
from project import CALM, fake_job

GOOD = [CALM]
RUN_DIR = "runs/revenue/default"


def folders(project):
    return sorted(path.name for path in (project.report_dir / RUN_DIR).iterdir())


def test_each_run_has_a_process_and_a_folder_of_its_own(project):
    job_by_turn(project, GOOD, more="runs = 3\n")
    outcome = project.run()
    assert outcome.state("revenue/default") == "no-baseline"
    assert turns_taken(project) == 3
    assert folders(project) == ["1", "2", "3"]
    for number in (1, 2, 3):
        assert f"revenue/default, run {number} of 3: started" in outcome.stderr
    assert outcome.variant("revenue/default")["run_dir"].endswith(RUN_DIR + "/1")
    assert outcome.stdout.count("revenue / default: no baseline") == 1, "a variant is one result, however often it ran"


def test_the_command_line_has_the_last_word(project):
    job_by_turn(project, GOOD, more="runs = 3\n")
    project.run("--runs", "2")
    assert turns_taken(project) == 2 and folders(project) == ["1", "2"]
    project.run("--runs", "1")
    assert folders(project) == ["1"], "nothing of the second one is taken for a result of this run"


def test_list_and_dry_run_tell_how_many(project):
    job_by_turn(project, GOOD, more="runs = 3\n")
    assert "3 runs" in project.stagegate("list").stdout
    assert "3 runs" in project.run("--dry-run").stdout
    assert "5 runs" in project.run("--dry-run", "--runs", "5").stdout
    assert " runs" not in project.run("--dry-run", "--runs", "1").stdout
    assert turns_taken(project) == 0


def test_a_run_that_fails_fails_the_variant_and_is_named(project):
    job_by_turn(project, GOOD, [CALM, "--throw", "no such table", "--exit", "3"], GOOD, more="runs = 3\n")
    outcome = project.run()
    assert outcome.code == 3
    variant = outcome.variant("revenue/default")
    assert variant["state"] == "job-failed" and variant["reason"].startswith("run 2 of 3: the job exited with status")
    assert variant["run_dir"].endswith(RUN_DIR + "/2")
    assert "no such table" in outcome.stdout
    assert turns_taken(project) == 2, "a third run would change nothing"
    [case] = outcome.cases("revenue/default", "error")
    assert "run 2 of 3" in case.find("error").get("message")


def test_a_run_without_whole_evidence_is_named(project):
    job_by_turn(project, GOOD, GOOD, [CALM, "--no-log"], more="runs = 3\n")
    variant = project.run().variant("revenue/default")
    assert variant["state"] == "no-evidence" and variant["reason"].startswith("run 3 of 3: ")
    (project.root / "turns").unlink()
    job_by_turn(project, [CALM, "--lost-tasks", "1"], GOOD, more="runs = 3\n")
    outcome = project.run()
    variant = outcome.variant("revenue/default")
    assert variant["state"] == "no-evidence" and variant["reason"].startswith("run 1 of 3: the event log is not whole")
    assert turns_taken(project) == 1
    assert outcome.findings("revenue/default", "skew") == []


def test_a_failure_of_one_variant_does_not_stop_the_runs_of_another(project):
    job_by_turn(project, [CALM, "--exit", "1"], more=f"runs = 2\n[jobs.orders]\ncommand = {fake_job(CALM)}\nruns = 2\n")
    outcome = project.run("--jobs", "2")
    assert outcome.state("revenue/default") == "job-failed"
    assert outcome.state("orders/default") == "no-baseline"
    assert (project.report_dir / "runs/orders/default/2/run.json").exists()


def test_fail_fast_starts_no_more_runs_of_any_variant(project):
    job_by_turn(project, [CALM, "--exit", "1"], more=f"runs = 2\n[jobs.orders]\ncommand = {fake_job(CALM)}\nruns = 2\n")
    outcome = project.run("--fail-fast")
    assert outcome.state("revenue/default") == "job-failed"
    assert outcome.state("orders/default") == "not-started"
    assert "run 1 of 2: not started" in outcome.variant("orders/default")["reason"]


def test_an_interrupt_ends_the_run_that_is_under_way(project):
    job_by_turn(project, GOOD, [CALM, "--sleep", "60"], more="runs = 3\n")
    started = project.start("run")
    started.wait_for_file(project.root / "pids")
    started.send(signal.SIGINT)
    outcome = started.wait()
    assert outcome.code == 130
    variant = outcome.variant("revenue/default")
    assert variant["state"] == "interrupted" and variant["reason"].startswith("run 2 of 3: ")
    assert turns_taken(project) == 2


def test_a_number_that_is_none_is_refused(project):
    job_by_turn(project, GOOD, more="runs = 0\n")
    outcome = project.run()
    assert outcome.code == 2 and "stagegate.toml:3:8: 'runs' in [jobs.revenue] must be 1 to 100, not 0" in outcome.output
    job_by_turn(project, GOOD)
    for runs in ("0", "101", "x"):
        assert project.run("--runs", runs, own_reports=False).code == 2
    assert turns_taken(project) == 0
