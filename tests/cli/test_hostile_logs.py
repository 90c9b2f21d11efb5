"""Logs that are made to break whoever reads them: what is well in them is shown, and memory does not follow what they claim."""

import gzip
import json
import os
import subprocess
import tempfile
import zipfile
import zlib
from dataclasses import dataclass

import pytest

from event_log import Application, Shuffle, event_log_text

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB

TEXT = event_log_text(Application(shuffles=[Shuffle("work", [KIB] * 4)]))
LINES = TEXT.splitlines(keepends=True)
HALF = "".join(LINES[: len(LINES) // 2]).encode()
REST = "".join(LINES[len(LINES) // 2 :]).encode()


@dataclass
class Outcome:
    code: int
    stdout: str
    stderr: str
    mib: int  # of memory, at the most

    @property
    def report(self):
        assert self.code == 0, self.stderr
        return json.loads(self.stdout)

    @property
    def codes(self):
        return [problem["code"] for problem in self.report["evidence"]["problems"]]


def report(*arguments, pieces=(), form="json"):
    """The report on a source, which may be standard input: PIECES of it. What the sanitizers keep of freed memory does not count."""
    sanitizers = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=4:allocator_release_to_os_interval_ms=100"
    command = [os.environ["STAGEGATE"], "report", *map(str, arguments), "--format", form]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=out, stderr=err, env={**os.environ, "ASAN_OPTIONS": sanitizers}
        )
        try:
            for piece in pieces:
                process.stdin.write(piece)
            process.stdin.close()
        except BrokenPipeError:
            pass
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode())
        return Outcome(process.returncode, *texts, usage.ru_maxrss // KIB)


@pytest.fixture(scope="module")
def plain():
    outcome = report("-", pieces=[HALF, REST])
    assert outcome.codes == []
    return outcome


def numbers(outcome):
    """What is said of the stages, besides the evidence."""
    return outcome.report["stages"]


def test_a_line_of_two_gigabytes(plain):
    piece = b"x" * MIB
    line = [b'{"Event":"SparkListenerTaskStart","x":"', *[piece] * (2 * KIB), b'"}\n']
    outcome = report("-", pieces=[HALF, *line, REST])
    assert outcome.codes == ["line-broken"]
    assert numbers(outcome) == numbers(plain)
    assert outcome.mib < plain.mib + 700


def zstd_frame_of_zeros(size):
    """Blocks that say: this byte, 128 KiB times."""
    block = 128 * KIB
    last = size // block - 1
    blocks = b"".join((block << 3 | 1 << 1 | (i == last)).to_bytes(3, "little") + b"\0" for i in range(size // block))
    return b"\x28\xb5\x2f\xfd" + b"\x00" + b"\x38" + blocks


def zstd(text):
    return subprocess.run(["zstd", "-q", "-c"], input=text, stdout=subprocess.PIPE, check=True).stdout


def deflated_zeros(size):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    zeros = bytes(16 * MIB)
    return b"".join(packer.compress(zeros) for _ in range(size // len(zeros))) + packer.flush()


def test_zstd_that_grows_without_end(plain):
    for form, bomb in (("zstd", zstd(TEXT.encode()) + zstd_frame_of_zeros(2 * GIB)), ("twice", zstd(zstd_frame_of_zeros(2 * GIB)))):
        outcome = report("-", pieces=[bomb])
        assert outcome.mib < plain.mib + 300
        if form == "zstd":
            assert outcome.codes == ["stream-cut"]
            assert "grows more than a thousandfold" in outcome.report["evidence"]["problems"][0]["message"]
            assert numbers(outcome) == numbers(plain)
        else:
            assert outcome.code == 3, "zeros are no log: " + outcome.stderr
            assert outcome.stdout == ""


def test_gzip_that_grows_without_end(plain):
    zeros = deflated_zeros(1200 * MIB)
    member = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03" + zeros
    outcome = report("-", pieces=[gzip.compress(TEXT.encode()), member])
    assert outcome.codes[-1] == "stream-cut"
    assert "grows more than a thousandfold" in outcome.report["evidence"]["problems"][-1]["message"]
    assert numbers(outcome) == numbers(plain)
    assert outcome.mib < plain.mib + 700


def test_a_zip_that_grows_without_end(plain, tmp_path):
    path = tmp_path / "logs.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("app-1", TEXT)
        with archive.open("app-2", "w", force_zip64=True) as entry:
            zeros = bytes(16 * MIB)
            for _ in range(1200 // 16):
                entry.write(zeros)
    outcome = report(path)
    assert outcome.codes == ["stream-cut"]
    assert "grows more than a thousandfold" in outcome.report["evidence"]["problems"][0]["message"]
    assert numbers(outcome) == numbers(plain)
    assert outcome.mib < plain.mib + 700


@pytest.mark.parametrize("depth", [700, 100_000])
def test_a_plan_of_any_depth(plain, depth):
    node = '{"nodeName":"Project","simpleString":"Project [id#1L]","metadata":{},"metrics":[{"name":"n","accumulatorId":1,"metricType":"sum"}],"children":['
    plan = node * depth + "]}" * depth
    name = "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart"
    start = f'{{"Event":"{name}","executionId":0,"description":"d","time":1,"sparkPlanInfo":{plan}}}\n'
    outcome = report("-", pieces=[HALF, start.encode(), REST])
    assert outcome.code == 0, outcome.stderr
    totals = lambda shown: [(s["id"], s["tasks"], s["bytes"]) for s in numbers(shown)]  # noqa: E731
    assert totals(outcome) == totals(plain)


def test_a_billion_tasks_and_the_highest_partition(plain):
    text = TEXT.replace('"Number of Tasks":4', '"Number of Tasks":1000000000').replace('"Partition ID":3', '"Partition ID":2147483647')
    assert text != TEXT
    outcome = report("-", pieces=[text.encode()])
    assert outcome.codes == ["tasks-missing"]
    assert [s["tasks"]["succeeded"] for s in numbers(outcome)] == [s["tasks"]["succeeded"] for s in numbers(plain)]
    assert outcome.mib < plain.mib + 100


def test_many_stages_that_never_ran(plain):
    ids = ",".join(str(i * 21_470) for i in range(100_000))
    job = f'{{"Event":"SparkListenerJobStart","Job ID":77,"Submission Time":1,"Stage IDs":[{ids}]}}\n'
    end = '{"Event":"SparkListenerJobEnd","Job ID":77,"Completion Time":2,"Job Result":{"Result":"JobSucceeded"}}\n'
    text = report("-", pieces=[HALF, job.encode(), end.encode(), REST], form="text")
    assert text.code == 0, text.stderr
    assert "total: 2 stages" in text.stdout
    # A stage that never ran takes about 5 KB.
    assert text.mib < plain.mib + 1000
