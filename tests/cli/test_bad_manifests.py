"""A manifest that is wrong: nothing is run, the message has the place and the way out, and the reports hold it too."""

import pytest

from project import CALM, fake_job

MARK = "started"


def refused(project, text, *arguments):
    """Runs with this manifest; its jobs, if they were started, would leave a mark."""
    project.write("stagegate.toml", text)
    outcome = project.run(*arguments)
    assert outcome.code == 2
    assert not (project.root / MARK).exists(), "a job was started"
    assert outcome.verdict["errors"], "verdict.json says why"
    [case] = outcome.junit.iter("testcase")
    assert case.find("error") is not None
    first = outcome.stderr.splitlines()[0]
    assert first in case.find("error").text
    assert first in "\n".join(outcome.verdict["errors"])
    # `validate` says the same.
    validated = project.stagegate("validate")
    if not arguments:
        assert validated.code == 2
        assert validated.stderr == outcome.stderr
    return outcome.stderr


JOB = f"[jobs.revenue]\ncommand = {fake_job(CALM, '--mark', MARK)}\n"


def test_not_there(project):
    outcome = project.run()
    assert outcome.code == 2
    assert "stagegate.toml" in outcome.stderr
    assert "--manifest" in outcome.stderr
    assert not project.report_dir.exists(), "nobody said where reports go"


def test_search_ends_at_the_root_of_the_repository(project):
    project.one_job(CALM)
    inner = project.root / "other/deep"
    inner.mkdir(parents=True)
    assert project.stagegate("list", cwd=inner).code == 0
    (project.root / "other/.git").mkdir()
    assert project.stagegate("list", cwd=inner).code == 2


def test_not_there_under_the_name_that_was_given(project):
    outcome = project.run("--manifest", "nightly.toml")
    assert outcome.code == 2
    assert "nightly.toml" in outcome.stderr


def test_a_folder_in_its_place(project):
    outcome = project.run("--manifest", "jobs")
    assert outcome.code == 2
    assert "jobs" in outcome.stderr and "folder" in outcome.stderr


def test_not_toml(project):
    message = refused(project, JOB + "[variants.adaptive\nconf = {}\n")
    assert "stagegate.toml:3:" in message


@pytest.mark.parametrize("content", [b"\x00\x01\x02", b"\xff\xfe[jobs]", b"a = \x80", "ключ = 1\n".encode()])
def test_bytes_that_are_no_toml(project, content):
    assert "stagegate.toml:1:" in refused(project, content)


def test_a_key_misspelt(project):
    message = refused(project, JOB + "timeuot = '1 min'\n")
    assert message.startswith("stagegate.toml:3:1: ")
    assert "'timeuot'" in message and "[jobs.revenue]" in message and "'timeout'" in message


def test_a_table_misspelt(project):
    message = refused(project, JOB + "[varaints.x]\n")
    assert "stagegate.toml:3:" in message and "varaints" in message and "variants" in message


@pytest.mark.parametrize(
    "line, column, words",
    [
        ("timeout = 15", 11, ["timeout", "15 min"]),
        ("timeout = '15'", 11, ["timeout", "unit"]),
        ("timeout = '15 minuets'", 11, ["timeout", "minuets"]),
        ("owner = 7", 9, ["owner", "string"]),
        ("variants = 'adaptive'", 12, ["variants"]),
        ("args = [1]", 9, ["args", "string"]),
        ("conf = 5", 8, ["conf"]),
        ("conf = { spark.x = [1] }", 20, ["spark.x"]),
        ("conf = { \"sparc.x\" = 1 }", 10, ["sparc.x", "spark."]),
    ],
)
def test_a_value_that_does_not_fit(project, line, column, words):
    message = refused(project, JOB + line + "\n")
    assert message.startswith(f"stagegate.toml:3:{column}: "), message
    assert all(word in message for word in words), message


@pytest.mark.parametrize(
    "value, words",
    [
        ("1048576", ["min_bytes", "unit", "1 MiB"]),
        ("'1048576'", ["min_bytes", "unit"]),
        ("'1 MX'", ["min_bytes", "MX"]),
        ("true", ["min_bytes"]),
    ],
)
def test_a_size_without_a_unit_that_is_known(project, value, words):
    message = refused(project, JOB + f"[rules.skew]\nmin_bytes = {value}\n")
    assert message.startswith("stagegate.toml:4:13: "), message
    assert all(word in message for word in words), message


@pytest.mark.parametrize("value", ["'5'", "-1", "nan", "inf", "[5]"])
def test_a_factor_that_is_no_number(project, value):
    message = refused(project, JOB + f"[rules.skew]\nfactor = {value}\n")
    assert message.startswith("stagegate.toml:4:10: "), message
    assert "factor" in message


def test_a_rule_that_is_not_there(project):
    message = refused(project, JOB + "[rules.skwe]\nlevel = 'off'\n")
    assert "stagegate.toml:3:" in message and "skwe" in message and "skew" in message


def test_a_parameter_that_the_rule_does_not_have(project):
    message = refused(project, JOB + "[rules.skew]\nfaktor = 4\n")
    assert message.startswith("stagegate.toml:4:1: ")
    assert "faktor" in message and "factor" in message


def test_a_level_that_is_not_there(project):
    message = refused(project, JOB + "[rules.skew]\nlevel = 'fatal'\n")
    assert "stagegate.toml:4:9: " in message
    assert "fatal" in message and "warning" in message


def test_a_suppression_without_a_reason(project):
    message = refused(project, JOB + "[[suppress]]\nrule = 'skew'\n")
    assert "stagegate.toml:3:" in message and "reason" in message


@pytest.mark.parametrize("until", ["'soon'", "2027-02-30", "2027"])
def test_a_suppression_until_a_day_that_is_none(project, until):
    message = refused(project, JOB + f"[[suppress]]\nrule = 'skew'\nreason = 'x'\nuntil = {until}\n")
    assert "stagegate.toml:6:" in message


def test_an_unknown_variant_in_a_job(project):
    message = refused(project, JOB + "variants = ['adaptive', 'adaptive-of']\n[variants.adaptive]\n[variants.adaptive-off]\n")
    assert message.startswith("stagegate.toml:3:25: ")
    assert "'adaptive-of'" in message and "'adaptive-off'" in message


def test_neither_app_nor_command(project):
    message = refused(project, "[jobs.revenue]\nowner = 'me'\n")
    assert message.startswith("stagegate.toml:1:")
    assert "app" in message and "command" in message


def test_both_app_and_command(project):
    message = refused(project, JOB + "app = 'jobs/revenue.py'\n")
    assert message.startswith("stagegate.toml:3:1: ")
    assert "app" in message and "command" in message


def test_an_empty_command(project):
    assert "command" in refused(project, "[jobs.revenue]\ncommand = []\n")


def test_an_app_that_nobody_knows_how_to_start(project):
    message = refused(project, "[jobs.revenue]\napp = 'jobs/revenue.sh'\n")
    assert message.startswith("stagegate.toml:2:")
    assert ".py" in message and "command" in message


def test_an_environment_variable_that_is_not_set(project):
    message = refused(project, JOB + "args = ['${DATA_DAY}']\n")
    assert message.startswith("stagegate.toml:3:9: ")
    assert "DATA_DAY" in message and "${DATA_DAY:-" in message


def test_an_environment_variable_that_is_set_or_has_a_default(project):
    project.write("stagegate.toml", JOB + "args = ['${DATA_DAY}', '${FORMAT:-parquet}']\n")
    outcome = project.stagegate("list", env={"DATA_DAY": "monday"})
    assert outcome.code == 0
    assert "monday" in outcome.stdout and "parquet" in outcome.stdout


def test_a_placeholder_that_is_not_known(project):
    message = refused(project, JOB + "args = ['{rundir}/out']\n")
    assert message.startswith("stagegate.toml:3:9: ")
    assert "{rundir}" in message and "{run_dir}" in message


def test_two_jobs_that_would_share_a_folder(project):
    message = refused(project, JOB + JOB.replace("jobs.revenue", "jobs.Revenue"))
    assert message.startswith("stagegate.toml:3:")
    assert "'Revenue'" in message and "'revenue'" in message


@pytest.mark.parametrize("name", ["a/b", "a b", "..", ".", "", "überschuss", "-x", "a\\u0000b", "a\\nb", "x" * 300, "a.b"])
@pytest.mark.parametrize("table", ["jobs", "variants"])
def test_a_name_that_is_no_folder_and_no_word(project, table, name):
    body = f"command = {fake_job(CALM, '--mark', MARK)}\n" if table == "jobs" else ""
    message = refused(project, (JOB if table == "variants" else "") + f'[{table}."{name}"]\n{body}')
    assert f"stagegate.toml:{1 if table == 'jobs' else 3}:" in message
    assert "name" in message and "letters" in message


def test_a_property_that_is_also_a_table(project):
    message = refused(project, JOB + "conf = { spark.speculation = true, spark.speculation.interval = 1 }\n")
    assert "stagegate.toml:3:" in message
    assert "quote" in message or '"spark.speculation.interval"' in message


def test_every_error_is_shown_at_once_in_the_order_of_the_file(project):
    message = refused(project, "[jobs.a]\ncomand = ['x']\n[jobs.b]\ncommand = ['x']\nowner = 1\n[rules.skew]\nlevel = 'loud'\n")
    lines = [line.split(":")[1] for line in message.splitlines() if line.startswith("stagegate.toml:")]
    assert {"2", "5", "7"} <= set(lines)
    assert lines == sorted(lines, key=int)


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--job", "revenu"], ["revenu", "revenue"]),
        (["--job", "sales*"], ["sales*", "revenue"]),
        (["--variant", "nothing"], ["nothing", "default"]),
    ],
)
def test_a_selection_that_fits_nothing(project, arguments, words):
    message = refused(project, JOB, *arguments)
    assert all(word in message for word in words)


def test_messages_name_the_manifest_as_it_is_seen_from_here(project):
    project.write("stagegate.toml", "[jobs.revenue]\n")
    inner = project.root / "jobs"
    outcome = project.run(cwd=inner)
    assert outcome.code == 2
    assert str(project.manifest_path) in outcome.stderr
