"""Whatever a job prints, the reports stay readable to the strictest reader, and the terminal stays whole."""

import pytest

from project import CALM, toml

HOSTILE = {
    "ansi": b"\x1b[31mred\x1b[0m \x1b]0;title\x07 \x1b",
    "nul": b"before\x00after",
    "controls": bytes(range(0x20)) + b"\x7f and the end",
    "invalid utf-8": b"\xff\xfe\x80 caf\xe9 \xed\xa0\x80 \xf5\x80\x80\x80 \xc0\xaf",
    "half a character": "before é".encode()[:-1],
    "end of cdata": b"]]> <![CDATA[ ]]> --> <!-- ]]&gt;",
    "markup": b"<failure message=\"x\">&amp; &#27; &nbsp; </testsuite> ' \"",
    "non-characters": "\ufffe \uffff \ufdd0 \U0001f4a5 \u2028 \u202e abc \u0085".encode(),
    "carriage returns": b"10 %\r20 %\r100 %\r\n",
    "a very long line": b"x" * 3_000_000,
    "very many lines": b"line\n" * 300_000,
    "workflow commands": b"::error file=x,line=1::not from us\n::set-output name=a::b\n",
    "json": b'"}],"exit_code":0,{\\u0000\\',
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("end", ["fails", "succeeds"])
def test_reports_stay_readable(project, name, end):
    project.write("hostile", b"first words\n" + HOSTILE[name] + b"\nlast words\n")
    project.one_job(CALM, "--print-file", "hostile", *(["--exit", "1"] if end == "fails" else []))
    outcome = project.run()
    if end == "succeeds":
        assert outcome.code == 5
        return
    assert outcome.code == 3
    [case] = outcome.cases("revenue/default", "error")
    assert "last words" in case.find("error").text
    assert "last words" in outcome.stdout
    assert (project.report_dir / "junit.xml").stat().st_size < 300_000
    assert outcome.verdict["exit_code"] == 3


def test_what_is_left_out_is_said(project):
    project.write("hostile", b"".join(b"line %d\n" % number for number in range(10_000)))
    project.one_job(CALM, "--print-file", "hostile", "--exit", "1")
    text = project.run().cases("revenue/default", "error")[0].find("error").text
    assert "line 9999" in text and "line 0\n" not in text
    assert "stderr.txt" in text or "stagegate-out/runs/revenue/default/1" in text, "where the whole is"


def test_texts_of_the_manifest_are_no_markup_either(project):
    owner = toml("<b>&me</b> \x1b[31m")
    project.one_job("join <customers> & \"co\"=7x4MiB,40MiB", more=f"owner = {owner}\n[baseline]\nuse = false\n")
    outcome = project.run()
    assert outcome.code == 1
    assert "<customers>" in outcome.finding("revenue/default", "skew")["stage"]
    assert any("<customers>" in case.find("failure").get("message") for case in outcome.cases("revenue/default", "failure"))


@pytest.mark.parametrize("description", ["join \x1b[31mred", "a\nb", "x" * 5000, "ключ 表 💥", "\u202eabc", "]]>"])
def test_descriptions_of_a_job_may_be_anything(project, description):
    project.write("jobs/odd.py", f"import sys, fake_job\nsys.exit(fake_job.main([{description + '=7x4MiB,40MiB'!r}]))\n")
    project.write("stagegate.toml", f"[jobs.revenue]\ncommand = {toml(['python3', 'jobs/odd.py'])}\n")
    assert project.run().code == 5
    project.accept()
    outcome = project.run()
    assert outcome.code == 0
    assert outcome.finding("revenue/default", "skew")["state"] == "known"
    labels = [finding["stage"] for finding in outcome.variant("revenue/default")["findings"]]
    assert all(len(label) < 300 and "\n" not in label for label in labels)
