"""`stagegate baseline accept --rule --stage`: some findings are taken over, the rest of the baseline stays."""

from work_flow import EVEN, FILE, NAME, SKEWED_PAIR, TEN_TIMES, changed, document

SKEW_AND_SHREDS = ("join customers=7x4MiB,40MiB", "sort returns=40x1kB")


def test_one_stage_of_two(calm):
    before = document(calm)
    calm.one_job(*SKEWED_PAIR)
    outcome = calm.run()
    assert {finding["state"] for finding in outcome.findings(NAME, "skew")} == {"new"}
    accepted = calm.accept("--stage", "sort returns*")
    assert accepted.stdout == f"{FILE}: 1 finding added or changed\n"
    after = document(calm)
    assert [finding["stage"].startswith("sort returns") for finding in after["findings"]] == [True]
    assert {**after, "findings": []} == before, "stages and conditions stay"
    outcome = calm.run()
    assert outcome.code == 1
    states = {finding["stage"].startswith("sort returns"): finding["state"] for finding in outcome.findings(NAME, "skew")}
    assert states == {True: "known", False: "new"}


def test_one_rule_of_two(calm):
    calm.one_job(*SKEW_AND_SHREDS)
    outcome = calm.run()
    assert outcome.findings(NAME, "skew") and outcome.findings(NAME, "small-tasks")
    calm.accept("--rule", "small*")
    assert {finding["rule"] for finding in document(calm)["findings"]} == {"small-tasks"}
    calm.accept("--rule", "skew", "--rule", "spill")
    assert {finding["rule"] for finding in document(calm)["findings"]} == {"skew", "small-tasks"}
    before = calm.baseline_files()
    assert "unchanged" in calm.accept("--rule", "*").stdout
    assert calm.baseline_files() == before


def test_a_choice_that_nothing_fits_changes_nothing(calm):
    calm.one_job(*SKEWED_PAIR)
    calm.run()
    assert "no finding of the last run fits" in calm.accept("--rule", "skew", "--stage", "nowhere").stdout
    assert FILE not in "".join(changed(calm))


def test_a_rule_that_is_none_is_a_mistake(calm):
    outcome = calm.stagegate("baseline", "accept", "--rule", "skwe")
    assert outcome.code == 2
    assert "did you mean 'skew'" in outcome.stderr


def test_what_is_gone_stays_accepted(repository):
    repository.run()
    repository.accept()
    before = repository.baseline_files()
    repository.one_job(EVEN)
    repository.run()
    repository.accept("--rule", "skew")
    assert repository.baseline_files() == before


def test_without_a_baseline_all_must_be_accepted_first(repository):
    repository.run()
    outcome = repository.stagegate("baseline", "accept", "--rule", "skew")
    assert outcome.code == 5
    assert "accept all first" in outcome.stderr and "--job revenue --variant default" in outcome.stderr
    assert repository.baseline_files() == {}


def test_under_other_conditions_values_cannot_stand_side_by_side(repository):
    repository.run()
    repository.accept()
    before = repository.baseline_files()
    repository.one_job(TEN_TIMES, "--cores", "8")
    repository.run()
    outcome = repository.stagegate("baseline", "accept", "--rule", "skew")
    assert outcome.code == 5
    assert "cores: 4 in the baseline, 8 now" in outcome.stderr
    assert repository.baseline_files() == before


def test_a_broken_baseline_has_nothing_to_leave_as_it_is(repository):
    repository.run()
    repository.write(FILE, "<<<<<<< HEAD\n")
    outcome = repository.stagegate("baseline", "accept", "--rule", "skew")
    assert outcome.code == 2
    assert f"{FILE}:1" in outcome.stderr
    assert (repository.root / FILE).read_text() == "<<<<<<< HEAD\n"
