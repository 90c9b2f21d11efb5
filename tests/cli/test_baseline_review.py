"""`stagegate baseline review`: one question a screen, in a real terminal; what is written by the answers."""

import json
import re
import subprocess
import time

import pytest

from project import check_no_crash, toml, write_program
from reviewing import JOIN, KEYS, MANIFEST, SORT, WRITE, accepted, later, pending, reviewing, suppressions
from work_flow import EVEN, FILE, NAME, SIX_TIMES, SKEWED_PAIR, TEN_TIMES, changed, commit, document, git


def test_all_accepted_is_the_whole_result(skewed):
    with reviewing(skewed) as person:
        screen = person.wait("1 of 3", KEYS)
        assert "New finding" in screen and NAME in screen
        assert "rule   skew: one task reads far more of the shuffle than the others" in screen
        assert f"stage  {JOIN}" in screen
        assert "value  not accepted -> 10x" in screen
        assert "Look which key the large task holds." in screen
        assert f"stage  {SORT}" in person.answer("a", "2 of 3")
        person.answer("a", "3 of 3", "New totals of")
        screen = person.answer("a", WRITE)
        assert "3 accepted" in screen
        assert changed(skewed) == [], "nothing is written before the last question is answered"
        person.type("y")
        screen = person.end(0)
    assert f"{FILE}: 2 findings added or changed" in screen
    assert f"git add -- {FILE}\n" in screen
    assert (skewed.root / FILE).read_bytes() == pending(skewed)
    assert changed(skewed) == [f" M {FILE}"]
    assert skewed.run().code == 0


def test_one_accepted_and_one_rejected(skewed):
    before = document(skewed)
    with reviewing(skewed) as person:
        person.wait("1 of 3", KEYS)
        person.answer("r", "2 of 3", SORT)
        person.answer("a", "3 of 3")
        person.answer("r", WRITE, "1 accepted, 2 rejected")
        person.type("y")
        screen = person.end(0)
    assert f"Rejected, so the baselines stay as they are there:\n  {NAME}: skew at {JOIN}\n" in screen
    assert accepted(skewed) == [("skew", SORT, 10000)]
    assert {**document(skewed), "findings": []} == before, "stages and conditions stay"
    outcome = skewed.run()
    assert outcome.code == 1
    assert {finding["stage"]: finding["state"] for finding in outcome.findings(NAME, "skew")} == {JOIN: "new", SORT: "known"}


def test_the_result_is_that_of_accept_with_rule_and_stage(skewed):
    with reviewing(skewed) as person:
        person.wait("1 of 3", KEYS)
        person.answer("a", "2 of 3")
        person.answer("q", WRITE)
        person.type("y")
        person.end(0)
    reviewed = (skewed.root / FILE).read_bytes()
    git(skewed, "checkout", "--quiet", FILE)
    skewed.accept("--rule", "skew", "--stage", "join*")
    assert (skewed.root / FILE).read_bytes() == reviewed


def test_suppressed_with_a_reason(skewed):
    manifest = (skewed.root / MANIFEST).read_bytes()
    with reviewing(skewed) as person:
        person.wait("1 of 3", KEYS)
        person.answer("s", "Reason")
        person.press("Enter")
        person.wait("A suppression without a reason is not taken.")
        person.type("   \n")
        person.type('guests have no "id": $1, DATA-123 \\ ü\n')
        person.wait("Last day")
        person.type("2027-02-30\n")
        person.wait("This is no day of the calendar")
        person.type(f"{later(-1)}\n")
        person.wait("That day is over.")
        person.type(f"{later(1)}\n")
        person.wait("2 of 3")
        person.answer("s", "Reason")
        person.type("for good\n")
        person.wait("Last day")
        person.press("Enter")
        person.wait("3 of 3")
        person.answer("k", WRITE, "2 suppressed, 1 skipped")
        person.type("y")
        screen = person.end(0)
    assert f"{MANIFEST}: 2 suppressions added" in screen
    assert suppressions(skewed) == [
        {"rule": "skew", "job": "revenue", "variant": "default", "stage": JOIN,
         "reason": 'guests have no "id": $$1, DATA-123 \\ ü', "until": later(1)},
        {"rule": "skew", "job": "revenue", "variant": "default", "stage": SORT, "reason": "for good"},
    ]  # fmt: skip
    assert (skewed.root / MANIFEST).read_bytes().startswith(manifest), "no byte of the rest is touched"
    removed = [line for line in git(skewed, "diff").splitlines() if line.startswith("-") and not line.startswith("---")]
    assert removed == []
    outcome = skewed.run()
    assert outcome.code == 0
    assert {finding["state"] for finding in outcome.findings(NAME, "skew")} == {"suppressed"}
    assert outcome.findings(NAME, "skew")[0]["suppression"] == 'guests have no "id": $1, DATA-123 \\ ü'


@pytest.mark.parametrize("end", ["", "\n\n\n", "\r\n", "\r\n# a last word", "  # a last word"])
def test_however_the_manifest_ends(calm, end):
    manifest = f"[jobs.revenue]\r\ncommand = {toml(['python3', 'jobs/fake_job.py', *SKEWED_PAIR])}" if "\r" in end else None
    manifest = manifest or f"[jobs.revenue]\ncommand = {toml(['python3', 'jobs/fake_job.py', *SKEWED_PAIR])}"
    calm.write(MANIFEST, manifest + end)
    calm.run()
    with reviewing(calm) as person:
        person.wait("1 of 3", KEYS)
        person.answer("s", "Reason")
        person.type("x\n\n")
        person.wait("2 of 3")
        person.answer("q", WRITE)
        person.type("y")
        person.end(0)
    content = (calm.root / MANIFEST).read_bytes().decode("utf-8")
    assert content.startswith(manifest + end)
    assert [entry["reason"] for entry in suppressions(calm)] == ["x"]
    if "\r" in end:
        assert not re.search(r"(?<!\r)\n", content), "one kind of line ends"


def test_a_manifest_that_takes_no_block_is_left_alone(calm):
    calm.write(MANIFEST, f"suppress = []\n[jobs.revenue]\ncommand = {toml(['python3', 'jobs/fake_job.py', *SKEWED_PAIR])}\n")
    calm.run()
    before = (calm.root / MANIFEST).read_bytes()
    with reviewing(calm) as person:
        person.wait("1 of 3", KEYS)
        person.answer("s", "Reason")
        person.type("not to be lost\n\n")
        person.wait("2 of 3")
        person.answer("a", "3 of 3")
        person.answer("q", WRITE)
        person.type("y")
        screen = person.end(2)
    assert "stays as it is" in screen and 'reason = "not to be lost"' in screen
    assert (calm.root / MANIFEST).read_bytes() == before
    assert accepted(calm) == [("skew", SORT, 10000)], "one file does not keep the other from being written"


def test_back_and_another_answer(skewed):
    with reviewing(skewed) as person:
        person.wait("1 of 3", KEYS)
        person.answer("b", "This is the first one.")
        person.answer("a", "2 of 3")
        assert "Your answer so far: accepted" in person.answer("b", "1 of 3")
        person.answer("s", "Reason")
        person.type("b\n")
        person.wait("Your answer so far: accepted", KEYS)
        person.answer("n", "2 of 3")
        assert "Your answer so far: skipped" in person.answer("b", "1 of 3")
        person.answer("k", "2 of 3")
        person.answer("a", "3 of 3")
        person.answer("r", WRITE)
        person.answer("b", "3 of 3", "Your answer so far: rejected")
        person.answer("r", WRITE)
        person.type("y")
        screen = person.end(0)
    assert f"Skipped, to be asked again:\n  {NAME}: skew at {JOIN}\n" in screen
    assert accepted(skewed) == [("skew", SORT, 10000)]


def test_help_and_keys_that_are_none(skewed):
    with reviewing(skewed) as person:
        person.wait("1 of 3", KEYS)
        screen = person.answer("?", "Any key goes back.")
        for words in ("accept:", "reject:", "suppress:", "skip:", "back to", "quit:"):
            assert words in screen
        person.answer("?", "1 of 3", KEYS)
        person.answer("x", "'x' is none of the keys")
        for key in ("Up", "Down", "Left", "F5", "Home", "M-a", "Escape"):
            person.press(key)
            time.sleep(0.1)
        person.type("ä")
        time.sleep(0.1)
        assert "1 of 3" in person.screen(), "an arrow is no answer"
        person.answer("q", "No file was changed.")
        person.end(0)
    assert changed(skewed) == []


def test_a_worse_one_and_one_that_is_gone(repository):
    repository.one_job("join customers=7x4MiB,40MiB", "sort returns=7x4MiB,40MiB")
    repository.run()
    repository.accept()
    commit(repository)
    repository.one_job("join customers=7x2MiB,54MiB", "sort returns=8x8912896")
    repository.run()
    with reviewing(repository) as person:
        screen = person.wait("1 of 3", KEYS)
        assert "Worse than accepted" in screen and "value  10x -> 27x (tolerance 10 %)" in screen
        screen = person.answer("a", "2 of 3")
        assert "Gone" in screen and "value  10x -> gone" in screen and "s suppress" not in screen
        person.answer("s", "Only a finding that is new or worse can be suppressed.")
        person.answer("a", "3 of 3")
        person.answer("r", WRITE)
        person.type("y")
        person.end(0)
    assert accepted(repository) == [("skew", JOIN, 27000)]


def test_what_is_gone_may_be_kept_and_what_got_better_locked_in(repository):
    repository.one_job(*SKEWED_PAIR)
    repository.run()
    repository.accept()
    repository.one_job("join customers=7x5242880,34603008", "sort returns=8x8912896")
    repository.run()
    with reviewing(repository) as person:
        screen = person.wait("1 of 3", KEYS)
        assert "Better than accepted" in screen and "value  10x -> 6.6x" in screen
        person.answer("a", "2 of 3", "Gone")
        person.answer("r", "3 of 3")
        person.answer("a", WRITE)
        person.type("y")
        person.end(0)
    assert accepted(repository) == [("skew", JOIN, 6600), ("skew", SORT, 10000)]
    assert document(repository)["stages"] == json.loads(pending(repository))["stages"]


def test_growth_is_one_question_of_the_totals(calm):
    calm.one_job("join customers=8x8912896", "sort returns=8x17825792")
    outcome = calm.run()
    assert outcome.code == 1 and outcome.findings(NAME, "growth")
    with reviewing(calm) as person:
        screen = person.wait("1 of 1", KEYS)
        assert "New totals of 2 stages" in screen
        assert "shuffle_read: 68 MiB -> 136 MiB (+100 %)" in screen
        person.answer("a", WRITE)
        person.type("y")
        person.end(0)
    assert (calm.root / FILE).read_bytes() == pending(calm)
    assert calm.run().code == 0


def test_without_a_baseline_what_was_accepted_makes_one(repository):
    repository.one_job(*SKEWED_PAIR)
    assert repository.run().code == 5
    whole = json.loads(pending(repository))
    with reviewing(repository) as person:
        person.wait("1 of 3", KEYS)
        person.answer("r", "2 of 3")
        screen = person.answer("a", WRITE, "1 accepted, 1 rejected")
        assert "new: 4 stages kept, 1 finding accepted" in screen
        person.answer("b", "2 of 3")
        person.answer("a", WRITE)
        person.type("y")
        person.end(0)
    assert accepted(repository) == [("skew", SORT, 10000)]
    assert {**document(repository), "findings": []} == {**whole, "findings": []}
    assert repository.run().code == 1


def test_without_a_baseline_one_can_be_made_of_the_stages_alone(repository):
    repository.run()
    with reviewing(repository) as person:
        person.wait("1 of 2", KEYS)
        person.answer("s", "Reason")
        person.type("known for long\n\n")
        person.wait("2 of 2", "No baseline yet")
        person.answer("a", WRITE)
        person.type("y")
        person.end(0)
    assert accepted(repository) == []
    assert repository.run().code == 0
    assert json.loads(pending(repository)) == document(repository)


@pytest.mark.parametrize("answer", ["a", "r", "k"])
@pytest.mark.parametrize("what", ["conditions", "broken"])
def test_a_baseline_that_cannot_be_compared_is_one_question(repository, what, answer):
    repository.run()
    repository.accept()
    if what == "broken":
        repository.write(FILE, "<<<<<<< HEAD\n")
    else:
        repository.one_job(TEN_TIMES, "--cores", "8")
        repository.run()
    before = (repository.root / FILE).read_bytes()
    with reviewing(repository) as person:
        screen = person.wait("1 of 1", "Not comparable", KEYS)
        assert ("cores: 4 in the baseline, 8 now" if what == "conditions" else f"{FILE}:1") in screen
        if answer == "a":
            person.answer("a", WRITE)
            person.type("y")
        else:
            person.type(answer)
        person.end(0)
    assert (repository.root / FILE).read_bytes() == (pending(repository) if answer == "a" else before)


def test_jobs_are_chosen_and_each_file_is_written(repository):
    repository.fake_jobs(revenue=TEN_TIMES, returns=SIX_TIMES, orders=EVEN)
    repository.run()
    with reviewing(repository, "--job", "re*") as person:
        person.wait("1 of 4", "revenue/default", KEYS)
        person.answer("a", "3 of 4", "returns/default")
        person.answer("a", WRITE)
        person.type("y")
        person.end(0)
    assert set(repository.baseline_files()) == {"revenue/default.json", "returns/default.json"}
    repository.run("--job", "orders")
    outcome = repository.run("--job", "re*")
    assert outcome.code == 0


def test_nothing_to_review(calm):
    with reviewing(calm) as person:
        assert "nothing to review: the baselines have all that the last run found" in person.end(4)


def test_no_result_to_review(repository):
    with reviewing(repository) as person:
        assert "start one with 'stagegate run'" in person.end(4)


def read_only_words(project):
    """What starts a command with the repository on a read-only mount, in a name space of its own; skips where that cannot be."""
    script = project.root.parent / "read-only"
    folder = project.root
    write_program(
        script,
        f'#!/bin/sh\nPATH=$PATH:/usr/sbin:/sbin\nexec unshare -m /bin/sh -c \'mount --bind "{folder}" "{folder}" && '
        f'mount -o remount,ro,bind "{folder}" && cd "{folder}" && exec "$0" "$@"\' "$@"\n',
    )
    probe = subprocess.run([str(script), "true"], capture_output=True, text=True, check=False)
    if probe.returncode != 0:
        pytest.skip(f"no read-only mount can be made here: {probe.stderr.strip()}")
    return str(script)


def test_a_read_only_checkout_keeps_its_files_and_says_what_is_lost(skewed):
    words = read_only_words(skewed)
    with reviewing(skewed, before=words) as person:
        person.wait("1 of 3", KEYS)
        person.answer("a", "2 of 3")
        person.answer("s", "Reason")
        person.type("not to be lost\n\n")
        person.wait("3 of 3")
        person.answer("q", WRITE)
        person.type("y")
        screen = person.end(74)
    assert "ead-only" in screen
    assert 'reason = "not to be lost"' in screen
    assert f"Accepted, and not written:\n  {NAME}: skew at {JOIN}\n" in screen
    assert "git commit" not in screen
    assert changed(skewed) == []


def test_a_baseline_that_changed_meanwhile_is_left_alone(skewed):
    with reviewing(skewed) as person:
        person.wait("1 of 3", KEYS)
        person.answer("a", "2 of 3")
        person.answer("q", WRITE)
        skewed.accept()
        person.type("y")
        screen = person.end(5)
    assert f"{FILE}: changed while it was reviewed" in screen
    assert (skewed.root / FILE).read_bytes() == pending(skewed)


def test_a_result_that_cannot_be_read(skewed):
    (skewed.report_dir / "pending" / FILE).write_text("{")
    with reviewing(skewed) as person:
        assert f"pending/{FILE}:1" in person.end(2)


def test_a_second_review_asks_what_is_left(skewed):
    with reviewing(skewed) as person:
        person.wait("1 of 3", KEYS)
        person.answer("s", "Reason")
        person.type("known\n\n")
        person.wait("2 of 3")
        person.answer("a", "3 of 3")
        person.answer("q", WRITE)
        person.type("y")
        person.end(0)
    with reviewing(skewed) as person:
        assert "New totals" in person.wait("1 of 1", KEYS), "neither what is suppressed nor what is accepted"
        person.type("r")
        person.end(0)
    assert skewed.run().code == 0


def test_the_help(project):
    outcome = project.stagegate("baseline", "review", "--help")
    assert outcome.code == 0
    assert "s suppress with a reason" in outcome.stdout and "--variant" in outcome.stdout
    check_no_crash(outcome.code, outcome.stderr)


