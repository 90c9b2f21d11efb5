"""Whatever ends `accept` and `prune` half way, a baseline is the old file or the new one."""

import os
import resource
import signal
import subprocess
import time

import pytest

from project import binary
from work_flow import EVEN, FILE, SIX_TIMES, TWENTY_SEVEN_TIMES, changed, commit


@pytest.fixture
def stale(repository):
    """An accepted baseline, and a result that would change it; with the bytes of both."""
    repository.run()
    repository.accept()
    commit(repository)
    old = (repository.root / FILE).read_bytes()
    repository.one_job(TWENTY_SEVEN_TIMES)
    commit(repository)
    repository.run()
    new = (repository.report_dir / "pending" / FILE).read_bytes()
    assert old != new
    return repository, old, new


def accept_and_die(project, limit):
    """Writing beyond LIMIT bytes of a file sends SIGXFSZ, which ends a process as SIGKILL would: at once, in the middle of a write."""
    started = subprocess.Popen(
        [binary(), "baseline", "accept"],
        cwd=project.root,
        env=project.env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: (resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)), resource.setrlimit(resource.RLIMIT_CORE, (0, 0))),
    )
    started.communicate(timeout=60)
    return started.returncode


def test_a_death_in_the_middle_of_the_write_leaves_the_old_file(stale):
    project, old, new = stale
    for limit in (0, 1, len(new) // 2, len(new) - 1):
        assert accept_and_die(project, limit) == -signal.SIGXFSZ
        assert (project.root / FILE).read_bytes() == old
    assert project.stagegate("validate").code == 0, "what the dead left is taken for no baseline"
    project.accept()
    assert (project.root / FILE).read_bytes() == new


def test_killed_at_any_moment(stale):
    project, old, new = stale
    seen = set()
    for step in range(60):
        (project.root / FILE).write_bytes(old)
        started = project.start("baseline", "accept")
        time.sleep(step * 0.0005)
        os.kill(started.process.pid, signal.SIGKILL)
        started.process.wait()
        content = (project.root / FILE).read_bytes()
        assert content in (old, new)
        seen.add(content)
    assert old in seen, "some were killed before they were done"


@pytest.fixture
def small_disk(project):
    """The folder of the baselines on a file system of 64 KiB."""
    folder = project.root / "baselines"
    folder.mkdir()
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)], capture_output=True, text=True, check=False)
    if mount.returncode != 0:
        folder.rmdir()
        pytest.skip(f"no file system can be mounted here: {mount.stderr.strip()}")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("command, shuffle", [("accept", TWENTY_SEVEN_TIMES), ("prune", SIX_TIMES), ("prune", EVEN)])
def test_a_full_disk_keeps_the_old_file_and_leaves_nothing_else(small_disk, repository, command, shuffle):
    repository.run()
    repository.accept()
    old = repository.baseline_files()
    repository.one_job(shuffle)
    repository.run()
    fill = small_disk / "fill"
    with pytest.raises(OSError), open(fill, "wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    outcome = repository.stagegate("baseline", command)
    assert outcome.code == 74
    assert FILE in outcome.stderr and "No space left" in outcome.stderr
    fill.unlink()
    assert repository.baseline_files() == old
    assert repository.stagegate("baseline", command).code == 0
    assert repository.baseline_files() != old


@pytest.mark.parametrize("command", ["accept", "prune"])
def test_a_folder_that_may_not_be_written(repository, command):
    repository.run()
    repository.accept()
    commit(repository)
    repository.one_job(EVEN)
    commit(repository)
    repository.run()
    folder = (repository.root / FILE).parent
    folder.chmod(0o555)
    if os.access(folder, os.W_OK):
        pytest.skip("root may write into any folder; test_baseline_git.py has it with a mount that is read-only")
    try:
        outcome = repository.stagegate("baseline", command)
    finally:
        folder.chmod(0o755)
    assert outcome.code == 74
    assert FILE in outcome.stderr and "Permission denied" in outcome.stderr
    assert changed(repository) == []
