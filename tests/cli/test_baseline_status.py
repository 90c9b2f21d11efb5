"""`stagegate baseline status`: where the last run's results differ from the baselines."""

import shutil

import pytest

from project import CALM, SKEWED, fake_job
from work_flow import EVEN, FILE, NAME, TEN_TIMES, changed, commit

TWO_JOBS = f"""
    [jobs.revenue]
    command = {fake_job(SKEWED)}
    [jobs.returns]
    command = {fake_job(CALM)}
"""


def status(project, *arguments, **options):
    """The exit code, and the words of each job and variant."""
    outcome = project.stagegate("baseline", "status", *arguments, **options)
    return outcome.code, dict(line.split(": ", 1) for line in outcome.stdout.splitlines())


def test_from_nothing_to_up_to_date(repository):
    assert status(repository) == (5, {NAME: "no baseline, and no result of a run"})
    repository.run()
    assert status(repository) == (5, {NAME: "no baseline; the last run left a result to accept"})
    repository.accept()
    assert status(repository) == (0, {NAME: "up to date"})
    commit(repository)
    assert changed(repository) == []


def test_what_would_change_is_said_in_the_words_of_accept(repository):
    repository.run()
    repository.accept()
    repository.one_job(EVEN)
    repository.run()
    code, lines = status(repository)
    assert code == 5
    assert lines[NAME].startswith("would change: 1 finding removed")
    accepted = repository.accept().stdout.strip()
    assert lines[NAME] == f"would change: {accepted.removeprefix(FILE + ': ')}"
    assert status(repository) == (0, {NAME: "up to date"})


def test_without_a_result_nothing_is_known_to_be_stale(repository):
    repository.run()
    repository.accept()
    shutil.rmtree(repository.report_dir)
    assert status(repository) == (0, {NAME: "no result of a run"})


def test_a_failed_run_leaves_no_result(repository):
    repository.run()
    repository.accept()
    repository.one_job(TEN_TIMES, "--exit", "1")
    repository.run()
    assert status(repository) == (0, {NAME: "no result of a run"})


@pytest.mark.parametrize("content, words", [("{", f"{FILE}:1:2"), ("<<<<<<< HEAD\n", f"{FILE}:1: git left conflict markers")])
def test_a_baseline_that_cannot_be_read(repository, content, words):
    repository.run()
    repository.write(FILE, content)
    code, lines = status(repository)
    assert code == 2
    assert lines[NAME].startswith("baseline cannot be read: ") and words in lines[NAME]


def test_a_result_that_cannot_be_read(repository):
    repository.run()
    repository.accept()
    (repository.report_dir / "pending" / FILE).write_text("{")
    code, lines = status(repository)
    assert code == 2
    assert lines[NAME].startswith("result of the last run cannot be read: ")


def test_a_file_of_a_job_that_is_gone(repository):
    repository.run()
    repository.accept()
    repository.write("baselines/gone/adaptive.json", "anything")
    code, lines = status(repository)
    assert code == 5
    assert lines == {NAME: "up to date", "gone/adaptive": "orphaned: no job variant of the manifest has baselines/gone/adaptive.json"}
    assert status(repository, "--job", "rev*") == (0, {NAME: "up to date"})
    assert list(status(repository, "--job", "gone")[1]) == ["gone/adaptive"]


def test_each_job_has_its_line_and_the_worst_gives_the_code(project):
    project.manifest(TWO_JOBS)
    project.run()
    project.accept("--job", "returns")
    assert status(project) == (5, {NAME: "no baseline; the last run left a result to accept", "returns/default": "up to date"})
    assert status(project, "--job", "returns") == (0, {"returns/default": "up to date"})
    project.write("baselines/returns/default.json", "{")
    assert status(project)[0] == 2
    assert project.stagegate("baseline", "status", "--job", "nobody").code != 0


def test_it_is_of_use_in_ci_and_writes_nothing(repository):
    repository.run()
    before = repository.baseline_files()
    assert status(repository, env={"CI": "true"})[0] == 5
    assert repository.baseline_files() == before


def test_without_baselines_there_is_no_status(repository):
    repository.one_job(TEN_TIMES, more="[baseline]\nuse = false\n")
    outcome = repository.stagegate("baseline", "status")
    assert outcome.code == 2
    assert "use = false" in outcome.stderr
