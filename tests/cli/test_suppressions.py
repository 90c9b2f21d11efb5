"""Suppressions: findings that the manifest takes out, with a reason and perhaps until a day."""

import datetime
import json

import pytest

from project import CALM, fake_job
from work_flow import EVEN, FILE, NAME, TEN_TIMES


def test_a_suppression_that_holds(repository):
    repository.one_job(EVEN)
    repository.run()
    repository.accept()
    suppression = "[[suppress]]\nrule = 'skew'\njob = 'revenue'\nstage = 'join customers*'\nreason = 'guest orders, DATA-123'\n"
    repository.one_job(TEN_TIMES, more=suppression)
    outcome = repository.run()
    assert outcome.code == 0
    finding = outcome.finding(NAME, "skew")
    assert finding["state"] == "suppressed" and finding["suppression"] == "guest orders, DATA-123"
    assert "guest orders, DATA-123" in outcome.stdout
    assert any("guest orders, DATA-123" in case.find("skipped").get("message") for case in outcome.cases(NAME, "skipped"))
    repository.accept()
    assert json.loads((repository.root / FILE).read_text())["findings"] == [], "it stays the manifest's business"


@pytest.mark.parametrize("days, code", [(1, 0), (0, 0), (-1, 1)])
def test_a_suppression_until_a_day(repository, days, code):
    repository.one_job(EVEN)
    repository.run()
    repository.accept()
    day = datetime.datetime.now(datetime.timezone.utc).date() + datetime.timedelta(days=days)
    repository.one_job(TEN_TIMES, more=f"[[suppress]]\nrule = 'skew'\nreason = 'for now'\nuntil = {day}\n")
    outcome = repository.run()
    assert outcome.code == code
    expired = [notice for notice in outcome.verdict["notices"] if "expired" in notice]
    assert bool(expired) == (code == 1)
    if expired:
        assert "stagegate.toml:3:" in expired[0] and str(day) in expired[0]
        assert expired[0] in outcome.stdout


@pytest.mark.parametrize("condition", ["stage = 'write*'", "job = 'returns'", "variant = 'adaptive'", "rule = 'growth'"])
def test_a_suppression_without_effect_is_reported(repository, condition):
    repository.one_job(EVEN)
    repository.run()
    repository.accept()
    rule = "" if condition.startswith("rule") else "rule = 'skew'\n"
    repository.one_job(TEN_TIMES, more=f"[[suppress]]\n{rule}{condition}\nreason = 'x'\n")
    outcome = repository.run()
    assert outcome.code == 1
    [notice] = outcome.verdict["notices"]
    assert "stagegate.toml:3:" in notice and "matches no finding" in notice


def test_a_suppression_is_not_called_useless_where_not_all_was_run(repository):
    repository.manifest(f"""
        [baseline]
        use = false
        [jobs.revenue]
        command = {fake_job(TEN_TIMES)}
        [jobs.returns]
        command = {fake_job(CALM)}
        [[suppress]]
        rule = "skew"
        job = "revenue"
        reason = "x"
    """)
    assert repository.run().verdict["notices"] == []
    assert repository.run("--job", "returns").verdict["notices"] == []
