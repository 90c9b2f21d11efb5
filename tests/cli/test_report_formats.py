"""`stagegate report --format ...` and `--stage`: what other programs read of it, held against each other and against the log."""

import csv
import io
import json
from pathlib import Path

import pytest

from event_log import Application, Shuffle, event_log_text, write_event_log

MIB = 2**20
REAL_LOG = Path(__file__).resolve().parent.parent / "data" / "logs" / "local-1795980980229"
BYTES = ("input", "output", "shuffle_read", "shuffle_write", "memory_spill", "disk_spill")
STAGE_METRICS = ("shuffle_read", "input", "duration_ms")
RECORDS = ("input", "output", "shuffle_read", "shuffle_write")
QUARTILES = ("min", "p25", "median", "p75", "max")


def application(**changes):
    return Application(shuffles=[Shuffle("join customers", [4 * MIB] * 6 + [5 * MIB, 40 * MIB])], **changes)


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "log"
    path.write_text(event_log_text(application(failed_tasks=2, spilled_bytes=3 * MIB)), encoding="utf-8")
    return path


def report(project, source, *words):
    outcome = project.stagegate("report", str(source), *words)
    assert outcome.code == 0, outcome.stderr
    return outcome.stdout


def rows(text):
    assert "\r" not in text
    return list(csv.DictReader(io.StringIO(text), strict=True))


def number(cell):
    return None if cell == "" else float(cell)


def same_as_json(project, source):
    document = json.loads(report(project, source, "--format", "json"))
    application_id, stages = document["application"]["id"], document["stages"]
    table = rows(report(project, source, "--format", "csv"))
    assert len(table) == len(stages) > 0
    for row, stage in zip(table, stages):
        assert (row["application"], row["application_attempt"]) == (application_id, "")
        assert (row["stage"], row["attempt"], row["status"]) == (str(stage["id"]), str(stage["attempt"]), stage["status"])
        for name in ("name", "label", "fingerprint", "group", "description"):
            assert row[name] == (stage[name] or "")
        assert row["jobs"] == " ".join(str(job) for job in stage["jobs"])
        assert number(row["sql_execution"]) == stage["sql_execution"]
        for name, count in stage["tasks"].items():
            assert row[f"tasks_{name}"] == str(count)
        for name in BYTES:
            assert number(row[f"{name}_sum"]) == stage["bytes"][name]
            assert number(row[f"wasted_{name}"]) == stage["wasted"][name]
        for name in RECORDS:
            assert number(row[f"{name}_records_sum"]) == stage["records"][name]
        for name, spread in stage["distribution"].items():
            for part in QUARTILES:
                assert number(row[f"{name}_{part}"]) == (spread and spread[part])
    return stages


@pytest.mark.parametrize("which", ["real", "failing"])
def test_csv_has_the_numbers_of_json(project, log, which):
    same_as_json(project, REAL_LOG if which == "real" else log)


@pytest.mark.parametrize("which", ["real", "failing"])
def test_the_tasks_add_up_to_their_stages(project, log, which):
    source = REAL_LOG if which == "real" else log
    stages = {(row["stage"], row["attempt"]): row for row in rows(report(project, source, "--format", "csv"))}
    tasks = rows(report(project, source, "--format", "csv-tasks"))
    assert [(int(t["stage"]), int(t["attempt"]), int(t["partition"])) for t in tasks] == sorted(
        (int(t["stage"]), int(t["attempt"]), int(t["partition"])) for t in tasks
    )
    assert len({t["task_id"] for t in tasks}) == len(tasks)
    for key, stage in stages.items():
        own = [task for task in tasks if (task["stage"], task["attempt"]) == key]
        assert len(own) == int(stage["tasks_succeeded"])
        for name in (*BYTES, *(f"{name}_records" for name in RECORDS), "duration_ms"):
            known = [int(task[name]) for task in own if task[name] != ""]
            assert (sum(known) if known else None) == number(stage[f"{name}_sum"]), name


def test_a_task_has_its_place_and_its_details(project, log):
    tasks = rows(report(project, log, "--format", "csv-tasks"))
    first = next(task for task in tasks if task["stage"] == "1")
    # Four map tasks went before; partition 0 of the second stage fails once.
    assert {name: first[name] for name in ("partition", "task_id", "task_attempt", "executor", "host")} == {
        "partition": "0",
        "task_id": "5",
        "task_attempt": "1",
        "executor": "driver",
        "host": "ci-runner",
    }
    assert first["shuffle_read"] == first["shuffle_read_local"] == str(4 * MIB)
    assert first["disk_spill"] == str(3 * MIB)
    assert (first["run_time_ms"], first["cpu_time_ns"], first["duration_ms"]) == ("90", "80000000", "100")
    assert first["getting_result_time_ms"] == "", "the result came with the task's end"


def test_several_applications_make_one_table(project, tmp_path):
    folder = tmp_path / "logs"
    folder.mkdir()
    for number in (1, 2):
        write_event_log(folder, application(id=f"local-{number}"))
    stages = rows(report(project, folder, "--all-apps", "--format", "csv"))
    assert [(row["application"], row["stage"]) for row in stages] == [("local-1", "0"), ("local-1", "1"), ("local-2", "0"), ("local-2", "1")]
    tasks = rows(report(project, folder, "--all-apps", "--format", "csv-tasks"))
    assert [row["application"] for row in tasks] == ["local-1"] * 12 + ["local-2"] * 12
    assert tasks[0]["run_time_ms"] == "90"
    assert report(project, folder, "--all-apps", "--format", "markdown").count("\n\n### fake") == 1
    outcome = project.stagegate("report", str(folder), "--all-apps", "--stage", "1")
    assert (outcome.code, outcome.stdout) == (2, "")
    assert "--app" in outcome.stderr


def test_a_spreadsheet_runs_nothing(project, tmp_path):
    texts = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", 'a,"b"\n=c', "a;=1"]
    log = tmp_path / "log"
    log.write_text(event_log_text(Application(shuffles=[Shuffle(text, [MIB]) for text in texts])), encoding="utf-8")
    table = rows(report(project, log, "--format", "csv"))
    assert [row["description"] for row in table[::2]] == ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'=1", 'a,"b" =c', "a;'=1"]
    assert not [cell for row in table for cell in row.values() if cell[:1] in ("=", "+", "-", "@", "\t", "\r")]


def test_a_log_that_is_not_whole_is_said_to_be_so_on_stderr(project, tmp_path):
    log = tmp_path / "log"
    log.write_text(event_log_text(application(lost_tasks=2)), encoding="utf-8")
    for form in ("csv", "csv-tasks"):
        outcome = project.stagegate("report", str(log), "--format", form)
        assert outcome.code == 0
        assert "tasks-missing" in outcome.stderr and "tasks-missing" not in outcome.stdout
    markdown = report(project, log, "--format", "markdown")
    assert "**incomplete**" in markdown and "tasks-missing" in markdown


def test_markdown_has_a_row_a_stage_and_the_findings(project, log):
    markdown = report(project, log, "--format", "markdown")
    table = [line for line in markdown.splitlines() if line.startswith("|")]
    assert len(table) == 4 and len({line.count("|") for line in table}) == 1
    assert "- **skew 10x** stage 1: " in markdown
    assert "\x1b" not in report(project, log, "--format", "markdown", "--color", "always")


def test_markdown_of_a_hostile_job_stays_text(project, tmp_path):
    text = "@team | `x|y` <img src=x> ![i](http://example.com) #77\n\n| - |\n</td>"
    log = tmp_path / "log"
    log.write_text(event_log_text(Application(shuffles=[Shuffle(text, [MIB])], name=text)), encoding="utf-8")
    markdown = report(project, log, "--format", "markdown")
    assert "<img" not in markdown and "</td>" not in markdown and "![" not in markdown
    assert "@team" not in markdown and "#77" not in markdown
    table = [line for line in markdown.splitlines() if line.startswith("|")]
    assert len(table) == 4 and len({line.count("|") for line in table}) == 1


@pytest.mark.parametrize("which", ["real", "failing"])
def test_a_stage_has_the_numbers_of_the_report_and_of_its_tasks(project, log, which):
    source = REAL_LOG if which == "real" else log
    stages = json.loads(report(project, source, "--format", "json"))["stages"]
    tasks = rows(report(project, source, "--format", "csv-tasks"))
    for stage in stages:
        [attempt] = json.loads(report(project, source, "--stage", str(stage["id"]), "--format", "json"))["attempts"]
        assert {name: attempt[name] for name in stage} == stage
        own = [task for task in tasks if task["stage"] == str(stage["id"])]
        for name, metric in attempt["metrics"].items():
            values = [int(task[name]) for task in own]
            assert (metric["min"], metric["max"], metric["sum"], metric["tasks"]) == (min(values), max(values), sum(values), len(values))
            assert metric["buckets"] is None or sum(metric["buckets"]) == len(values)
        if stage["status"] == "SKIPPED":
            assert not own and attempt["metrics"] == {} and attempt["largest_tasks"] is None
            continue
        for name in STAGE_METRICS:
            assert {part: attempt["metrics"][name][part] for part in QUARTILES} == stage["distribution"][name]
        largest = attempt["largest_tasks"]
        values = sorted((int(task[largest["by"]]) for task in own), reverse=True)
        assert [task["value"] for task in largest["tasks"]] == values[:5]


def test_a_stage_for_people(project, log):
    text = report(project, log, "--stage", "1")
    for words in (
        "reads from     stage 0: ",
        "8 of 8 succeeded, 2 failed; on 4 cores",
        "2 x ExceptionFailure: java.lang.IllegalStateException, first at partition 0 on executor driver",
        "not this time",
        "largest tasks  by shuffle read",
        "skew 10x",
        "More: stagegate explain skew",
    ):
        assert words in text
    [line] = [line for line in text.splitlines() if line.split()[:2] == ["7", "13"]]
    assert line.split() == ["7", "13", "0", "driver", "ci-runner", "40", "MiB", "10x", "4,194,304", "100", "ms"]
    assert "read by" not in text and "largest tasks  by input" in report(project, log, "--stage", "0")


def test_the_operators_of_a_stage(project):
    text = report(project, REAL_LOG, "--stage", "0")
    assert "operators" in text and "number of output rows" in text
    [attempt] = json.loads(report(project, REAL_LOG, "--stage", "0", "--format", "json"))["attempts"]
    names = [operator["name"] for operator in attempt["operators"]]
    assert names.index("Range") < names.index("HashAggregate") < names.index("Exchange"), "as rows flow"
    metrics = {metric["name"]: metric["value"] for operator in attempt["operators"] for metric in operator["metrics"]}
    assert metrics["shuffle bytes written"] == attempt["bytes"]["shuffle_write"]
    assert "records read" not in metrics, "another stage reads what this one writes"


@pytest.mark.parametrize(
    "locale, bars",
    [
        ({"LC_ALL": "C.UTF-8"}, "█"),
        ({"LC_ALL": "", "LC_CTYPE": "", "LANG": "en_US.utf8"}, "█"),
        ({"LC_ALL": "C"}, "@"),
        ({"LC_ALL": "", "LC_CTYPE": "", "LANG": ""}, "@"),
    ],
)
def test_bars_are_ascii_where_the_locale_is(project, log, locale, bars):
    outcome = project.stagegate("report", str(log), "--stage", "1", env=locale)
    assert outcome.code == 0
    [line] = [line for line in outcome.stdout.splitlines() if line.startswith("  shuffle read  ")]
    assert bars in line
    assert outcome.stdout.isascii() == (bars == "@")


def test_a_stage_that_is_not_there(project, log):
    for form in ("text", "json"):
        outcome = project.stagegate("report", str(log), "--stage", "99", "--format", form)
        assert (outcome.code, outcome.stdout) == (2, "")
        assert outcome.stderr == f"{log}: there is no stage 99; the application has stages 0 to 1\n"
    outcome = project.stagegate("report", str(log), "--stage", "1.1")
    assert (outcome.code, outcome.stdout) == (2, "")
    assert outcome.stderr == f"{log}: there is no attempt 1.1; the stage has 1.0\n"


@pytest.mark.parametrize("form", ["csv", "csv-tasks", "markdown"])
def test_one_stage_is_no_table(project, log, form):
    outcome = project.stagegate("report", str(log), "--stage", "1", "--format", form)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert "--stage: one stage is shown as text or json" in outcome.stderr
