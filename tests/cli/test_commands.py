"""Levels, selection, order, and the commands that run nothing."""

import json
import re
import shlex
import subprocess

import pytest

from project import CALM, SKEWED, SHREDDED, binary, fake_job, toml


def test_a_warning_never_fails(project):
    project.one_job(SKEWED, more="[baseline]\nuse = false\n[rules.skew]\nlevel = 'warning'\n")
    outcome = project.run()
    assert outcome.code == 0
    finding = outcome.finding("revenue/default", "skew")
    assert (finding["level"], finding["state"], finding["fails"]) == ("warning", "new", False)
    assert "skew" in outcome.stdout and "warning" in outcome.stdout
    assert outcome.cases("revenue/default", "failure") == []
    [case] = [case for case in outcome.suite("revenue/default").iter("testcase") if case.get("name").startswith("skew")]
    assert "skew" in case.find("system-out").text


def test_a_rule_that_is_off_is_not_looked_at(project):
    project.one_job(SKEWED, more="[baseline]\nuse = false\n[rules.skew]\nlevel = 'off'\n")
    outcome = project.run()
    assert outcome.code == 0
    assert outcome.findings("revenue/default", "skew") == []
    assert not any(case.get("name").startswith("skew") for case in outcome.junit.iter("testcase"))


def test_small_tasks_speak_where_skew_is_off(project):
    """A rule that is off silences nobody."""
    project.one_job("join customers=39x1kB,9kB", more="[baseline]\nuse = false\n[rules.skew]\nlevel = 'off'\n")
    assert project.run().findings("revenue/default", "small-tasks")


def test_an_override_for_a_variant(project):
    project.manifest(f"""
        [baseline]
        use = false
        [jobs.revenue]
        command = {fake_job(SKEWED)}
        [jobs.returns]
        command = {fake_job(SKEWED)}
        [variants.adaptive-on]
        [variants.adaptive-off]
        [variants.plain]
        [rules.skew]
        [[rules.skew.override]]
        job = "revenue"
        variant = "adaptive-*"
        level = "warning"
        [[rules.skew.override]]
        variant = "adaptive-off"
        factor = 20
        [[rules.skew.override]]
        level = "error"
    """)
    outcome = project.run()
    assert outcome.code == 1
    found = {
        f"{entry['job']}/{entry['variant']}": [finding["level"] for finding in entry["findings"] if finding["rule"] == "skew"]
        for entry in outcome.verdict["variants"]
    }
    assert found == {
        "revenue/adaptive-on": ["warning"],
        "revenue/adaptive-off": ["warning"],
        "revenue/plain": ["error"],
        "returns/adaptive-on": ["error"],
        "returns/adaptive-off": [],
        "returns/plain": ["error"],
    }


MANY = f"""
[baseline]
use = false
[jobs.first]
command = {fake_job(CALM, "--mark", "first", "--sleep", "0.6", "--pids", "p1")}
[jobs.second]
command = {fake_job(CALM, "--mark", "second", "--exit", "1")}
[jobs.third]
command = {fake_job(CALM, "--mark", "third")}
"""


def test_keep_going_is_the_default(project):
    project.write("stagegate.toml", MANY)
    for arguments in ((), ("--keep-going",)):
        outcome = project.run(*arguments)
        assert outcome.code == 3
        assert [entry["state"] for entry in outcome.verdict["variants"]] == ["judged", "job-failed", "judged"]
    assert (project.root / "third").read_text() == "started\n" * 2


def test_fail_fast_starts_nothing_more(project):
    project.write("stagegate.toml", MANY)
    outcome = project.run("--fail-fast")
    assert outcome.code == 3
    assert [entry["state"] for entry in outcome.verdict["variants"]] == ["judged", "job-failed", "not-started"]
    assert "--fail-fast" in outcome.variant("third/default")["reason"]
    assert not (project.root / "third").exists()
    assert outcome.cases("third/default", "error")


def test_fail_fast_on_a_new_finding(project):
    project.manifest(f"""
        [baseline]
        use = false
        [jobs.skewed]
        command = {fake_job(SKEWED)}
        [jobs.calm]
        command = {fake_job(CALM)}
    """)
    outcome = project.run("--fail-fast")
    assert outcome.code == 1
    assert [entry["state"] for entry in outcome.verdict["variants"]] == ["judged", "not-started"]


def test_side_by_side_the_output_keeps_the_order_of_the_manifest(project):
    project.write("stagegate.toml", MANY)
    outcome = project.run("--jobs", "2")
    assert outcome.code == 3
    order = [outcome.stdout.index(name) for name in ("first / default", "second / default", "third / default")]
    assert order == sorted(order)
    assert [entry["job"] for entry in outcome.verdict["variants"]] == ["first", "second", "third"]
    assert [suite.get("name") for suite in outcome.junit] == ["first/default", "second/default", "third/default"]
    alone = project.run()
    masked = [re.sub(r"\d+(\.\d+)? m?s\b", "TIME", text) for text in (outcome.stdout, alone.stdout)]
    assert re.sub(" +", " ", masked[0]) == re.sub(" +", " ", masked[1]), "but for times, the same"


def test_side_by_side_takes_less_time(project):
    project.manifest(f"""
        [baseline]
        use = false
        [jobs.a]
        command = {fake_job(CALM, "--sleep", "2", "--pids", "p1")}
        [jobs.b]
        command = {fake_job(CALM, "--sleep", "2", "--pids", "p2")}
    """)
    outcome = project.run("--jobs", "2")
    assert outcome.code == 0
    assert outcome.seconds < 3.5


def test_selection_by_job_and_variant(project):
    project.manifest(f"""
        [baseline]
        use = false
        [jobs.revenue]
        command = {fake_job(CALM)}
        [jobs.returns]
        command = {fake_job(CALM)}
        variants = ["b"]
        [variants.a]
        [variants.b]
    """)

    def names(*arguments):
        return [f"{entry['job']}/{entry['variant']}" for entry in project.run(*arguments).verdict["variants"]]

    assert names() == ["revenue/a", "revenue/b", "returns/b"]
    assert names("--job", "ret*") == ["returns/b"]
    assert names("--variant", "b") == ["revenue/b", "returns/b"]
    assert names("--job", "revenue", "--job", "returns", "--variant", "a") == ["revenue/a"]


CONF = f"""
[spark]
master = "local[2]"
[defaults]
timeout = "15 min"
conf = {{ spark.sql.shuffle.partitions = 200, spark.a = "defaults" }}
[jobs.revenue]
command = {fake_job(CALM, "--mark", "started")}
owner = "@data-platform"
conf = {{ spark.a = "job", spark.b = "two words" }}
[jobs.revenue.variant.adaptive]
conf = {{ spark.c = 'q"uote' }}
[variants.adaptive]
conf = {{ spark.a = "variant", "spark.sql.adaptive.enabled" = true }}
"""


def test_list_shows_where_each_property_is_set(project):
    project.write("stagegate.toml", CONF)
    outcome = project.stagegate("list")
    assert outcome.code == 0
    lines = outcome.stdout.splitlines()
    assert lines[0].startswith("revenue/adaptive")

    def has(*words):
        return any(all(word in line for word in words) for line in lines)

    assert has("spark.sql.shuffle.partitions", "200", "[defaults]")
    assert has("spark.a", "variant", "[variants.adaptive]")
    assert has("spark.b", "two words", "[jobs.revenue]")
    assert has("spark.c", 'q"uote', "[jobs.revenue.variant.adaptive]")
    assert has("@data-platform") and has("local[2]") and has("15 min")
    assert project.stagegate("list", "--job", "nothing").code == 2


def test_a_dry_run_runs_nothing(project):
    project.write("stagegate.toml", CONF)
    outcome = project.run("--dry-run", "--conf", "spark.a=from here=yes")
    assert outcome.code == 0
    assert not (project.root / "started").exists()
    assert not project.report_dir.exists(), "not even a folder is made"
    for words in ("revenue/adaptive", "jobs/fake_job.py", "SPARK_CONF_DIR", "spark.eventLog.enabled", "from here=yes", "--conf", "4.3.0"):
        assert words in outcome.stdout


def test_conf_reaches_the_job_whatever_is_in_it(project):
    """By spark-defaults.conf, PYSPARK_SUBMIT_ARGS and JDK_JAVA_OPTIONS, each as its reader takes it apart."""
    project.write(
        "jobs/show.py",
        "import json, os, pathlib, sys, fake_job\n"
        "conf = pathlib.Path(os.environ['SPARK_CONF_DIR'], 'spark-defaults.conf')\n"
        "pathlib.Path('seen.json').write_text(json.dumps({'conf': fake_job.read_properties(conf),"
        " 'submit': os.environ['PYSPARK_SUBMIT_ARGS'], 'java': os.environ['JDK_JAVA_OPTIONS'], 'arguments': sys.argv[1:]}))\n"
        "sys.exit(fake_job.main([sys.argv[1]]))\n",
    )
    values = {"spark.a": "two words", "spark.b": 'a "quoted" one', "spark.c": "back\\slash: x=y #z", "spark.d": "ünï"}
    conf = ", ".join(f"{toml(key)} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items())
    command = toml(["python3", "jobs/show.py", CALM])
    arguments = "['{run_dir}|{job}|{variant}']"
    project.write("stagegate.toml", f"[jobs.revenue]\ncommand = {command}\nargs = {arguments}\nconf = {{ {conf} }}\n")
    assert project.run().code == 5
    seen = json.loads((project.root / "seen.json").read_text())
    assert {key: seen["conf"][key] for key in values} == values
    assert {f"{key}={value}" for key, value in values.items()} <= set(shlex.split(seen["submit"]))
    assert seen["submit"].endswith("pyspark-shell")
    run_dir, job, variant = seen["arguments"][1].split("|")
    assert (job, variant) == ("revenue", "default")
    assert run_dir == str(project.report_dir / "runs/revenue/default/1")


def test_conf_on_the_command_line_wins(project):
    project.write("stagegate.toml", CONF)
    assert project.run("--conf", "spark.a=mine", "--conf", "spark.new=1").code == 5
    [log] = [path for path in project.report_dir.rglob("eventlog/*") if path.is_file()]
    [environment] = [json.loads(line) for line in log.read_text().splitlines() if "EnvironmentUpdate" in line]
    properties = environment["Spark Properties"]
    assert properties["spark.a"] == "mine" and properties["spark.new"] == "1"
    assert properties["spark.sql.shuffle.partitions"] == "200" and properties["spark.sql.adaptive.enabled"] == "true"


def test_validate_says_that_all_is_well(project):
    project.accepted(CALM)
    outcome = project.stagegate("validate")
    assert outcome.code == 0
    assert "1 job variant" in outcome.stdout and "1 baseline" in outcome.stdout


def test_the_summary_counts_and_the_exit_code_are_the_same_everywhere(project):
    project.manifest(f"""
        [baseline]
        use = false
        [jobs.skewed]
        command = {fake_job(SKEWED)}
        [jobs.shredded]
        command = {fake_job(SHREDDED)}
        [jobs.calm]
        command = {fake_job(CALM)}
    """)
    outcome = project.run()
    assert outcome.code == outcome.verdict["exit_code"] == 1
    failing = [finding for entry in outcome.verdict["variants"] for finding in entry["findings"] if finding["fails"]]
    assert len(failing) == int(outcome.junit.get("failures")) == 2
    assert "2 findings" in outcome.stdout and "exit code 1" in outcome.stdout


@pytest.mark.parametrize("color, escapes", [("always", True), ("never", False), ("auto", False)])
def test_colour_is_for_terminals(project, color, escapes):
    project.one_job(SKEWED, more="[baseline]\nuse = false\n")
    outcome = project.run("--color", color, controls_allowed=escapes)
    assert ("\x1b[" in outcome.stdout) == escapes
    assert "\x1b" not in (project.report_dir / "junit.xml").read_text() + (project.report_dir / "verdict.json").read_text()


@pytest.mark.parametrize(
    "env, escapes", [({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False), ({"FORCE_COLOR": "1"}, True), ({"NO_COLOR": ""}, False)]
)
def test_colour_by_the_environment(project, env, escapes):
    project.one_job(SKEWED, more="[baseline]\nuse = false\n")
    assert ("\x1b[" in project.run(env=env, controls_allowed=escapes).stdout) == escapes


def test_a_reader_that_goes_away_does_not_end_the_run(project):
    """stagegate run | head -1"""
    project.accepted(CALM)
    (project.report_dir / "verdict.json").unlink()
    running = subprocess.Popen([binary(), "run"], cwd=project.root, env=project.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    running.stdout.close()
    assert running.wait(60) in (0, 74)
    verdict, junit = project.read_reports()
    assert verdict["exit_code"] == 0 and junit is not None
