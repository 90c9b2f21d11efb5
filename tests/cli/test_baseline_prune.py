"""`stagegate baseline prune`: what is gone is taken out of the baseline, what got better is lowered, and nothing else changes."""

import json

import pytest

from project import CALM, fake_job
from work_flow import A_LITTLE_MORE, EVEN, FILE, NAME, SIX_TIMES, TEN_TIMES, TWENTY_SEVEN_TIMES, changed, commit, git


def document(project):
    return json.loads((project.root / FILE).read_text())


def prune(project, *arguments, code=0, **options):
    outcome = project.stagegate("baseline", "prune", *arguments, **options)
    assert outcome.code == code, outcome.output
    return outcome


@pytest.fixture
def accepted(repository):
    """The finding `skew` is accepted at ten times the median, and committed."""
    repository.run()
    repository.accept()
    commit(repository)
    return repository


def test_a_finding_that_is_gone_is_new_when_it_comes_back(accepted):
    before = document(accepted)
    accepted.one_job(EVEN)
    assert accepted.run().code == 0
    outcome = prune(accepted)
    assert outcome.stdout == f"{FILE}: skew at {before['findings'][0]['stage']}: removed, it is gone (accepted 10x)\n"
    assert document(accepted) == {**before, "findings": []}, "stages and conditions are as they were"
    accepted.one_job(TEN_TIMES)
    outcome = accepted.run()
    assert outcome.code == 1
    assert outcome.finding(NAME, "skew")["state"] == "new"


def test_a_value_that_got_better_is_what_holds_from_now_on(accepted):
    before = document(accepted)
    accepted.one_job(SIX_TIMES)
    accepted.run()
    outcome = prune(accepted)
    assert "lowered from 10x to 6.6x" in outcome.stdout
    [old], [new] = before["findings"], document(accepted)["findings"]
    assert new == {**old, "value_thousandths": 6600}
    diff = git(accepted, "diff", "--numstat", FILE)
    assert diff.split()[:2] == ["1", "1"], "one line for a reviewer to read"
    accepted.one_job(TEN_TIMES)
    outcome = accepted.run()
    assert outcome.code == 1
    assert outcome.finding(NAME, "skew")["state"] == "worse"


@pytest.mark.parametrize("worse", [A_LITTLE_MORE, TWENTY_SEVEN_TIMES, TEN_TIMES])
def test_nothing_is_raised(accepted, worse):
    accepted.one_job(worse)
    accepted.run()
    assert prune(accepted).stdout == f"{FILE}: nothing to prune\n"
    assert FILE not in "".join(changed(accepted))


def test_nothing_is_added(accepted):
    before = document(accepted)
    accepted.one_job(EVEN, "sort returns=7x4MiB,40MiB")
    accepted.run()
    prune(accepted)
    assert document(accepted) == {**before, "findings": []}


def test_twice_is_once(accepted):
    accepted.one_job(SIX_TIMES)
    accepted.run()
    prune(accepted)
    once = accepted.baseline_files()
    assert "nothing to prune" in prune(accepted).stdout
    assert accepted.baseline_files() == once


def test_a_suppressed_finding_is_not_gone(accepted):
    before = accepted.baseline_files()
    accepted.one_job(TEN_TIMES, more="[[suppress]]\nrule = 'skew'\nreason = 'known upstream'\n")
    assert accepted.run().code == 0
    assert "kept" in prune(accepted).stdout
    assert accepted.baseline_files() == before


def test_other_conditions_say_nothing_of_what_is_gone(accepted):
    before = accepted.baseline_files()
    accepted.one_job(EVEN, "--cores", "8")
    accepted.run()
    outcome = prune(accepted, code=5)
    assert "cores: 4 in the baseline, 8 now" in outcome.stderr
    assert accepted.baseline_files() == before


def test_in_ci_nothing_is_written(accepted):
    accepted.one_job(EVEN)
    accepted.run()
    before = accepted.baseline_files()
    outcome = prune(accepted, "--orphans", code=2, env={"CI": "true"})
    assert "in CI no baseline is written" in outcome.stderr
    assert accepted.baseline_files() == before


def test_without_a_run_or_a_baseline_there_is_nothing_to_prune(repository):
    assert "stagegate run" in prune(repository, code=4).stderr
    repository.run()
    assert "no baseline" in prune(repository, code=4).stderr
    assert repository.baseline_files() == {}


def test_a_broken_baseline_does_not_keep_the_others_from_being_pruned(project):
    project.fake_jobs(revenue=TEN_TIMES, returns=TEN_TIMES)
    project.run()
    project.accept()
    project.write("baselines/returns/default.json", "{")
    project.fake_jobs(revenue=EVEN, returns=CALM)
    project.run()
    outcome = prune(project, code=2)
    assert "baselines/returns/default.json:1:2" in outcome.stderr
    assert document(project)["findings"] == []
    assert project.baseline_files()["returns/default.json"] == b"{"


def test_only_what_is_selected(project):
    jobs = "[jobs.revenue]\ncommand = {0}\n[jobs.returns]\ncommand = {0}\n"
    project.manifest(jobs.format(fake_job(TEN_TIMES)))
    project.run()
    project.accept()
    before = project.baseline_files()
    project.manifest(jobs.format(fake_job(EVEN)))
    project.run()
    prune(project, "--job", "ret*")
    after = project.baseline_files()
    assert after["revenue/default.json"] == before["revenue/default.json"]
    assert json.loads(after["returns/default.json"])["findings"] == []


def test_orphans_go_only_where_it_was_asked_for(accepted):
    orphan = accepted.baselines / "gone/default.json"
    accepted.write("baselines/gone/default.json", (accepted.root / FILE).read_text().replace('"job": "revenue"', '"job": "gone"'))
    accepted.run()
    outcome = prune(accepted)
    assert "baselines/gone/default.json" in outcome.stderr and "--orphans" in outcome.stderr
    assert orphan.is_file()
    prune(accepted, "--orphans", "--job", "revenue")
    assert orphan.is_file(), "another job was selected"
    outcome = prune(accepted, "--orphans", "--job", "gone")
    assert outcome.stdout == "baselines/gone/default.json: removed, no job variant of the manifest has it\n"
    assert not orphan.parent.exists()
    assert changed(accepted) == []


def test_an_orphan_that_is_no_baseline_is_somebodys_file(accepted):
    accepted.write("baselines/gone/notes.json", '{"mine": true}')
    outcome = prune(accepted, "--orphans", code=2)
    assert "not removed: baselines/gone/notes.json" in outcome.stderr
    assert (accepted.baselines / "gone/notes.json").is_file()
