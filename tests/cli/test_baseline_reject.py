"""`stagegate baseline reject`: the last run's results are dropped before somebody accepts them."""

import pytest

from work_flow import FILE, TEN_TIMES, TWENTY_SEVEN_TIMES, changed, commit

PENDING = f"stagegate-out/pending/{FILE}"


def reject(project, *arguments, code=0, **options):
    outcome = project.stagegate("baseline", "reject", *arguments, **options)
    assert outcome.code == code, outcome.output
    return outcome


def test_what_was_rejected_is_not_accepted_later(repository):
    repository.run()
    repository.accept()
    commit(repository)
    repository.one_job(TWENTY_SEVEN_TIMES)
    commit(repository)
    repository.run()
    outcome = reject(repository)
    assert outcome.stdout.startswith(f"{PENDING}: dropped (1 finding added or changed")
    assert repository.stagegate("baseline", "accept").code == 4
    assert changed(repository) == []
    assert repository.run().code == 1, "the next run leaves its own"
    repository.accept()


def test_of_a_first_run(repository):
    repository.run()
    assert "dropped (new: " in reject(repository).stdout
    assert not (repository.root / PENDING).exists()


def test_an_unchanged_result(repository):
    repository.run()
    repository.accept()
    assert "the same as the baseline" in reject(repository).stdout


@pytest.mark.parametrize("broken, words", [(PENDING, "it could not be read"), (FILE, "a baseline that cannot be read")])
def test_files_that_cannot_be_read(repository, broken, words):
    repository.run()
    repository.accept()
    repository.write(broken, "{")
    assert words in reject(repository).stdout
    assert not (repository.root / PENDING).exists()


def test_nothing_to_reject(repository):
    assert "nothing to reject" in reject(repository, code=4).stderr
    repository.run()
    reject(repository)
    reject(repository, code=4)


def test_only_what_is_selected(project):
    project.fake_jobs(revenue=TEN_TIMES, returns=TEN_TIMES)
    project.run()
    reject(project, "--job", "ret*")
    project.accept()
    assert list(project.baseline_files()) == ["revenue/default.json"]


def test_in_ci_too_since_it_is_not_about_the_baseline_folder(repository):
    repository.run()
    reject(repository, env={"CI": "true"})
