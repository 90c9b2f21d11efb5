"""A report folder that cannot be written: 74 where all else passes, and never a crash, a half file or a pass without a word."""

import json
import os
import shutil
import subprocess

import pytest

import junit_checks
from project import CALM, SKEWED, TIME_LIMIT_S, binary, check_no_crash


@pytest.mark.parametrize("command", [("run",), ("check", "log", "--job", "revenue", "--variant", "default")])
def test_a_file_in_the_place_of_the_folder(project, command):
    project.one_job(CALM, "--mark", "started")
    project.write("stagegate-out", "mine\n")
    project.write("log", "{}\n")
    outcome = project.stagegate(*command, own_reports=False)
    assert outcome.code == 74
    assert "stagegate-out" in outcome.stderr
    assert (project.root / "stagegate-out").read_text() == "mine\n"
    assert not (project.root / "started").exists(), "a run that cannot report does not begin"


def test_a_file_on_the_way_to_the_folder(project):
    project.one_job(CALM)
    project.write("out", "mine\n")
    outcome = project.run("--report-dir", "out/reports", own_reports=False)
    assert outcome.code == 74
    assert "out" in outcome.stderr
    assert (project.root / "out").read_text() == "mine\n"


def test_a_folder_in_the_place_of_a_report(project):
    project.accepted(CALM)
    for name in ("junit.xml", "verdict.json"):
        (project.report_dir / name).unlink(missing_ok=True)
        project.write(f"stagegate-out/{name}/keep", "")
    outcome = project.run()
    assert outcome.code in (0, 74), "it is in the way, or it is an old report and goes"
    assert (outcome.code == 0) == (outcome.verdict is not None and outcome.junit is not None)


@pytest.fixture
def file_system(tmp_path, request):
    """A small file system of its own at tmp_path/out."""
    folder = tmp_path / "out"
    folder.mkdir()
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", request.param, "tmpfs", str(folder)], capture_output=True, text=True, check=False)
    if mount.returncode != 0:
        pytest.skip(f"no file system can be mounted here: {mount.stderr.strip()}")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)
    folder.rmdir()


def stagegate_run(project, folder):
    outcome = project.run("--report-dir", str(folder), own_reports=False)
    known = ("junit.xml", "verdict.json", ".lock", "runs", "pending", "fill")
    leftovers = [path.name for path in folder.iterdir() if path.name not in known]
    assert leftovers == [], "no half file stays behind"
    return outcome


@pytest.mark.parametrize("file_system", ["size=256k"], indirect=True)
def test_a_disk_that_is_full_when_the_run_begins(project, file_system):
    project.accepted(CALM)
    with pytest.raises(OSError), open(file_system / "fill", "wb") as fill:
        while True:
            fill.write(b"x" * 4096)
            fill.flush()
    outcome = stagegate_run(project, file_system)
    assert outcome.code in (3, 74), "the job may not get as far as its log"
    assert "space" in outcome.output
    assert str(file_system) in outcome.stderr


@pytest.mark.parametrize("file_system", ["size=512k"], indirect=True)
def test_a_disk_that_the_job_fills(project, file_system):
    """The evidence is cut, so nothing is judged; the report has no room either."""
    project.accepted(CALM)
    script = "head -c 10000000 /dev/zero; exec python3 jobs/fake_job.py \"$0\""
    project.write("stagegate.toml", f"[jobs.revenue]\ncommand = {json.dumps(['/bin/sh', '-c', script, CALM])}\n")
    outcome = stagegate_run(project, file_system)
    assert outcome.code in (3, 74)
    assert "space" in outcome.output


@pytest.mark.parametrize("file_system", ["size=1m"], indirect=True)
def test_a_disk_without_room_for_the_reports_alone(project, file_system):
    """Its log fits; then the job fills the disk and ends well."""
    project.accepted(CALM)
    fill = file_system / "fill"
    script = f"python3 jobs/fake_job.py \"$0\" || exit 1; cat /dev/zero > {fill} 2>&-; exit 0"
    project.write("stagegate.toml", f"[jobs.revenue]\ncommand = {json.dumps(['/bin/sh', '-c', script, CALM])}\n")
    outcome = stagegate_run(project, file_system)
    assert outcome.code == 74
    assert "junit.xml" in outcome.stderr and "verdict.json" in outcome.stderr and "space" in outcome.stderr
    assert not (file_system / "verdict.json").exists()
    assert not (file_system / "junit.xml").exists()


@pytest.mark.parametrize("file_system", ["size=1m"], indirect=True)
def test_a_new_finding_outweighs_a_report_that_cannot_be_written(project, file_system):
    project.accepted(CALM)
    fill = file_system / "fill"
    script = f"python3 jobs/fake_job.py \"$0\" || exit 1; cat /dev/zero > {fill} 2>&-; exit 0"
    project.write("stagegate.toml", f"[jobs.revenue]\ncommand = {json.dumps(['/bin/sh', '-c', script, SKEWED])}\n")
    outcome = stagegate_run(project, file_system)
    assert outcome.code == 1
    assert "junit.xml" in outcome.stderr


def test_a_folder_that_is_read_only(project, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", str(folder)]
    # In a name space of its own, so that nothing is left of it.
    probe = subprocess.run(["unshare", "-m", *mount], capture_output=True, text=True, check=False)
    if probe.returncode != 0:
        pytest.skip(f"no read-only file system can be made here: {probe.stderr.strip()}")
    project.one_job(CALM)
    script = f'{" ".join(mount)} && exec "$0" run --report-dir "{folder}"'
    done = subprocess.run(
        ["unshare", "-m", "/bin/sh", "-c", script, binary()],
        cwd=project.root,
        env={**project.env, "PATH": project.path + ":/usr/sbin:/sbin"},
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT_S,
        check=False,
    )
    check_no_crash(done.returncode, done.stderr)
    assert done.returncode == 74
    assert str(folder) in done.stderr and "ead-only" in done.stderr


def test_a_baseline_folder_that_cannot_be_written(project):
    project.one_job(CALM)
    project.run()
    project.write("baselines", "mine\n")
    outcome = project.stagegate("baseline", "accept")
    assert outcome.code == 74
    assert "baselines" in outcome.stderr
    assert (project.root / "baselines").read_text() == "mine\n"


def test_reports_of_an_earlier_run_do_not_outlive_a_manifest_error(project):
    project.accepted(CALM)
    project.run()
    project.write("stagegate.toml", "nonsense\n")
    outcome = project.run()
    assert outcome.code == 2
    assert outcome.verdict["exit_code"] == 2
    assert outcome.junit.get("errors") == "1"


def test_two_at_once_in_one_folder(project):
    """The second one gives way at once and leaves the first one's reports alone."""
    project.accepted(CALM)
    project.one_job(CALM, "--sleep", "3")
    first = project.start("run")
    first.wait_for_file(project.root / "pids")
    project.write("log", "{}\n")
    for arguments in (["run"], ["check", "log", "--job", "revenue", "--variant", "default"]):
        second = project.stagegate(*arguments, own_reports=False)
        assert second.code == 74
        assert "stagegate-out" in second.stderr and "another stagegate" in second.stderr
        assert second.seconds < 3
    assert project.run("--job", "returns", own_reports=False).code == 2, "what is wrong anyway is said all the same"
    assert not (project.report_dir / "verdict.json").exists(), "and leaves the folder alone"
    outcome = first.wait()
    assert outcome.code == 0
    assert outcome.verdict["verdict"] == "passed"


def test_two_at_once_in_folders_of_their_own(project):
    project.accepted(CALM)
    started = [project.start("run", "--report-dir", f"out-{number}") for number in range(3)]
    for number, one in enumerate(started):
        assert one.wait(own_reports=False).code == 0
        folder = project.root / f"out-{number}"
        assert json.loads((folder / "verdict.json").read_text())["exit_code"] == 0
        junit_checks.read(folder / "junit.xml")


def test_a_lock_that_a_killed_run_left_is_no_lock(project):
    project.one_job(CALM, "--sleep", "100")
    first = project.start("run")
    pids = [int(word) for word in first.wait_for_file(project.root / "pids").split()]
    os.kill(first.process.pid, 9)
    os.waitpid(first.process.pid, 0)
    for pid in pids:
        try:
            os.kill(pid, 9)
        except ProcessLookupError:
            continue
    project.one_job(CALM)
    assert project.run().code == 5


def test_the_report_folder_may_be_deleted_between_runs(project):
    project.accepted(CALM)
    shutil.rmtree(project.report_dir)
    assert project.run().code == 0
