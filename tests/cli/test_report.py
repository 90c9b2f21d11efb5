"""`stagegate report SOURCE` on logs that are there, and on what is no log."""

import gzip
import json
import subprocess

import pytest

from event_log import Application, Shuffle, event_log_text, write_event_log

MIB = 2**20


def application(**changes):
    return Application(shuffles=[Shuffle("join customers", [4 * MIB] * 7 + [40 * MIB])], **changes)


@pytest.fixture
def log(tmp_path):
    folder = tmp_path / "logs"
    folder.mkdir()
    return write_event_log(folder, application())


def test_a_line_a_stage_with_its_numbers(project, log):
    outcome = project.stagegate("report", str(log))
    assert outcome.code == 0
    assert outcome.stderr == ""
    assert "join customers" in outcome.stdout
    assert "4.3.0" in outcome.stdout
    assert "skew" in outcome.stdout
    assert "68 MiB" in outcome.stdout, "the shuffle read of the result stage"
    assert not project.report_dir.exists()


def test_the_same_as_json(project, log):
    outcome = project.stagegate("report", str(log), "--format", "json")
    assert outcome.code == 0
    report = json.loads(outcome.stdout)
    assert report["schema"] == "stagegate.report/1"
    assert report["application"]["id"] == "local-1795980000000"
    assert report["application"]["spark_version"] == "4.3.0"
    assert report["evidence"]["complete"] is True and report["evidence"]["problems"] == []
    assert report["cores"] == 4
    mapped, result = report["stages"]
    assert (mapped["id"], result["id"]) == (0, 1)
    assert mapped["tasks"] == {"declared": 4, "succeeded": 4, "failed": 0, "killed": 0, "speculative": 0}
    assert mapped["records"]["input"] == 1000
    assert mapped["bytes"]["shuffle_write"] == result["bytes"]["shuffle_read"] == 68 * MIB
    spread = result["distribution"]["shuffle_read"]
    assert {name: spread[name] for name in ("min", "median", "max")} == {"min": 4 * MIB, "median": 4 * MIB, "max": 40 * MIB}
    assert result["status"] == "COMPLETE"
    assert result["description"] == "join customers"
    [finding] = [finding for finding in report["findings"] if finding["rule"] == "skew"]
    assert finding["stage"] == 1 and finding["value"] == 10


def test_a_folder_with_one_log(project, log):
    assert project.stagegate("report", str(log.parent)).code == 0


def test_a_log_that_is_not_whole_is_shown_with_its_reason(project, tmp_path):
    log = write_event_log(tmp_path, application(ended=False, lost_tasks=2))
    outcome = project.stagegate("report", str(log))
    assert outcome.code == 0
    assert "6 of 8" in outcome.stdout
    report = json.loads(project.stagegate("report", str(log), "--format", "json").stdout)
    assert report["evidence"]["complete"] is False
    assert len(report["evidence"]["problems"]) >= 2


def test_a_zstd_log(project, tmp_path):
    plain = tmp_path / "log"
    plain.write_text(event_log_text(application()), encoding="utf-8")
    done = subprocess.run(["zstd", "-q", str(plain), "-o", str(tmp_path / "log.zstd")], check=False, capture_output=True)
    assert done.returncode == 0, done.stderr
    texts = [project.stagegate("report", str(path), "--format", "json").stdout for path in (plain, tmp_path / "log.zstd")]
    assert texts[0] == texts[1]


def no_report(project, source, *words):
    for form in ((), ("--format", "json")):
        outcome = project.stagegate("report", str(source), *form)
        assert outcome.code == 3
        assert outcome.stdout == ""
        assert all(word in outcome.stderr for word in words), outcome.stderr
        assert str(source) in outcome.stderr
        assert outcome.stderr.count("\n") == 1, "one line"


def test_a_missing_file(project, tmp_path):
    no_report(project, tmp_path / "nothing", "no such file")


def test_an_empty_file(project, tmp_path):
    (tmp_path / "empty").touch()
    no_report(project, tmp_path / "empty", "event")


@pytest.mark.parametrize(
    "content",
    [b"hello\nworld\n", b"\x00" * 1000, b"{}\n[]\n1\n", b"\xff\xfe\xfd", b'{"Event":', gzip.compress(b"x", mtime=0), b"PK\x03\x04"],
    ids=["text", "nul", "json of something else", "bytes", "half a line", "gzip", "zip"],
)
def test_a_file_that_is_no_log(project, tmp_path, content):
    (tmp_path / "text").write_bytes(content)
    no_report(project, tmp_path / "text", "event")


def test_a_folder_without_logs(project, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    no_report(project, folder)
    (folder / "README").write_text("no log\n")
    (folder / "inner").mkdir()
    no_report(project, folder)


def test_a_device(project):
    no_report(project, "/dev/null")


@pytest.mark.parametrize("order", ["stage", "tasks", "shuffle-read", "shuffle-write", "median-time", "slowest-time"])
def test_every_order(project, tmp_path, order):
    log = tmp_path / "log"
    shuffles = [Shuffle("small", [1 * MIB, 2 * MIB]), Shuffle("large", [9 * MIB] * 8)]
    log.write_text(event_log_text(Application(shuffles=shuffles)), encoding="utf-8")
    outcome = project.stagegate("report", str(log), "--sort", order)
    assert outcome.code == 0
    if order in ("tasks", "shuffle-read"):
        assert outcome.stdout.index("72 MiB") < outcome.stdout.index("3 MiB")


def test_it_needs_no_manifest_and_looks_at_none(project, log):
    project.write("stagegate.toml", "nonsense")
    assert project.stagegate("report", str(log)).code == 0
