"""`stagegate compare`: what it says of two runs, how it ends, and which stages it takes for the same."""

import json
import subprocess
from pathlib import Path

import pytest

from event_log import Application, Shuffle, event_log_text
from project import CALM, SKEWED, binary

MIB = 2**20
PAIRS = Path(__file__).resolve().parent.parent / "data" / "pairs"
# A stage that is taken for another one hides what is new in it.
LEAST_PRECISION = 0.99
LEAST_RECALL = 0.97


def log_of(tmp_path, name, *shuffles, **changes):
    path = tmp_path / name
    path.write_text(event_log_text(Application(shuffles=list(shuffles), **changes)), encoding="utf-8")
    return path


def calm(factor=1):
    return Shuffle("join customers", [4 * MIB * factor] * 8)


def skewed():
    return Shuffle("join customers", [4 * MIB] * 7 + [40 * MIB])


def compared(project, before, after, *words):
    outcome = project.stagegate("compare", str(before), str(after), "--format", "json", *words)
    assert outcome.code in (0, 1), outcome.stderr
    return json.loads(outcome.stdout), outcome.code


def changes(document):
    return {(row["before"], row["after"]): row["change"] for row in document["stages"]}


def test_two_runs_of_the_same_job_have_no_difference(project, tmp_path):
    document, code = compared(project, log_of(tmp_path, "a", calm()), log_of(tmp_path, "b", calm()), "--fail-on", "new-finding,growth")
    assert code == 0
    assert document["schema"] == "stagegate.compare/1"
    assert changes(document) == {(0, 0): "same", (1, 1): "same"}
    assert document["coverage_thousandths"] == 1000
    assert document["differences"] == []


def test_new_skew_is_marked_and_can_fail(project, tmp_path):
    before, after = log_of(tmp_path, "a", calm()), log_of(tmp_path, "b", skewed())
    document, code = compared(project, before, after)
    assert code == 0, "without --fail-on it only shows"
    assert changes(document)[1, 1] == "new-finding"
    [row] = [row for row in document["stages"] if row["after"] == 1]
    assert "skew" in row["new_findings"]
    assert row["bytes_after"] - row["bytes_before"] == 36 * MIB
    assert compared(project, before, after, "--fail-on", "new-finding")[1] == 1
    gone, code = compared(project, after, before, "--fail-on", "new-finding,growth")
    assert code == 0
    assert changes(gone)[1, 1] == "finding-gone"


def test_growth_fails_where_it_is_asked_for(project, tmp_path):
    before, after = log_of(tmp_path, "a", calm()), log_of(tmp_path, "b", calm(2))
    assert compared(project, before, after, "--fail-on", "new-finding")[1] == 0
    document, code = compared(project, before, after, "--fail-on", "growth")
    assert code == 1
    assert any("growth" in row["new_findings"] for row in document["stages"])


def test_stages_of_one_side_are_shown_as_such(project, tmp_path):
    more = Shuffle("sum of refunds", [MIB] * 8)
    document, _ = compared(project, log_of(tmp_path, "a", calm()), log_of(tmp_path, "b", calm(), more))
    assert changes(document) == {(0, 0): "same", (1, 1): "same", (None, 2): "not-comparable", (None, 3): "not-comparable"}
    assert document["coverage_thousandths"] < 1000


def test_what_makes_bytes_incomparable_is_named(project, tmp_path):
    before, after = log_of(tmp_path, "a", calm()), log_of(tmp_path, "b", calm(2), spark_version="3.5.9", cores=2)
    document, code = compared(project, before, after, "--fail-on", "growth")
    assert code == 0, "growth is not judged across versions"
    assert [difference.split(":")[0] for difference in document["differences"]] == ["Spark", "cores"]
    text = project.stagegate("compare", str(before), str(after)).stdout
    assert "not the same: Spark: 4.3.0 before, 3.5.9 after" in text
    assert document["left_out"] == ["output"]


def test_across_versions_growth_is_judged(project, tmp_path):
    before, after = log_of(tmp_path, "a", calm()), log_of(tmp_path, "b", calm(2), spark_version="3.5.9")
    document, code = compared(project, before, after, "--fail-on", "growth", "--across-versions")
    assert code == 1
    assert document["differences"] == []
    text = project.stagegate("compare", str(before), str(after), "--across-versions").stdout
    assert "output bytes are left out: versions of Spark do not count them alike" in text


def test_what_is_incomplete_is_shown_and_does_not_pass(project, tmp_path):
    before, after = log_of(tmp_path, "a", calm()), log_of(tmp_path, "b", calm(), ended=False)
    outcome = project.stagegate("compare", str(before), str(after))
    assert outcome.code == 0
    assert "INCOMPLETE" in outcome.stdout and "incomplete" in outcome.stderr
    assert project.stagegate("compare", str(before), str(after), "--fail-on", "new-finding").code == 3


def test_text_and_markdown_have_a_row_a_stage(project, tmp_path):
    before, after = log_of(tmp_path, "a", calm()), log_of(tmp_path, "b", skewed())
    lines = project.stagegate("compare", str(before), str(after), "--explain-match").stdout.splitlines()
    [row] = [line for line in lines if line.startswith("!") and "skew" in line]
    assert "36 MiB" in row and "new skew 10x" in row and "+112 %" in row
    assert any("the same work" in line for line in lines)
    markdown = project.stagegate("compare", str(before), str(after), "--format", "markdown").stdout
    table = [line for line in markdown.splitlines() if line.startswith("|")]
    assert len({line.count(" | ") for line in table[2:]}) == 1
    assert "**new skew**" in markdown


def test_a_baseline_file_is_compared_with_a_run(project):
    project.one_job(CALM)
    assert project.stagegate("run").code == 5
    assert project.stagegate("baseline", "accept").code == 0
    [baseline] = (project.root / "baselines").rglob("*.json")
    [run] = (project.root / "stagegate-out" / "runs").glob("*/*/1")
    document, _ = compared(project, baseline, run)
    assert {row["change"] for row in document["stages"]} == {"same"}
    assert all(match["before"] is None and match["after"] is not None for match in document["matches"])
    project.one_job(SKEWED)
    assert project.stagegate("run").code == 1
    document, code = compared(project, baseline, run, "--fail-on", "new-finding")
    assert code == 1
    assert "new-finding" in {row["change"] for row in document["stages"]}


def test_wrong_use_says_how(project, tmp_path):
    log = str(log_of(tmp_path, "a", calm()))
    for words, said in (
        (["compare"], "BEFORE and AFTER"),
        (["compare", log], "BEFORE and AFTER"),
        (["compare", log, log, "--variants", "a", "b"], "leave the sources out"),
        (["compare", log, log, "--fail-on", "skew"], "growth"),
        (["compare", log, log, "--format", "csv"], "markdown"),
    ):
        outcome = project.stagegate(*words)
        assert outcome.code == 2, words
        assert said in outcome.stderr, outcome.stderr
    assert project.stagegate("compare", log, str(tmp_path / "none")).code == 3


def scored(claims, truth):
    """How many of CLAIMS are right, each stage counting once; stages that nobody can tell apart may be paired in any way."""
    pairs = {tuple(pair) for pair in truth["matches"]}
    sets = [(set(before), set(after)) for before, after in truth.get("ambiguous", [])]
    room = [sum(1 for before, after in pairs if before in left and after in right) for left, right in sets]
    used_before, used_after, right_claims = set(), set(), 0
    for before, after in claims:
        if before in used_before or after in used_after:
            continue
        used_before.add(before)
        used_after.add(after)
        group = next((i for i, (left, right) in enumerate(sets) if before in left and after in right), None)
        if group is not None and room[group] > 0:
            room[group] -= 1
            right_claims += 1
        elif group is None and (before, after) in pairs:
            right_claims += 1
    return right_claims


def test_stages_of_changed_jobs_are_found_again(project):
    claimed = right = true = 0
    for folder in sorted(path.parent for path in PAIRS.glob("*/truth.json")):
        truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
        document, _ = compared(project, folder / "before.zst", folder / "after.zst")
        claims = [(match["before"], match["after"]) for match in document["matches"]]
        ours = scored(claims, truth)
        print(f"{folder.name}: {ours} of {len(claims)} claims are right, of {len(truth['matches'])} true ones")
        claimed, right, true = claimed + len(claims), right + ours, true + len(truth["matches"])
    assert true > 200
    assert right / claimed >= LEAST_PRECISION
    assert right / true >= LEAST_RECALL


def baseline_of(project, log):
    """The baseline that accepting LOG's run makes, and the stage id of each of its labels."""
    project.write("stagegate.toml", '[jobs.revenue]\ncommand = ["true"]\n')
    assert project.stagegate("check", str(log), "--job", "revenue", "--variant", "default").code == 5
    project.accept()
    report = json.loads(project.stagegate("report", str(log), "--format", "json").stdout)
    return project.root / "baselines/revenue/default.json", {stage["label"]: stage["id"] for stage in report["stages"]}


def test_a_baseline_finds_the_stages_as_the_log_itself_does(project):
    claimed = right = true = 0
    for folder in sorted(path.parent for path in PAIRS.glob("*/truth.json")):
        truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
        baseline, ids = baseline_of(project, folder / "before.zst")
        document, _ = compared(project, baseline, folder / "after.zst")
        rows = [row for row in document["stages"] if row["label_before"] and row["after"] is not None]
        claims = [(ids[row["label_before"]], row["after"]) for row in rows]
        ours = scored(claims, truth)
        print(f"{folder.name}: {ours} of {len(claims)} claims are right, of {len(truth['matches'])} true ones")
        claimed, right, true = claimed + len(claims), right + ours, true + len(truth["matches"])
        project.baselines.joinpath("revenue/default.json").unlink()
    assert true > 200
    assert right / claimed >= LEAST_PRECISION
    assert right / true >= LEAST_RECALL


@pytest.mark.parametrize("format_name", ["text", "json", "markdown"])
def test_the_same_comes_out_every_time(project, format_name):
    folder = PAIRS / "s03_broadcast"
    words = ["compare", str(folder / "before.zst"), str(folder / "after.zst"), "--format", format_name]
    assert len({project.stagegate(*words, "--threads", str(n)).stdout for n in (1, 2, 5)}) == 1


def test_a_reader_that_goes_away_is_no_trouble(project):
    folder = PAIRS / "s01_adaptive_off"
    command = f"{binary()} compare {folder / 'before.zst'} {folder / 'after.zst'} | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("before:") and done.returncode == 0
