"""A variant that runs several times: `runs` in the manifest, and --runs."""

import json
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


def accepted(project):
    return json.loads((project.baselines / "revenue/default.json").read_text(encoding="utf-8"))


def test_runs_that_are_the_same_leave_no_range(project):
    job_by_turn(project, GOOD, more="runs = 3\n")
    variant = project.run().variant("revenue/default")
    assert variant["runs"] == 3 and variant["unstable"] == []
    project.stagegate("baseline", "accept", own_reports=False)
    totals = [value for stage in accepted(project)["stages"] for value in stage["totals"].values()]
    assert totals and all(isinstance(value, int) for value in totals)
    outcome = project.run()
    assert outcome.code == 0 and "unstable" not in outcome.stdout


def test_records_that_differ_are_told_where_that_starts(project):
    more_rows = "join customers=7x4MiB,4194704"  # 400 bytes more, which are 40 rows of the fake job
    job_by_turn(project, GOOD, [more_rows], GOOD, more="runs = 3\n")
    outcome = project.run()
    variant = outcome.variant("revenue/default")
    writing, reading = variant["unstable"]
    assert writing["in_runs"] == reading["in_runs"] == 3 and writing["cause"] is None
    low, high = writing["values"]["shuffle_write_records"]
    assert high - low == 40 and reading["values"]["shuffle_read_records"] == [low, high]
    finding = outcome.finding("revenue/default", "unstable-input")
    assert finding["level"] == "warning" and not finding["fails"]
    assert finding["stage"] == writing["stage"], "the stage that reads only follows"
    assert "shuffle write records by 40" in finding["message"]
    assert "unstable: not the same in each of the 3 runs" in outcome.stdout
    assert f"shuffle write records {low:,} to {high:,}" in outcome.stdout
    [case] = [case for case in outcome.suite("revenue/default").iter("testcase") if case.get("name") == "run"]
    assert "not the same in each of the 3 runs" in case.find("system-out").text


def test_a_baseline_of_several_runs_keeps_the_smallest_and_the_largest(project):
    sizes = {"small": "join customers=8x4MiB", "large": "join customers=8x6MiB", "larger": "join customers=8x7MiB"}
    job_by_turn(project, [sizes["small"]], [sizes["large"]], more="runs = 2\n")
    project.run()
    project.stagegate("baseline", "accept", own_reports=False)
    reads = [stage["totals"]["shuffle_read"] for stage in accepted(project)["stages"]]
    assert [32 * 2**20, 48 * 2**20] in reads
    assert not any(finding["rule"] == "unstable-input" for finding in accepted(project)["findings"]), "one run could not show it"
    job_by_turn(project, [sizes["large"]])
    outcome = project.run()
    assert outcome.code == 0 and outcome.findings("revenue/default", "growth") == [], "the largest that was seen"
    job_by_turn(project, [sizes["larger"]])
    assert project.run().findings("revenue/default", "growth") != [], "7 MiB are more than a tenth above 6"


def test_a_finding_of_some_runs_counts_with_its_worst_value(project):
    job_by_turn(project, GOOD, ["join customers=7x4MiB,40MiB"], ["join customers=7x4MiB,80MiB"], more="runs = 3\n")
    outcome = project.run()
    finding = outcome.finding("revenue/default", "skew")
    assert finding["found_in_runs"] == 2
    assert finding["smallest_value"] == 10 and finding["value"] == 20, "the largest task reads 10 and 20 times the median"
    assert "(in 2 of 3 runs)" in outcome.stdout
    project.stagegate("baseline", "accept", own_reports=False)
    [kept] = [entry for entry in accepted(project)["findings"] if entry["rule"] == "skew"]
    assert kept["value_thousandths"] == [10_000, 20_000]
    job_by_turn(project, ["join customers=7x4MiB,80MiB"])
    outcome = project.run()
    assert outcome.code == 0 and outcome.finding("revenue/default", "skew")["state"] == "known"
    job_by_turn(project, ["join customers=7x4MiB,120MiB"])
    outcome = project.run()
    assert outcome.code == 1 and outcome.finding("revenue/default", "skew")["state"] == "worse"


def test_a_stage_that_only_some_runs_have_is_told(project):
    job_by_turn(project, GOOD, [CALM, "join orders=8x4MiB"], more="runs = 2\n")
    variant = project.run().variant("revenue/default")
    only = [stage for stage in variant["unstable"] if stage["in_runs"] == 1]
    assert only and all(stage["stage_id"] is None and "orders" in stage["stage"] for stage in only)


def test_a_log_that_is_checked_is_one_run_whatever_the_manifest_says(project):
    job_by_turn(project, GOOD, more="runs = 3\n")
    project.run("--runs", "1")
    [log] = (project.report_dir / RUN_DIR / "1/eventlog").iterdir()
    log = log.rename(project.root / log.name)
    outcome = project.stagegate("check", str(log), "--job", "revenue", "--variant", "default")
    assert outcome.variant("revenue/default")["runs"] == 1
