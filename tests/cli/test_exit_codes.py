"""One test for each exit code, and for which of them wins where several apply."""

import resource
import subprocess

import pytest

from project import CALM, SKEWED, SHREDDED, binary, fake_job


def test_0_where_nothing_is_new(project):
    project.accepted(CALM)
    outcome = project.run()
    assert outcome.code == 0
    assert outcome.verdict["verdict"] == "passed"
    assert outcome.state("revenue/default") == "judged"
    assert outcome.findings("revenue/default", "skew") == []


def test_1_where_a_finding_is_new(project):
    project.accepted(CALM)
    project.one_job(SKEWED)
    outcome = project.run()
    assert outcome.code == 1
    assert outcome.verdict["verdict"] == "regressed"
    finding = outcome.finding("revenue/default", "skew")
    assert finding["state"] == "new"
    assert finding["value"] == 10


def test_2_where_the_manifest_is_wrong(project):
    project.write("stagegate.toml", "[jobs.revenue]\ncomand = ['true']\n")
    outcome = project.run()
    assert outcome.code == 2
    assert outcome.verdict["verdict"] == "usage-error"


def test_3_where_a_job_fails(project):
    project.one_job(CALM, "--exit", "3")
    outcome = project.run()
    assert outcome.code == 3
    assert outcome.verdict["verdict"] == "not-judged"


def test_4_where_the_manifest_has_no_job(project):
    project.write("stagegate.toml", "[variants.adaptive]\n")
    outcome = project.run()
    assert outcome.code == 4
    assert outcome.verdict["verdict"] == "nothing-to-check"
    assert "[jobs." in outcome.stderr


def test_4_where_the_application_ran_no_stage(project):
    project.one_job()
    outcome = project.run()
    assert outcome.code == 4
    assert outcome.state("revenue/default") == "nothing-ran"
    assert outcome.cases("revenue/default", "error")


def test_5_where_there_is_no_baseline(project):
    project.one_job(SKEWED)
    outcome = project.run()
    assert outcome.code == 5
    assert outcome.verdict["verdict"] == "baseline-trouble"
    assert outcome.state("revenue/default") == "no-baseline"
    assert outcome.finding("revenue/default", "skew")["state"] == "unjudged"


def test_70_with_a_word_on_what_happened(project, tmp_path):
    with open(binary(), "rb") as file:
        if b"__asan_init" in file.read():
            pytest.skip("the address sanitizer ends a process whose memory is at an end before the process can")
    # Memory that is at an end is an honest internal error: a line of 400 MB is more than 300 MB hold.
    log = tmp_path / "log"
    with open(log, "wb") as file:
        file.write(b'{"Event":"SparkListenerLogStart","Spark Version":"4.3.0"}\n{"Event":"')
        file.truncate(400_000_000)
    limit = 300_000_000
    done = subprocess.run(
        [binary(), "report", str(log)],
        env=project.env,
        capture_output=True,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        check=False,
    )
    assert done.returncode == 70
    assert b"internal error" in done.stderr
    assert done.stdout == b""


def test_74_where_standard_output_is_full(project):
    project.one_job(CALM)
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [binary(), "list"], cwd=project.root, env=project.env, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False
        )
    assert done.returncode == 74
    assert b"standard output" in done.stderr


# 74 for report files: test_reports_that_cannot_be_written.py. 130 and 143: test_interrupts.py.


def test_a_new_finding_outweighs_a_failed_job(project):
    project.manifest(f"""
        [baseline]
        use = false
        [jobs.failing]
        command = {fake_job(CALM, "--exit", "1")}
        [jobs.skewed]
        command = {fake_job(SKEWED)}
    """)
    outcome = project.run()
    assert outcome.code == 1
    assert outcome.state("failing/default") == "job-failed"
    assert outcome.state("skewed/default") == "judged"


def test_a_failed_job_outweighs_a_missing_baseline(project):
    project.manifest(f"""
        [jobs.failing]
        command = {fake_job(CALM, "--exit", "1")}
        [jobs.calm]
        command = {fake_job(CALM)}
    """)
    outcome = project.run()
    assert outcome.code == 3
    assert outcome.state("calm/default") == "no-baseline"


def test_a_missing_baseline_outweighs_an_application_without_stages(project):
    project.manifest(f"""
        [jobs.idle]
        command = {fake_job()}
        [jobs.calm]
        command = {fake_job(CALM)}
    """)
    assert project.run().code == 5


def test_a_broken_baseline_outweighs_a_new_finding(project):
    project.fake_jobs(broken=CALM, revenue=CALM)
    project.run()
    project.accept()
    project.write("baselines/broken/default.json", "{")
    project.fake_jobs(broken=CALM, revenue=SKEWED)
    outcome = project.run()
    assert outcome.code == 2
    assert outcome.state("broken/default") == "baseline-broken"
    assert outcome.finding("revenue/default", "skew")["state"] == "new"


def test_shredded_stages_fail_too(project):
    project.one_job(SHREDDED, more="[baseline]\nuse = false")
    outcome = project.run()
    assert outcome.code == 1
    assert [finding["rule"] for finding in outcome.variant("revenue/default")["findings"]] == ["small-tasks"]


@pytest.mark.parametrize(
    "arguments",
    [(), ("rnu",), ("run", "--jobz", "2"), ("run", "--jobs", "0"), ("run", "--jobs", "many"), ("run", "--fail-fast", "--keep-going"),
     ("report",), ("report", "x", "--format", "yaml"), ("check", "x", "--job", "revenue"), ("baseline",), ("baseline", "acept"),
     ("run", "--conf", "spark.x"), ("run", "--color", "blue"), ("validate", "surplus")],
)  # fmt: skip
def test_a_wrong_command_line_is_2_and_says_so(project, arguments):
    project.one_job(CALM)
    outcome = project.stagegate(*arguments) if arguments else project.start().wait()
    assert outcome.code == 2
    assert outcome.stderr.strip()
    assert outcome.stdout == ""


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("rnu",), ["'rnu'", "'run'"]),
        (("report", "x", "--formt", "json"), ["'--formt'", "'--format'"]),
        (("run", "surplus"), ["'surplus'"]),
        (("--manifest", "x.toml", "run"), ["'--manifest'", "before the command"]),
        (("run", "--report-dir", ""), ["--report-dir", "empty"]),
        (("run", "--manifest", ""), ["--manifest", "empty"]),
        (("report", ""), ["empty"]),
        (("run", "--conf", "spark.x"), ["spark.x", "KEY=VALUE"]),
        (("run", "--conf", "sparc.x=1"), ["sparc.x", "spark."]),
    ],
)
def test_a_wrong_command_line_names_the_wrong_word(project, arguments, words):
    project.one_job(CALM, "--mark", "started")
    outcome = project.stagegate(*arguments)
    assert outcome.code == 2
    assert all(word in outcome.stderr for word in words), outcome.stderr
    assert not (project.root / "started").exists()


@pytest.mark.parametrize("arguments", [("--help",), ("run", "--help"), ("--version",)])
def test_help_is_0_on_standard_output(project, arguments):
    outcome = project.stagegate(*arguments)
    assert outcome.code == 0
    assert outcome.stdout.strip()
    assert outcome.stderr == ""
