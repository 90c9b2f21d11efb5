"""What SOURCE may be: folders and archives of many applications, standard input, logs in parts, and things that are no log."""

import json
import os
import shutil
import subprocess
import tarfile
import zipfile

import pytest

from event_log import Application, Shuffle, event_log_text, write_event_log

KIB = 1024


def application(number, **changes):
    shuffles = [Shuffle(f"work {number}", [number * KIB] * 4)]
    return Application(shuffles=shuffles, id=f"local-{number}", name=f"app {number}", **changes)


def report(project, *arguments):
    outcome = project.stagegate("report", *map(str, arguments), "--format", "json")
    assert outcome.code == 0, outcome.output
    return json.loads(outcome.stdout)


def app_of(project, *arguments):
    return report(project, *arguments)["application"]["id"]


def write_rolling(folder, text, parts=3):
    lines = text.splitlines(keepends=True)
    log = folder / "eventlog_v2_local-1"
    log.mkdir(parents=True)
    for number in range(parts):
        chosen = lines[number * len(lines) // parts : (number + 1) * len(lines) // parts]
        (log / f"events_{number + 1}_local-1").write_text("".join(chosen), encoding="utf-8")
    (log / "appstatus_local-1").touch()
    return log


@pytest.fixture
def history(tmp_path):
    folder = tmp_path / "spark-events"
    folder.mkdir()
    for number in (1, 2, 3):
        write_event_log(folder, application(number))
    (folder / "README").write_text("logs of the nightly jobs\n", encoding="utf-8")
    return folder


def test_several_applications_are_a_table_and_a_choice(project, history):
    outcome = project.stagegate("report", str(history))
    assert outcome.code == 2
    assert outcome.stdout == ""
    for number in (1, 2, 3):
        assert f"local-{number}" in outcome.stderr and f"app {number}" in outcome.stderr
    assert "--app" in outcome.stderr and "--all-apps" in outcome.stderr
    assert "README" not in outcome.stderr, "a file that is no log is none of the choices"


@pytest.mark.parametrize("name", ["local-2", "app 2"])
def test_an_application_is_named_by_id_or_name(project, history, name):
    assert app_of(project, history, "--app", name) == "local-2"


def test_the_latest_application(project, history):
    late = event_log_text(application(9)).replace("1795980000000", "1795980999999")
    (history / "a-late-one").write_text(late, encoding="utf-8")
    assert app_of(project, history, "--app", "latest") == "local-9"


def test_an_unknown_application_lists_those_that_are_there(project, history):
    outcome = project.stagegate("report", str(history), "--app", "local-7")
    assert outcome.code == 2
    assert "'local-7'" in outcome.stderr and "local-3" in outcome.stderr


def test_a_single_log_of_another_application_is_not_taken_for_it(project, history, tmp_path):
    single = write_event_log(tmp_path, application(1))
    rolling = write_rolling(tmp_path / "rolling", event_log_text(application(1)))
    for source in (single, rolling):
        assert app_of(project, source, "--app", "local-1") == "local-1"
        assert app_of(project, source, "--app", "latest") == "local-1"
        outcome = project.stagegate("report", str(source), "--app", "local-2")
        assert outcome.code == 2, source
        assert "'local-2'" in outcome.stderr and "local-1" in outcome.stderr


def test_all_applications_follow_each_other(project, history):
    outcome = project.stagegate("report", str(history), "--all-apps")
    assert outcome.code == 0
    assert [outcome.stdout.index(f"app {number} (local-{number})") for number in (1, 2, 3)] == sorted(
        outcome.stdout.index(f"app {number} (local-{number})") for number in (1, 2, 3)
    )
    outcome = project.stagegate("report", str(history), "--all-apps", "--format", "json")
    decoder, rest, ids = json.JSONDecoder(), outcome.stdout.strip(), []
    while rest:
        document, end = decoder.raw_decode(rest)
        ids.append(document["application"]["id"])
        rest = rest[end:].strip()
    assert ids == ["local-1", "local-2", "local-3"]


def test_all_applications_and_one_of_them_exclude_each_other(project, history):
    outcome = project.stagegate("report", str(history), "--all-apps", "--app", "local-1")
    assert outcome.code == 2


def test_check_wants_to_know_which_application(project, history):
    project.one_job()
    outcome = project.stagegate("check", str(history), "--job", "revenue", "--variant", "default")
    assert outcome.code == 2
    assert "local-1" in outcome.stderr and "--app" in outcome.stderr


def from_standard_input(data, *arguments):
    return subprocess.run(
        [os.environ["STAGEGATE"], "report", "-", *arguments], input=data, capture_output=True, check=False, timeout=60
    )


def test_standard_input(project, tmp_path):
    text = event_log_text(application(1)).encode()
    outcome = from_standard_input(text, "--format", "json")
    assert outcome.returncode == 0, outcome.stderr
    log = tmp_path / "log"
    log.write_bytes(text)
    assert json.loads(outcome.stdout) == report(project, log)


def test_standard_input_is_read_once(project, tmp_path):
    outcome = from_standard_input(b"", "--all-apps")
    assert outcome.returncode == 2
    assert b"standard input" in outcome.stderr
    outcome = from_standard_input(b"")
    assert outcome.returncode == 3
    assert b"empty" in outcome.stderr


def test_archives_in_any_order_of_their_entries(project, tmp_path):
    log = write_rolling(tmp_path, event_log_text(application(1)))
    expected = report(project, log)
    files = sorted(log.iterdir(), reverse=True)
    with zipfile.ZipFile(tmp_path / "logs.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files:
            archive.write(path, f"{log.name}/{path.name}")
    for suffix, mode in ((".tar", "w"), (".tar.gz", "w:gz"), (".tar.xz", "w:xz")):
        with tarfile.open(tmp_path / f"logs{suffix}", mode) as archive:
            for path in files:
                archive.add(path, f"{log.name}/{path.name}")
    for name in ("logs.zip", "logs.tar", "logs.tar.gz", "logs.tar.xz"):
        assert report(project, tmp_path / name) == expected, name
        assert json.loads(from_standard_input((tmp_path / name).read_bytes(), "--format", "json").stdout) == expected, name


def test_an_archive_of_several_applications(project, history, tmp_path):
    archive = shutil.make_archive(str(tmp_path / "all"), "zip", history)
    outcome = project.stagegate("report", archive)
    assert outcome.code == 2
    assert "local-1" in outcome.stderr and "local-3" in outcome.stderr
    assert app_of(project, archive, "--app", "app 3") == "local-3"
    assert project.stagegate("report", archive, "--all-apps").stdout.count("complete") == 3


def test_a_part_out_of_a_rolling_log_is_not_the_whole(project, tmp_path):
    log = write_rolling(tmp_path, event_log_text(application(1)))
    problems = report(project, log / "events_2_local-1")["evidence"]["problems"]
    assert "part-missing" in [problem["code"] for problem in problems]
    [missing] = [problem for problem in problems if problem["code"] == "part-missing"]
    assert "part 2" in missing["message"] and "folder" in missing["advice"]


def test_a_databricks_folder(project, tmp_path):
    text = event_log_text(application(1))
    expected = write_event_log(tmp_path, application(1))
    folder = tmp_path / "cluster" / "eventlog"
    folder.mkdir(parents=True)
    lines = text.splitlines(keepends=True)
    for name, part in (("eventlog-2026-11-30--08-00", lines[:5]), ("eventlog-2026-11-30--09-00", lines[5:9]), ("eventlog", lines[9:])):
        (folder / name).write_text("".join(part), encoding="utf-8")
    subprocess.run(["gzip", str(folder / "eventlog-2026-11-30--08-00")], check=True)
    assert report(project, folder)["stages"] == report(project, expected)["stages"]


def test_a_folder_of_spark_1(project, tmp_path):
    text = event_log_text(application(1))
    folder = tmp_path / "app-1"
    folder.mkdir()
    (folder / "EVENT_LOG_1").write_text("".join(text.splitlines(keepends=True)[1:]), encoding="utf-8")
    (folder / "SPARK_VERSION_1.2.0").touch()
    open_log = report(project, folder)
    assert open_log["application"]["spark_version"] == "1.2.0"
    assert [problem["code"] for problem in open_log["evidence"]["problems"]] == ["log-in-progress"]
    (folder / "APPLICATION_COMPLETE").touch()
    assert report(project, folder)["evidence"]["complete"] is True


# No stack of a thread fits, as in a container that allows no more of them.
@pytest.mark.parametrize("layout", ["single", "rolling"])
def test_where_there_are_no_threads_to_be_had(project, tmp_path, layout):
    text = event_log_text(application(1))
    log = write_rolling(tmp_path, text) if layout == "rolling" else tmp_path / "local-1"
    if layout == "single":
        log.write_text(text, encoding="utf-8")
    command = 'ulimit -S -s 500000000 && exec "$0" report "$1" --threads 4 --format json'
    ran = subprocess.run(["bash", "-c", command, os.environ["STAGEGATE"], str(log)], capture_output=True, text=True)
    if "ulimit" in ran.stderr:
        pytest.skip("stacks are limited here: " + ran.stderr)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == report(project, log)


@pytest.mark.parametrize("threads", ["1", "2", "3", "8"])
def test_the_same_for_every_number_of_threads(project, tmp_path, threads):
    log = write_rolling(tmp_path, event_log_text(application(1)), parts=5)
    single = write_event_log(tmp_path, application(1))
    assert report(project, log, "--threads", threads) == report(project, log, "--threads", "1")
    assert report(project, single, "--threads", threads) == report(project, single, "--threads", "1")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"26/11/29 10:00:00 INFO SparkContext: Running Spark version 4.3.0\n" * 20, "log"),
        (b"<!DOCTYPE html><html><head><title>History Server</title></head><body></body></html>\n", "history server"),
        (b"PAR1" + bytes(200), "Parquet"),
    ],
    ids=["driver's output", "page", "parquet"],
)
def test_what_is_no_log_is_named(project, tmp_path, content, words):
    (tmp_path / "something").write_bytes(content)
    outcome = project.stagegate("report", str(tmp_path / "something"))
    assert outcome.code == 3
    assert words in outcome.stderr


def test_a_log_in_progress_that_rests_for_days_is_of_a_dead_driver(project, tmp_path):
    log = tmp_path / "local-1.inprogress"
    log.write_text("".join(event_log_text(application(1)).splitlines(keepends=True)[:-1]), encoding="utf-8")
    codes = [problem["code"] for problem in report(project, log)["evidence"]["problems"]]
    assert "log-in-progress" in codes and "driver-killed" not in codes
    os.utime(log, (1_700_000_000, 1_700_000_000))
    codes = [problem["code"] for problem in report(project, log)["evidence"]["problems"]]
    assert "driver-killed" in codes and "log-in-progress" not in codes
