"""Rule files that are wrong, and rules of one's own that are right."""

import pytest

from project import CALM, SKEWED, SHREDDED, fake_job

NAME = "revenue/default"

BUILT_IN = (
    "skew",
    "heavy-key",
    "imbalance",
    "small-tasks",
    "partitions-too-big",
    "too-many-files",
    "growth",
    "lost-broadcast",
    "lost-cache",
    "new-shuffle",
    "spill",
    "failed-tasks",
    "cache-unused",
    "job-group-left-set",
)

WIDE = """\
id = "wide"
scope = "stage"
level = "error"
unit = "count"
title = "many tasks"
summary = "A stage has more tasks than the limit."
why = "Each task costs a few milliseconds of the driver."
advice = "Lower spark.sql.shuffle.partitions."
message = "{tasks} tasks, limit {limit}"
when = "tasks > limit"
value = "tasks"

[parameters.limit]
unit = "count"
default = 6
help = "How many tasks are fine."

[[test]]
name = "at the limit"
fires = false
stage = { tasks = 6 }

[[test]]
name = "over it"
fires = true
value = 7
stage = { tasks = 7 }
"""


def with_rule(project, rule, *arguments, more="", name="wide.toml"):
    project.write(f"rules/{name}", rule)
    job = f"[jobs.revenue]\ncommand = {fake_job(*arguments)}\n"
    project.write("stagegate.toml", f"rules_dir = 'rules'\n{job}[baseline]\nuse = false\n{more}")


def refused(project, rule, *words):
    with_rule(project, rule, CALM, "--mark", "started")
    outcome = project.run()
    assert outcome.code == 2
    assert not (project.root / "started").exists()
    assert outcome.verdict["errors"]
    assert project.stagegate("validate").code == 2
    assert all(word in outcome.stderr for word in words), outcome.stderr
    return outcome.stderr


def line_of(text, part):
    return text[: text.index(part)].count("\n") + 1


def test_a_rule_of_ones_own(project):
    with_rule(project, WIDE, CALM)
    outcome = project.run()
    assert outcome.code == 1
    finding = outcome.finding(NAME, "wide")
    assert finding["value"] == 8
    assert "8 tasks, limit 6" in finding["message"]
    assert "Lower spark.sql.shuffle.partitions." in outcome.stdout
    assert any(case.get("name").startswith("wide") for case in outcome.cases(NAME, "failure"))


def test_its_parameters_come_from_the_manifest(project):
    with_rule(project, WIDE, CALM, more="[rules.wide]\nlimit = 8\n")
    assert project.run().code == 0


def test_it_is_explained(project):
    with_rule(project, WIDE, CALM)
    outcome = project.stagegate("explain", "wide")
    assert outcome.code == 0
    for words in ("more tasks than the limit", "Each task costs", "Lower spark.sql.shuffle.partitions", "limit", "6"):
        assert words in outcome.stdout


def test_a_file_with_the_id_of_a_built_in_rule_takes_its_place(project):
    with_rule(project, WIDE.replace('id = "wide"', 'id = "skew"'), SKEWED)
    outcome = project.run()
    assert outcome.code == 1
    assert outcome.finding(NAME, "skew")["value"] == 8
    assert "many tasks" in project.stagegate("explain", "skew").stdout


def test_an_unknown_name_in_the_expression(project):
    rule = WIDE.replace('when = "tasks > limit"', 'when = "taks > limit"')
    message = refused(project, rule, "taks", "tasks")
    assert f"rules/wide.toml:{line_of(rule, 'taks')}:" in message


def test_a_time_in_the_expression(project):
    refused(project, WIDE.replace('when = "tasks > limit"', 'when = "duration_ms.max > limit"'), "duration_ms.max", "time")


@pytest.mark.parametrize(
    "expression", ["tasks >", "tasks = 7", "tasks > limit; tasks", "sin(tasks)", "(tasks", "", "tasks > 'x'", "(" * 20_000]
)
def test_an_expression_that_is_none(project, expression):
    refused(project, WIDE.replace('when = "tasks > limit"', f'when = "{expression}"'), "rules/wide.toml:")


def test_a_test_of_its_own_that_fails(project):
    rule = WIDE.replace("stage = { tasks = 6 }", "stage = { tasks = 7 }")
    message = refused(project, rule, "at the limit", "wide")
    assert f"rules/wide.toml:{line_of(rule, '[[test]]')}" in message


def test_a_value_that_its_test_did_not_expect(project):
    refused(project, WIDE.replace("value = 7", "value = 8"), "over it", "7", "8")


def test_no_test_at_all(project):
    refused(project, WIDE[: WIDE.index("[[test]]")], "test")


def test_a_key_misspelt(project):
    message = refused(project, WIDE.replace("advice =", "advise ="), "advise", "advice")
    assert f"rules/wide.toml:{line_of(WIDE, 'advice')}:1" in message


def test_not_toml(project):
    refused(project, "id = 'wide\n", "rules/wide.toml:1:")


def test_an_id_twice(project):
    project.write("rules/wider.toml", WIDE)
    message = refused(project, WIDE, "wide")
    assert "rules/wide.toml" in message and "rules/wider.toml" in message


def test_no_folder_where_rules_should_be(project):
    project.write("stagegate.toml", f"rules_dir = 'rulez'\n[jobs.revenue]\ncommand = {fake_job(CALM)}\n")
    outcome = project.run()
    assert outcome.code == 2
    assert "stagegate.toml" in outcome.stderr and "rules_dir" in outcome.stderr and "rulez" in outcome.stderr


def test_a_division_by_zero_on_a_stage(project):
    """Its own tests cannot know every stage; the run must not pass for want of a number."""
    rule = WIDE.replace('when = "tasks > limit"', 'when = "shuffle_write.sum / shuffle_read.sum > limit"')
    rule = rule.replace("stage = { tasks = 6 }", "stage = { shuffle_write = [6], shuffle_read = [1] }")
    rule = rule.replace("value = 7\nstage = { tasks = 7 }", "stage = { shuffle_write = [7], shuffle_read = [1] }")
    with_rule(project, rule, CALM)
    outcome = project.run()
    assert outcome.code == 2
    assert outcome.state(NAME) == "rule-broken"
    reason = outcome.variant(NAME)["reason"]
    assert "wide" in reason and "zero" in reason
    assert outcome.cases(NAME, "error")
    assert outcome.verdict["variants"][0]["findings"] == []


def test_a_rule_for_the_whole_run(project):
    rule = """\
id = "stages"
scope = "run"
level = "error"
unit = "count"
title = "many stages"
summary = "A run has more stages than the limit."
why = "It grew."
advice = "Look why."
message = "{stages} stages"
when = "stages > 1"
value = "stages"
[[test]]
name = "one"
fires = false
run = { stages = 1 }
[[test]]
name = "two"
fires = true
run = { stages = 2 }
"""
    with_rule(project, rule, CALM, name="stages.toml")
    outcome = project.run()
    assert outcome.code == 1
    finding = outcome.finding(NAME, "stages")
    assert finding["value"] == 2
    assert finding["stage"] is None


def test_what_explain_knows(project):
    outcome = project.stagegate("explain")
    assert outcome.code == 0, "it needs no manifest"
    for rule in BUILT_IN:
        assert rule in outcome.stdout
        single = project.stagegate("explain", rule)
        assert single.code == 0 and rule in single.stdout
    unknown = project.stagegate("explain", "skwe")
    assert unknown.code == 2
    assert "skwe" in unknown.stderr and "skew" in unknown.stderr


@pytest.mark.parametrize(
    "sizes, fires",
    [
        ("7x1000000,5000000", False),  # exactly five times the median
        ("7x1000000,5000001", True),
        ("1000000,5000001", False),  # two tasks: the median is their mean
        ("1,1,6", True),
        ("6,6,1,1", False),  # median 3.5
        ("1,1,1,3,16,1", True),
        ("2,3,1,13,2,3", True),  # median 2.5, 13 > 12.5
        ("2,3,1,12,2,3", False),
        ("4x0,4x1000", False),  # median 500
        ("5x0,3x1000", False),  # median 0
    ],
)
def test_skew_to_the_byte(project, sizes, fires):
    project.one_job(f"join customers={sizes}", more="[baseline]\nuse = false")
    outcome = project.run()
    assert bool(outcome.findings(NAME, "skew")) == fires
    assert outcome.code == (1 if fires else 0)


@pytest.mark.parametrize(
    "sizes, cores, fires",
    [
        ("8x1000", 4, False),  # two a core
        ("9x1000", 4, True),
        ("9x1000", 5, False),
        ("9x1048575", 4, True),
        ("9x1048576", 4, False),  # 1 MiB on average
        ("8x1048576,1048575", 4, True),
        ("9x0", 4, False),
        ("8x0,1", 4, True),
        ("8x1000,5001", 4, False),  # skew speaks already
    ],
)
def test_small_tasks_to_the_byte(project, sizes, cores, fires):
    project.one_job(f"join customers={sizes}", "--cores", str(cores), more="[baseline]\nuse = false")
    assert bool(project.run().findings(NAME, "small-tasks")) == fires


@pytest.mark.parametrize(
    "sizes, cores, speaks",
    [
        ("3x1048576,6291456", 4, ["skew"]),  # six times the median, and two thirds of the whole
        ("3x0,6291456", 4, ["heavy-key"]),  # no median
        ("2x2097152,2x1048576", 4, []),  # exactly a third
        ("2097153,2097152,2x1048576", 4, ["heavy-key"]),
        ("10485760,5242880,1048576", 4, ["imbalance"]),  # three tasks: twice the median, 1.875 even shares
        ("10485760,5242880,1048576", 2, []),  # a core's share is 8 MiB
        ("2097152,2x1048576", 4, []),  # exactly 1.5 even shares
        ("2097153,2x1048576", 4, ["imbalance"]),
        ("1048575,0", 4, []),  # under 1 MiB
        ("2x300000000", 4, ["partitions-too-big"]),
    ],
)
def test_one_rule_speaks_of_a_large_task(project, sizes, cores, speaks):
    project.one_job(f"join customers={sizes}", "--cores", str(cores), more="[baseline]\nuse = false")
    outcome = project.run()
    assert [finding["rule"] for finding in outcome.variant(NAME)["findings"]] == speaks
    assert outcome.code == (1 if "skew" in speaks else 0), "the others are warnings"


def test_a_floor_for_skew(project):
    more = "[baseline]\nuse = false\n[rules.skew]\nmin_bytes = '{}'\n"
    project.one_job(SKEWED, more=more.format("40 MiB"))
    assert project.run().code == 1
    project.one_job(SKEWED, more=more.format("40.1 MiB"))
    assert project.run().code == 0


def test_shredded_and_calm_together(project):
    project.one_job(SHREDDED, "count orders=8x4MiB", more="[baseline]\nuse = false")
    outcome = project.run()
    assert outcome.code == 1
    assert "join customers" in outcome.finding(NAME, "small-tasks")["stage"]
