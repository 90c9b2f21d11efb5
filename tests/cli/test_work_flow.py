"""The work flow on a git repository: the first run, accepting, changes for better and worse, CI."""

import json
import re
import shlex

import pytest

from project import CALM, SKEWED, Project, fake_job
from work_flow import A_LITTLE_MORE, EVEN, FILE, NAME, SIX_TIMES, TEN_TIMES, TWENTY_SEVEN_TIMES, changed, commit, document, git


def commands_in(text):
    """The stagegate commands that a message says to type."""
    return [shlex.split(match)[1:] for match in re.findall(r"stagegate baseline accept[^\n]*", text)]


def test_from_the_first_run_to_a_passing_one(repository):
    first = repository.run()
    assert first.code == 5
    assert first.finding(NAME, "skew")["state"] == "unjudged"
    assert "skew" in first.stdout
    assert changed(repository) == [], "a run writes to the report folder alone"
    commands = commands_in(first.stdout)
    assert commands, "it says what to type"
    accepted = repository.stagegate(*commands[-1])
    assert accepted.code == 0
    assert FILE in accepted.stdout
    assert changed(repository) == [f"?? {FILE}"]
    second = repository.run()
    assert second.code == 0
    finding = second.finding(NAME, "skew")
    assert (finding["state"], finding["value"], finding["accepted"]) == ("known", 10, 10)
    assert "known" in second.stdout and "join customers" in second.stdout


def test_a_baseline_is_made_to_be_read_and_merged(repository):
    repository.run()
    repository.accept()
    raw = (repository.root / FILE).read_bytes()
    text = raw.decode("ascii")
    assert text.endswith("}\n") and "\r" not in text
    document = json.loads(text)
    assert document["job"] == "revenue" and document["variant"] == "default"
    keys = re.findall(r'^  "([^"]+)":', text, re.MULTILINE)
    assert keys == sorted(keys)
    assert "." not in re.sub(r'"[^"]*"', "", text), "integers alone"
    for volatile in (str(repository.root), "local-1795", "ci-runner", "1795980", "stagegate.run", "eventLog"):
        assert volatile not in text


def test_accepting_an_unchanged_result_changes_no_byte(repository):
    repository.run()
    repository.accept()
    commit(repository)
    repository.run()
    outcome = repository.accept()
    assert changed(repository) == []
    assert "unchanged" in outcome.stdout


def test_a_patch_release_of_spark_changes_no_byte_either(repository):
    repository.run()
    repository.accept()
    commit(repository)
    repository.one_job(TEN_TIMES, "--spark-version", "4.3.7")
    assert repository.run().code == 0
    repository.accept()
    assert FILE not in "".join(changed(repository))


def test_accepting_without_a_run_is_4(repository):
    outcome = repository.stagegate("baseline", "accept")
    assert outcome.code == 4
    assert "stagegate run" in outcome.stderr


def test_a_change_that_brings_a_new_finding(repository):
    repository.one_job(EVEN)
    repository.run()
    repository.accept()
    repository.one_job(TEN_TIMES)
    outcome = repository.run()
    assert outcome.code == 1
    finding = outcome.finding(NAME, "skew")
    assert finding["state"] == "new" and finding["fails"] is True
    [case] = [case for case in outcome.cases(NAME, "failure") if case.find("failure").get("type") == "skew"]
    failure = case.find("failure")
    assert "10" in failure.get("message") and "join customers" in failure.get("message")
    assert "stagegate baseline accept" in failure.text
    assert case.get("file") == "stagegate.toml" and case.get("line") == "1"
    assert commands_in(outcome.stdout)
    repository.accept()
    assert repository.run().code == 0


def test_a_known_finding_that_got_worse(repository):
    repository.run()
    repository.accept()
    repository.one_job(TWENTY_SEVEN_TIMES)
    outcome = repository.run()
    assert outcome.code == 1
    finding = outcome.finding(NAME, "skew")
    assert (finding["state"], finding["value"], finding["accepted"]) == ("worse", 27, 10)
    assert "worse" in outcome.stdout


def test_a_known_finding_within_its_tolerance(repository):
    repository.run()
    repository.accept()
    repository.one_job(A_LITTLE_MORE)
    outcome = repository.run()
    assert outcome.code == 0
    assert outcome.finding(NAME, "skew")["state"] == "known"


def test_a_known_finding_that_got_better_passes(repository):
    repository.run()
    repository.accept()
    repository.one_job(SIX_TIMES)
    outcome = repository.run()
    assert outcome.code == 0
    assert outcome.finding(NAME, "skew")["state"] == "known"


def test_a_finding_that_is_gone_is_good_news(repository):
    repository.run()
    repository.accept()
    repository.one_job(EVEN)
    outcome = repository.run()
    assert outcome.code == 0
    [gone] = outcome.variant(NAME)["gone"]
    assert gone["rule"] == "skew" and gone["accepted"] == 10
    assert "gone" in outcome.stdout
    repository.accept()
    repository.one_job(TEN_TIMES)
    assert repository.run().code == 1, "once it is accepted as gone it is new again"


def test_growth_beyond_a_tenth_and_a_mebibyte(repository):
    repository.one_job("join customers=8x8MiB")
    repository.run()
    repository.accept()
    repository.one_job("join customers=8x9MiB")
    outcome = repository.run()
    assert outcome.code == 1
    findings = outcome.findings(NAME, "growth")
    assert findings and all(finding["state"] == "new" for finding in findings)
    repository.accept()
    assert repository.run().code == 0


@pytest.mark.parametrize(
    "before, after",
    [
        ("8x8MiB", "8x9227468"),  # a tenth to the byte, 6.4 MiB
        ("8x100000", "8x200000"),  # twice as much, under a MiB
        ("8x8MiB", "8x4MiB"),  # less
    ],
)
def test_growth_needs_both_excesses(repository, before, after):
    repository.one_job(f"join customers={before}")
    repository.run()
    repository.accept()
    repository.one_job(f"join customers={after}")
    assert repository.run().code == 0


def test_stages_that_swap_their_numbers_are_the_same_stages(repository):
    repository.one_job("join customers=7x4MiB,40MiB", "count orders=8x4MiB")
    repository.run()
    repository.accept()
    commit(repository)
    repository.one_job("count orders=8x4MiB", "join customers=7x4MiB,40MiB")
    outcome = repository.run()
    assert outcome.code == 0, outcome.stdout
    before = document(repository)
    repository.accept()
    after = document(repository)
    # These actions run one after the other, so their order is the job's; that of siblings would be chance.
    assert after.pop("order") == before.pop("order")[::-1]
    assert after == before


@pytest.mark.parametrize(
    "arguments, more, words",
    [
        (["--spark-version", "4.2.0"], "", ["4.3", "4.2"]),
        (["--cores", "8"], "", ["cores", "4", "8"]),
        (["--records", "2000"], "", ["records", "1,000", "2,000"]),
        ([], "conf = { spark.sql.shuffle.partitions = 8 }\n", ["spark.sql.shuffle.partitions", "8"]),
    ],
)
def test_other_conditions_are_not_comparable(repository, arguments, more, words):
    repository.run()
    repository.accept()
    before = repository.baseline_files()
    repository.one_job(TWENTY_SEVEN_TIMES, *arguments, more=more)
    outcome = repository.run()
    assert outcome.code == 5
    assert outcome.state(NAME) == "not-comparable"
    assert outcome.finding(NAME, "skew")["state"] == "unjudged"
    assert outcome.findings(NAME, "growth") == []
    [case] = outcome.cases(NAME, "error")
    for text in (outcome.stdout, case.find("error").text):
        assert all(word in text for word in words), text
        assert "stagegate baseline accept" in text
    assert repository.baseline_files() == before
    repository.accept()
    assert repository.run().code == 0


def test_properties_of_stagegates_own_are_no_conditions(repository):
    repository.run()
    repository.accept()
    assert repository.run("--report-dir", "elsewhere", own_reports=False).code == 0


@pytest.mark.parametrize("variables", [{"CI": "true"}, {"CI": "1"}, {"TF_BUILD": "True"}])
def test_in_ci_nothing_is_written_below_baselines(repository, variables):
    repository.run()
    repository.accept()
    commit(repository)
    before = repository.baseline_files()
    repository.one_job(TWENTY_SEVEN_TIMES)
    commit(repository)
    outcome = repository.run(env=variables)
    assert outcome.code == 1
    refused = repository.stagegate("baseline", "accept", env=variables)
    assert refused.code == 2
    assert "stagegate-out/pending" in refused.stderr
    assert repository.baseline_files() == before
    assert changed(repository) == []
    # What lies in the report folder is what accepting would have written, in the layout of the repository.
    pending = repository.report_dir / "pending" / FILE
    assert pending.is_file()
    (repository.root / FILE).write_bytes(pending.read_bytes())
    assert repository.run(env=variables).code == 0
    assert repository.accept().stdout.count("unchanged") == 1


@pytest.mark.parametrize("value", ["", "false", "0"])
def test_a_ci_variable_that_says_no(repository, value):
    repository.run()
    assert repository.stagegate("baseline", "accept", env={"CI": value}).code == 0


def test_ci_decides_nothing_but_where_baselines_are_written(repository):
    assert repository.run(env={"CI": "true"}).code == 5


def test_without_baselines_every_finding_fails(repository):
    repository.one_job(TEN_TIMES, more="[baseline]\nuse = false\n")
    outcome = repository.run()
    assert outcome.code == 1
    assert outcome.finding(NAME, "skew")["state"] == "new"
    assert "baseline accept" not in outcome.stdout, "there is nothing to accept"
    refused = repository.stagegate("baseline", "accept")
    assert refused.code == 2
    assert "use = false" in refused.stderr and "stagegate.toml:3" in refused.stderr
    repository.one_job(EVEN, more="[baseline]\nuse = false\n")
    assert repository.run().code == 0


def test_a_baseline_folder_of_ones_own(repository):
    repository.one_job(TEN_TIMES, more="[baseline]\ndir = 'perf/expected'\n")
    repository.run()
    assert (repository.report_dir / "pending/perf/expected/revenue/default.json").is_file()
    repository.accept()
    assert (repository.root / "perf/expected/revenue/default.json").is_file()
    assert repository.run().code == 0


def test_accepting_some_leaves_the_others(repository):
    repository.manifest(f"""
        [jobs.revenue]
        command = {fake_job(TEN_TIMES)}
        [jobs.returns]
        command = {fake_job(CALM)}
        [variants.a]
        [variants.b]
    """)
    repository.run()
    repository.accept("--job", "revenue", "--variant", "b")
    assert list(repository.baseline_files()) == ["revenue/b.json"]
    repository.accept("--job", "ret*")
    assert sorted(repository.baseline_files()) == ["returns/a.json", "returns/b.json", "revenue/b.json"]
    outcome = repository.run()
    assert outcome.code == 5
    assert [outcome.state(name) for name in ("revenue/a", "revenue/b", "returns/a")] == ["no-baseline", "judged", "judged"]


def test_accepting_after_a_failed_job_takes_nothing_of_it(repository):
    repository.run()
    repository.accept()
    before = repository.baseline_files()
    repository.one_job(TWENTY_SEVEN_TIMES, "--exit", "1")
    repository.run()
    outcome = repository.stagegate("baseline", "accept")
    assert outcome.code == 4
    assert repository.baseline_files() == before


def test_check_judges_a_log_as_a_run_would(repository):
    repository.run()
    repository.accept()
    [log] = [path for path in (repository.report_dir / "runs").rglob("eventlog/*") if path.is_file()]
    kept = repository.write("kept.log", log.read_bytes())
    outcome = repository.stagegate("check", "kept.log", "--job", "revenue", "--variant", "default")
    assert outcome.code == 0
    assert outcome.finding(NAME, "skew")["state"] == "known"
    repository.one_job(TWENTY_SEVEN_TIMES)
    repository.run()
    [worse] = [path for path in (repository.report_dir / "runs").rglob("eventlog/*") if path.is_file()]
    outcome = repository.stagegate("check", str(worse), "--job", "revenue", "--variant", "default")
    assert outcome.code == 1
    assert outcome.finding(NAME, "skew")["state"] == "worse"
    assert kept.is_file()
    for arguments, code in [
        (("nothing", "--job", "revenue", "--variant", "default"), 3),
        (("kept.log", "--job", "revenu", "--variant", "default"), 2),
        (("kept.log", "--job", "revenue", "--variant", "adaptive"), 2),
    ]:
        assert repository.stagegate("check", *arguments).code == code


def test_check_of_a_log_that_does_not_do_leaves_nothing_to_accept(repository):
    repository.run()
    repository.write("cut.log", '{"Event":"SparkListenerLogStart","Spark Version":"4.3.0"}\n')
    outcome = repository.stagegate("check", "cut.log", "--job", "revenue", "--variant", "default")
    assert outcome.code == 3
    assert repository.stagegate("baseline", "accept").code == 4, "the run before is not this one"


def test_a_run_by_another_person_in_another_folder_says_the_same(repository, tmp_path):
    """Nothing of where it was made is in a baseline."""
    repository.run()
    repository.accept()
    commit(repository)
    clone = tmp_path / "another place"
    git(repository, "clone", "--quiet", str(repository.root), str(clone))
    outcome = repository.stagegate("run", cwd=clone, own_reports=False)
    assert outcome.code == 0, outcome.output
    verdict = json.loads((clone / "stagegate-out/verdict.json").read_text())
    assert verdict["variants"][0]["findings"][0]["state"] == "known"


def test_skewed_and_accepted_is_shown_in_junit_as_skipped(repository):
    repository.one_job(SKEWED)
    repository.run()
    repository.accept()
    outcome = repository.run()
    assert outcome.junit.get("failures") == "0" and outcome.junit.get("errors") == "0"
    assert any(case.get("name").startswith("skew") for case in outcome.cases(NAME, "skipped"))


@pytest.mark.parametrize("name", ["a b", "ünï", "100%", "a'b\"c", "x=y", "a#b", "$HOME", "{job}", "new\nline", "back\\slash", "~", "-n"])
def test_a_project_may_lie_in_a_folder_of_any_name(tmp_path, name):
    project = Project(tmp_path / name)
    project.accepted(TEN_TIMES)
    assert project.run().code == 0
