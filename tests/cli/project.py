"""A project folder with a manifest, jobs, a Spark and a Java that are quick because they do nothing, and the binary run in it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

import junit_checks

HERE = Path(__file__).resolve().parent
TIME_LIMIT_S = 60
SANITIZER_EXIT_CODE = 86
SANITIZER_WORDS = ("AddressSanitizer", "LeakSanitizer", "UndefinedBehaviorSanitizer", "runtime error:")
EXIT_CODES = (0, 1, 2, 3, 4, 5, 74, 130, 143)

# Shuffles for fake_job.py, on its four cores.
CALM = "join customers=8x4MiB"  # two tasks a core, all equal
SKEWED = "join customers=7x4MiB,40MiB"  # the largest reads ten times the median
SHREDDED = "join customers=40x1kB"  # ten tasks a core, and they read next to nothing

SPARK_SUBMIT = '''\
#!{python}
"""What spark-submit does for a Python application: takes --conf and --master, runs the script."""
import os, pathlib, sys, tempfile
arguments = sys.argv[1:]
conf = []
while arguments and arguments[0].startswith("--"):
    name, value = arguments[:2]
    del arguments[:2]
    if name == "--conf":
        conf.append(value.split("=", 1))
    elif name == "--master":
        conf.append(["spark.master", value])
if not os.path.isfile(arguments[0]):
    sys.exit(f"python3: can't open file '{{arguments[0]}}': [Errno 2] No such file or directory")
folder = tempfile.mkdtemp(dir=os.environ["SPARK_HOME"])
escape = lambda text: text.replace("\\\\", "\\\\\\\\").replace(" ", "\\\\ ").replace(":", "\\\\:").replace("=", "\\\\=")
text = "".join(f"{{escape(key)}} {{escape(value)}}\\n" for key, value in conf)
pathlib.Path(folder, "spark-defaults.conf").write_text(text, encoding="utf-8")
os.environ["SPARK_CONF_DIR"] = folder
os.execv({python!r}, [{python!r}, *arguments])
'''


def toml(value) -> str:
    """A string or a list of strings as TOML writes it: its basic strings have JSON's escapes."""
    return json.dumps(value)


def fake_job(*arguments: str) -> str:
    """The TOML value of `command` for tests/cli/fake_job.py."""
    return toml(["python3", "jobs/fake_job.py", *arguments])


def write_program(path: Path, text: str):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def write_java(home: Path, version: str):
    write_program(home / "bin/java", f"#!/bin/sh\necho 'openjdk version \"{version}\" 2025-04-15' >&2\n")


def binary() -> str:
    return os.environ["STAGEGATE"]


@dataclass
class Outcome:
    """What one start of the binary left."""

    code: int
    stdout: str
    stderr: str
    max_rss_bytes: int
    seconds: float
    verdict: dict | None
    junit: ElementTree.Element | None

    @property
    def output(self):
        return self.stdout + self.stderr

    def variant(self, name: str) -> dict:
        """verdict.json's entry of "job/variant"."""
        [entry] = [entry for entry in self.verdict["variants"] if f"{entry['job']}/{entry['variant']}" == name]
        return entry

    def state(self, name: str) -> str:
        return self.variant(name)["state"]

    def findings(self, name: str, rule: str) -> list[dict]:
        return [finding for finding in self.variant(name)["findings"] if finding["rule"] == rule]

    def finding(self, name: str, rule: str) -> dict:
        [finding] = self.findings(name, rule)
        return finding

    def suite(self, name: str) -> ElementTree.Element:
        [suite] = [suite for suite in self.junit.iter("testsuite") if suite.get("name") == name]
        return suite

    def cases(self, suite: str, outcome: str) -> list[ElementTree.Element]:
        """Cases of a suite that hold a <failure>, <error> or <skipped>."""
        return [case for case in self.suite(suite).iter("testcase") if case.find(outcome) is not None]


class Started:
    """The binary, running."""

    def __init__(self, project, arguments, env, cwd, preexec=None):
        self.project = project
        self.arguments = arguments
        self.began = time.monotonic()
        self.stdout = project.root / f".stdout-{project.next_number()}"
        self.stderr = project.root / f".stderr-{project.next_number()}"
        with open(self.stdout, "wb") as out, open(self.stderr, "wb") as err:
            self.process = subprocess.Popen(
                [binary(), *arguments],
                cwd=cwd,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
                preexec_fn=preexec,
            )

    def send(self, number: int):
        os.kill(self.process.pid, number)

    def wait_for_file(self, path: Path) -> str:
        while not path.exists():
            assert time.monotonic() - self.began < self.project.time_limit_s, f"{path} never came: {self.stderr.read_text()}"
            time.sleep(0.01)
        return path.read_text(encoding="utf-8")

    def _reap(self):
        while True:
            pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
            if pid:
                self.process.returncode = os.waitstatus_to_exitcode(status)
                return usage
            if time.monotonic() - self.began > self.project.time_limit_s:
                os.killpg(self.process.pid, signal.SIGKILL)
                os.wait4(self.process.pid, 0)
                raise AssertionError(f"stagegate {self.arguments} did not end in time: {self.stderr.read_text()}")
            time.sleep(0.005)

    def wait(self, own_reports=True, controls_allowed=False) -> Outcome:
        """OWN_REPORTS: the report folder, where it has reports, holds those of this start. CONTROLS_ALLOWED: colours were asked for."""
        usage = self._reap()
        seconds = time.monotonic() - self.began
        stdout = self.stdout.read_bytes().decode("utf-8")  # what is not UTF-8 is a fault
        stderr = self.stderr.read_bytes().decode("utf-8")
        code = self.process.returncode
        check_no_crash(code, stderr)
        if not controls_allowed:
            check_clean(stdout)
            check_clean(stderr)
        verdict, junit = self.project.read_reports()
        if own_reports and self.arguments[:1] and self.arguments[0] in ("run", "check") and verdict is not None:
            assert verdict["exit_code"] == code
        return Outcome(code, stdout, stderr, usage.ru_maxrss * 1024, seconds, verdict, junit)


def check_no_crash(code: int, stderr: str):
    assert code >= 0, f"ended by signal {-code}: {stderr}"
    assert code != SANITIZER_EXIT_CODE, stderr
    assert not any(word in stderr for word in SANITIZER_WORDS), stderr
    assert "internal error" not in stderr, stderr
    assert code in EXIT_CODES, f"exit code {code}: {stderr}"


def check_clean(text: str):
    """What goes to a pipe holds no control characters, whatever a job printed."""
    bad = {character for character in text if (ord(character) < 0x20 and character not in "\n\t") or 0x7F <= ord(character) < 0xA0}
    assert not bad, f"{bad!r} in {text!r}"


class Project:
    def __init__(self, root: Path):
        self.root = root
        self.time_limit_s = TIME_LIMIT_S
        self.numbers = 0
        self.manifest_path = root / "stagegate.toml"
        self.report_dir = root / "stagegate-out"
        self.baselines = root / "baselines"
        (root / ".git").mkdir(parents=True)
        jobs = root / "jobs"
        jobs.mkdir()
        for name in ("fake_job.py", "event_log.py"):
            shutil.copy(HERE / name, jobs)
        tools = root.parent / (root.name + "-tools")
        self.path = f"{tools / 'bin'}:/usr/bin:/bin"
        self.java_home = tools / "java"
        self.spark_home = tools / "spark"
        write_program(tools / "bin/python3", f'#!/bin/sh\nexec {sys.executable} "$@"\n')
        write_java(self.java_home, "17.0.15")
        write_program(self.spark_home / "bin/spark-submit", SPARK_SUBMIT.format(python=sys.executable))
        (self.spark_home / "jars").mkdir()
        (self.spark_home / "RELEASE").write_text("Spark 4.3.0 (git revision 0000000) built for Hadoop 3.4.2\n", encoding="utf-8")
        self.env = {
            "PATH": self.path,
            "HOME": str(tools / "home"),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "JAVA_HOME": str(self.java_home),
            "SPARK_HOME": str(self.spark_home),
            "PYTHONDONTWRITEBYTECODE": "1",
            "ASAN_OPTIONS": f"exitcode={SANITIZER_EXIT_CODE}",
            "UBSAN_OPTIONS": f"halt_on_error=1:exitcode={SANITIZER_EXIT_CODE}",
        }

    def next_number(self):
        self.numbers += 1
        return self.numbers

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    def manifest(self, text: str):
        self.write("stagegate.toml", textwrap.dedent(text).lstrip("\n"))

    def one_job(self, *arguments: str, more: str = ""):
        """A manifest with the job `revenue`, which is a fake one; MORE is laid behind it."""
        self.write("stagegate.toml", f"[jobs.revenue]\ncommand = {fake_job(*arguments)}\n{textwrap.dedent(more)}")

    def fake_jobs(self, **shuffles: str):
        """A manifest with a fake job of each name."""
        self.write("stagegate.toml", "".join(f"[jobs.{name}]\ncommand = {fake_job(shuffle)}\n" for name, shuffle in shuffles.items()))

    def start(self, *arguments: str, env=None, cwd=None, preexec=None) -> Started:
        """ENV is laid over the usual one; None as a value removes a variable."""
        merged = {**self.env, **(env or {})}
        merged = {name: value for name, value in merged.items() if value is not None}
        return Started(self, arguments, merged, cwd or self.root, preexec)

    def stagegate(self, *arguments: str, own_reports=True, controls_allowed=False, **options) -> Outcome:
        return self.start(*arguments, **options).wait(own_reports, controls_allowed)

    def run(self, *arguments: str, **options) -> Outcome:
        return self.stagegate("run", *arguments, **options)

    def accept(self, *arguments: str, **options) -> Outcome:
        outcome = self.stagegate("baseline", "accept", *arguments, **options)
        assert outcome.code == 0, outcome.output
        return outcome

    def accepted(self, *arguments: str, more: str = ""):
        """One job, run, and its result accepted."""
        self.one_job(*arguments, more=more)
        assert self.run().code == 5
        self.accept()

    def read_reports(self):
        verdict = self.report_dir / "verdict.json"
        junit = self.report_dir / "junit.xml"
        return (
            json.loads(verdict.read_bytes().decode("utf-8")) if verdict.is_file() else None,
            junit_checks.read(junit) if junit.is_file() else None,
        )

    def baseline_files(self) -> dict[str, bytes]:
        """Every file below baselines/, by its path in it."""
        return {str(path.relative_to(self.baselines)): path.read_bytes() for path in self.baselines.rglob("*") if path.is_file()}


def is_alive(pid: int) -> bool:
    """A process that ended and that nobody has waited for is not alive."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state.rsplit(")", 1)[1].split()[0] not in "ZX"


def wait_until_gone(pids: list[int], seconds: float = 5):
    """The kernel takes a moment to clear away what was killed."""
    deadline = time.monotonic() + seconds
    while any(is_alive(pid) for pid in pids):
        assert time.monotonic() < deadline, f"still there: {[pid for pid in pids if is_alive(pid)]}"
        time.sleep(0.01)
