"""Jobs that fail, hang, talk too much or leave no usable evidence: none may pass, none may hang the gate."""

import re
import signal

import pytest

from project import CALM, SKEWED, fake_job, toml, wait_until_gone

NAME = "revenue/default"


def not_judged(project, state, *arguments, **options):
    """Runs the one job; returns reason and the whole output."""
    outcome = project.run(*arguments, **options)
    assert outcome.code == 3
    assert outcome.state(NAME) == state
    assert outcome.variant(NAME)["findings"] == []
    error_cases = outcome.cases(NAME, "error")
    assert [case.get("name") for case in error_cases] == ["run"]
    reason = outcome.variant(NAME)["reason"]
    assert reason in error_cases[0].find("error").text
    assert len(outcome.cases(NAME, "skipped")) == len(list(outcome.suite(NAME).iter("testcase"))) - 1, "no rule passes"
    assert not (project.report_dir / "pending").exists() or not list((project.report_dir / "pending").rglob("*.json")), "nothing to accept"
    return outcome


def pids_of(project):
    return [int(word) for word in (project.root / "pids").read_text(encoding="utf-8").split()]


def test_an_app_whose_file_is_missing(project):
    project.write("stagegate.toml", "[jobs.revenue]\napp = 'jobs/nothing.py'\n")
    outcome = not_judged(project, "job-failed")
    assert "jobs/nothing.py" in outcome.variant(NAME)["reason"]
    assert "stagegate.toml:1:" in outcome.variant(NAME)["reason"]
    validated = project.stagegate("validate")
    assert validated.code == 2
    assert "jobs/nothing.py" in validated.stderr and "stagegate.toml:1:" in validated.stderr


def test_a_program_that_is_not_there(project):
    project.write("stagegate.toml", "[jobs.revenue]\ncommand = ['no-such-program']\n")
    outcome = not_judged(project, "job-failed")
    assert "no-such-program" in outcome.variant(NAME)["reason"]


def test_exits_with_status_3_though_its_log_is_whole(project):
    project.one_job(CALM, "--exit", "3")
    outcome = not_judged(project, "job-failed")
    assert "status 3" in outcome.variant(NAME)["reason"]


def test_throws(project):
    project.one_job(CALM, "--throw", "no such customer")
    outcome = not_judged(project, "job-failed")
    assert "status 1" in outcome.variant(NAME)["reason"]
    [case] = outcome.cases(NAME, "error")
    for text in (outcome.stdout, case.find("error").text):
        assert "ValueError: no such customer" in text
        assert "Traceback" in text and "fake_job.py" in text


def test_is_killed_by_signal_9(project):
    project.one_job(CALM, "--kill-self", "9")
    outcome = not_judged(project, "job-failed")
    assert "signal 9" in outcome.variant(NAME)["reason"] and "SIGKILL" in outcome.variant(NAME)["reason"]


def test_ends_by_a_crash(project):
    project.one_job(CALM, "--kill-self", str(int(signal.SIGSEGV)))
    assert "SIGSEGV" in not_judged(project, "job-failed").variant(NAME)["reason"]


def test_hangs(project):
    project.one_job(CALM, "--sleep", "100", more="timeout = '1 s'")
    outcome = not_judged(project, "job-failed")
    assert re.search(r"did not end within 1(\.0)? s", outcome.variant(NAME)["reason"])
    assert outcome.seconds < 8
    wait_until_gone(pids_of(project))


def test_hangs_and_ignores_the_request_to_end(project):
    project.one_job(CALM, "--sleep", "100", "--ignore-term", more="timeout = '500 ms'")
    outcome = not_judged(project, "job-failed")
    assert "did not end within" in outcome.variant(NAME)["reason"]
    assert outcome.seconds > 5, "it got its time to end by itself"
    assert outcome.seconds < 20
    wait_until_gone(pids_of(project))


def test_leaves_children_behind_when_it_ends(project):
    script = "sleep 100 & echo $! > pids; exec python3 jobs/fake_job.py \"$@\""
    project.write("stagegate.toml", f"[jobs.revenue]\ncommand = {toml(['/bin/sh', '-c', script, 'sh', CALM])}\n")
    outcome = project.run()
    assert outcome.code == 5
    assert outcome.seconds < 30
    wait_until_gone(pids_of(project))


def test_writes_a_gigabyte_of_error_output(project):
    project.one_job(CALM, "--much-error-output", "1000000000", "--exit", "1")
    outcome = not_judged(project, "job-failed")
    assert "line 39999 of a talkative job" in outcome.stdout
    assert outcome.max_rss_bytes < 500_000_000
    assert outcome.seconds < 20
    [stderr] = project.report_dir.rglob("stderr.txt")
    assert stderr.stat().st_size == 1_000_000_000
    assert (project.report_dir / "junit.xml").stat().st_size < 1_000_000
    stderr.unlink()


def test_writes_a_gigabyte_and_succeeds(project):
    project.one_job(CALM, "--much-error-output", "1000000000")
    outcome = project.run()
    assert outcome.code == 5
    assert outcome.max_rss_bytes < 500_000_000
    next(project.report_dir.rglob("stderr.txt")).unlink()


def test_writes_no_event_log(project):
    project.one_job(CALM, "--no-log")
    outcome = not_judged(project, "no-evidence")
    assert "event log" in outcome.variant(NAME)["reason"]


def test_switches_the_event_log_off_in_its_code(project):
    project.one_job(CALM, "--set", "spark.eventLog.enabled=false")
    reason = not_judged(project, "no-evidence").variant(NAME)["reason"]
    assert "event log" in reason and "spark.eventLog.enabled" in reason


def test_does_nothing_with_spark_at_all(project):
    project.write("stagegate.toml", "[jobs.revenue]\ncommand = ['true']\n")
    assert "event log" in not_judged(project, "no-evidence").variant(NAME)["reason"]


def test_stops_its_context_while_a_stage_runs(project):
    project.one_job(CALM, "--stopped-early")
    outcome = not_judged(project, "no-evidence")
    assert "4 of 8" in outcome.stdout and "SparkContext was shut down" in outcome.stdout


def test_catches_the_exception_of_a_query_and_goes_on(project):
    project.one_job(CALM, "--query-error", "org.apache.spark.SparkException: Job aborted")
    outcome = not_judged(project, "no-evidence")
    assert "2 of 4" in outcome.stdout and "Job cancelled" in outcome.stdout


def test_a_stage_that_its_query_did_not_need_is_not_judged_and_fails_nothing(project):
    """Adaptive execution cancels the other side of an empty one; how far it came is chance."""
    project.accepted(CALM, "--query-error", "")
    assert "query" not in (project.root / "baselines/revenue/default.json").read_text()
    outcome = project.run()
    assert outcome.code == 0


def test_starts_two_applications(project):
    project.one_job(CALM, "--applications", "2")
    outcome = not_judged(project, "no-evidence")
    for number in (0, 1):
        assert f"local-179598000000{number}" in outcome.variant(NAME)["reason"]


def test_leaves_the_log_of_a_driver_that_died(project):
    project.one_job(CALM, "--died")
    outcome = not_judged(project, "no-evidence")
    assert "not whole" in outcome.variant(NAME)["reason"]


def test_leaves_a_log_that_ends_in_the_middle_of_a_line(project):
    project.one_job(CALM, "--cut-bytes", "4000")
    not_judged(project, "no-evidence")


def test_leaves_a_log_in_which_events_were_dropped(project):
    project.one_job(CALM, "--lost-tasks", "3")
    outcome = not_judged(project, "no-evidence")
    assert "5 of 8" in outcome.stdout


def test_leaves_a_log_that_is_of_another_run(project):
    project.one_job(CALM, "--set", "spark.stagegate.run=yesterday")
    reason = not_judged(project, "no-evidence").variant(NAME)["reason"]
    assert "another run" in reason


def test_a_failed_task_that_succeeded_later_is_a_warning_and_no_failure(project):
    project.one_job(CALM, "--failed-tasks", "2", more="[baseline]\nuse = false")
    outcome = project.run()
    assert outcome.code == 0
    assert outcome.finding(NAME, "failed-tasks")["level"] == "warning"


def test_a_spill_is_a_warning(project):
    project.one_job(CALM, "--spilled-bytes", "1000000000", more="[baseline]\nuse = false")
    outcome = project.run()
    assert outcome.code == 0
    assert outcome.finding(NAME, "spill")["level"] == "warning"


def test_one_job_that_fails_does_not_keep_the_others_from_their_verdict(project):
    project.manifest(f"""
        [baseline]
        use = false
        [jobs.failing]
        command = {fake_job(CALM, "--exit", "1")}
        [jobs.hanging]
        command = {fake_job(CALM, "--sleep", "100")}
        timeout = "500 ms"
        [jobs.calm]
        command = {fake_job(CALM)}
        [jobs.skewed]
        command = {fake_job(SKEWED)}
    """)
    outcome = project.run()
    assert outcome.code == 1
    states = [entry["state"] for entry in outcome.verdict["variants"]]
    assert states == ["job-failed", "job-failed", "judged", "judged"]


def test_what_an_earlier_run_left_is_not_taken_for_this_one(project):
    project.accepted(CALM)
    assert project.run().code == 0
    project.one_job(CALM, "--no-log")
    not_judged(project, "no-evidence")


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_the_whole_output_stays_in_the_folder_of_the_run(project, stream):
    redirect = ">&2" if stream == "stderr" else ""
    script = f"echo hello from the job {redirect}; exit 1"
    project.write("stagegate.toml", f"[jobs.revenue]\ncommand = {toml(['/bin/sh', '-c', script])}\n")
    outcome = project.run()
    folder = project.root / outcome.variant(NAME)["run_dir"]
    assert (folder / f"{stream}.txt").read_text() == "hello from the job\n"
    assert "hello from the job" in outcome.stdout
