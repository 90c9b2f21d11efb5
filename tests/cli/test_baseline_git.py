"""Baselines in a real git repository: commits, branches, merges, conflicts, a checkout that is read-only."""

import shlex
import subprocess

import pytest

from project import CALM, TIME_LIMIT_S, binary, check_no_crash, fake_job
from terminal import terminal
from work_flow import EVEN, FILE, NAME, SIX_TIMES, TEN_TIMES, TWENTY_SEVEN_TIMES, changed, commit, git


def accept_and_commit(repository, shuffle):
    repository.one_job(shuffle)
    assert repository.run().code in (0, 1, 5)
    repository.accept()
    commit(repository)


def test_accept_commit_change_fail_prune(repository):
    accept_and_commit(repository, TEN_TIMES)
    assert repository.run().code == 0
    assert changed(repository) == []
    repository.one_job(TWENTY_SEVEN_TIMES)
    assert repository.run().code == 1
    repository.one_job(SIX_TIMES)
    commit(repository)
    assert repository.run().code == 0
    assert repository.stagegate("baseline", "prune").code == 0
    assert changed(repository) == [f" M {FILE}"]
    commit(repository)
    repository.one_job(TEN_TIMES)
    assert repository.run().code == 1, "what was good enough before is not any more"
    git(repository, "checkout", "--quiet", "stagegate.toml")
    assert repository.run().code == 0


def test_accept_commit_change_fail_review_prune(repository):
    """Of two new findings one is taken, one suppressed; later the first is gone, and stays gone."""
    two = "[jobs.revenue]\ncommand = {}\n"
    repository.write("stagegate.toml", two.format(fake_job(CALM, "sort returns=8x4MiB")))
    assert repository.run().code == 5
    repository.accept()
    commit(repository)
    repository.write("stagegate.toml", two.format(fake_job("join customers=7x3MiB,30MiB", "sort returns=7x3MiB,30MiB")))
    commit(repository)
    assert repository.run().code == 1
    with terminal(repository, "baseline", "review") as person:
        person.wait("1 of 3", "join customers", "? help")
        person.answer("a", "2 of 3", "sort returns")
        person.answer("s", "Reason")
        person.type("guest orders, DATA-123\n\n")
        person.wait("3 of 3", "New totals")
        person.answer("a", "Write it?")
        person.type("y")
        screen = person.end(0)
    assert changed(repository) == [f" M {FILE}", " M stagegate.toml"]
    [add] = [line.strip() for line in screen.splitlines() if line.startswith("  git add -- ")]
    git(repository, *shlex.split(add)[1:])
    assert changed(repository) == [f"M  {FILE}", "M  stagegate.toml"], "what it says to type is what there is to do"
    added = [line[1:] for line in git(repository, "diff", "--staged", "stagegate.toml").splitlines() if line.startswith("+")][1:]
    assert added == [
        "",
        "[[suppress]]",
        'rule = "skew"',
        'job = "revenue"',
        'variant = "default"',
        'stage = "sort returns: sort at fake.py (2)"',
        'reason = "guest orders, DATA-123"',
    ]
    commit(repository)
    outcome = repository.run()
    assert outcome.code == 0
    assert sorted(finding["state"] for finding in outcome.findings(NAME, "skew")) == ["known", "suppressed"]
    assert changed(repository) == []
    manifest = (repository.root / "stagegate.toml").read_text()
    calm_again = manifest.replace("join customers=7x3MiB,30MiB", "join customers=3x17MiB")
    assert calm_again != manifest
    repository.write("stagegate.toml", calm_again)
    commit(repository)
    assert repository.run().code == 0
    assert repository.stagegate("baseline", "prune").code == 0
    assert changed(repository) == [f" M {FILE}"]
    commit(repository)
    repository.write("stagegate.toml", manifest)
    assert repository.run().code == 1, "what was gone does not come back"


def test_an_older_commit_has_the_baseline_that_belonged_to_it(repository):
    accept_and_commit(repository, TEN_TIMES)
    accept_and_commit(repository, EVEN)
    assert repository.run().code == 0
    git(repository, "checkout", "--quiet", "HEAD~1")
    outcome = repository.run()
    assert outcome.code == 0
    assert outcome.finding(NAME, "skew")["state"] == "known"


@pytest.fixture
def conflict(repository):
    """Two branches that both accepted another skew; the merge of one into the other has stopped."""
    accept_and_commit(repository, EVEN)
    main = git(repository, "branch", "--show-current").strip()
    git(repository, "checkout", "--quiet", "-b", "feature")
    accept_and_commit(repository, TWENTY_SEVEN_TIMES)
    git(repository, "checkout", "--quiet", main)
    accept_and_commit(repository, TEN_TIMES)
    with pytest.raises(subprocess.CalledProcessError):
        git(repository, "merge", "--quiet", "feature")
    assert f"AA {FILE}" in changed(repository) or f"UU {FILE}" in changed(repository)
    git(repository, "checkout", "--ours", "stagegate.toml")
    return repository


def marker_line(project):
    lines = (project.root / FILE).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.startswith("<<<<<<<"))


def test_an_unresolved_conflict_is_2_with_its_line(conflict):
    place = f"{FILE}:{marker_line(conflict)}: git left conflict markers"
    content = (conflict.root / FILE).read_bytes()
    outcome = conflict.run()
    assert outcome.code == 2
    assert outcome.state(NAME) == "baseline-broken"
    assert place in outcome.variant(NAME)["reason"]
    for arguments in (["validate"], ["baseline", "status"], ["baseline", "prune"], ["baseline", "accept", "--rule", "skew"]):
        outcome = conflict.stagegate(*arguments)
        assert outcome.code == 2, arguments
        assert place in outcome.output
    assert (conflict.root / FILE).read_bytes() == content, "nothing but a whole accept resolves it"


@pytest.mark.parametrize("side, shuffle, other", [("--ours", TEN_TIMES, TWENTY_SEVEN_TIMES), ("--theirs", TWENTY_SEVEN_TIMES, None)])
def test_either_side_of_a_conflict_is_a_baseline(conflict, side, shuffle, other):
    git(conflict, "checkout", side, FILE)
    git(conflict, "checkout", side, "stagegate.toml")
    assert conflict.stagegate("validate").code == 0
    assert conflict.run().code == 0, shuffle
    git(conflict, "add", "--all")
    git(conflict, "commit", "--quiet", "--message", "merged")
    if other:
        conflict.one_job(other)
        assert conflict.run().code == 1


def test_a_whole_accept_resolves_a_conflict(conflict):
    assert conflict.run().code == 2
    conflict.accept()
    assert conflict.run().code == 0
    git(conflict, "add", "--all")
    git(conflict, "commit", "--quiet", "--message", "merged")
    assert changed(conflict) == []


def test_conflicting_lines_of_one_side_among_merged_ones_are_a_baseline(conflict):
    """What both sides changed is taken from one of them, what one side changed from that side: still a baseline."""
    texts = {}
    for number, name in ((1, "base"), (2, "ours"), (3, "theirs")):
        texts[name] = conflict.write(f".{name}", git(conflict, "show", f":{number}:{FILE}"))
    for side in ("--ours", "--theirs"):
        merged = git(conflict, "merge-file", "-p", side, str(texts["ours"]), str(texts["base"]), str(texts["theirs"]))
        conflict.write(FILE, merged)
        assert conflict.stagegate("validate").code == 0


def test_branches_that_accept_for_different_jobs_merge_by_themselves(repository):
    jobs = "[jobs.revenue]\ncommand = {}\n[jobs.returns]\ncommand = {}\n"
    repository.manifest(jobs.format(fake_job(CALM), fake_job(CALM)))
    repository.run()
    repository.accept()
    commit(repository)
    main = git(repository, "branch", "--show-current").strip()
    git(repository, "checkout", "--quiet", "-b", "feature")
    repository.write("jobs/marker", "feature")
    (repository.baselines / "returns/default.json").unlink()
    commit(repository)
    git(repository, "checkout", "--quiet", main)
    repository.manifest(jobs.format(fake_job(TEN_TIMES), fake_job(CALM)))
    repository.run()
    repository.accept("--job", "revenue")
    commit(repository)
    git(repository, "merge", "--quiet", "feature")
    assert changed(repository) == []
    outcome = repository.stagegate("baseline", "status")
    assert outcome.code == 5
    assert outcome.stdout.splitlines() == [
        "revenue/default: up to date",
        "returns/default: no baseline; the last run left a result to accept",
    ]


def read_only(project, *arguments):
    """Runs stagegate with the repository on a read-only mount, in a name space of its own."""
    folder = project.root
    bind = f'mount --bind "{folder}" "{folder}" && mount -o remount,ro,bind "{folder}" && cd "{folder}"'
    path = {**project.env, "PATH": project.path + ":/usr/sbin:/sbin"}

    def start(script, *words):
        command = ["unshare", "-m", "/bin/sh", "-c", script, *words]
        return subprocess.run(command, cwd=folder, env=path, capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)

    probe = start(bind)
    if probe.returncode != 0:
        pytest.skip(f"no read-only mount can be made here: {probe.stderr.strip()}")
    done = start(f'{bind} && exec "$0" "$@"', binary(), *arguments)
    check_no_crash(done.returncode, done.stderr)
    return done


def test_a_read_only_checkout_can_be_judged_with_reports_elsewhere(repository, tmp_path):
    accept_and_commit(repository, TEN_TIMES)
    done = read_only(repository, "run", "--report-dir", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out/verdict.json").is_file()
    assert changed(repository) == []


@pytest.mark.parametrize("command", ["accept", "prune"])
def test_a_read_only_checkout_keeps_its_baselines(repository, command):
    accept_and_commit(repository, TEN_TIMES)
    before = repository.baseline_files()
    repository.one_job(EVEN)
    repository.run()
    done = read_only(repository, "baseline", command)
    assert done.returncode == 74
    assert FILE in done.stderr and "ead-only" in done.stderr
    assert repository.baseline_files() == before
    assert read_only(repository, "baseline", "status").returncode == 5
