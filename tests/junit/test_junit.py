"""Reads junit.xml files with parsers that are not the one that wrote them.

By default these are the expected files of the unit tests (tests/data/report/junit_*.xml, which the unit tests hold against what the
code writes). STAGEGATE_JUNIT_FILES adds more, such as those of real runs: paths or globs, separated by ':'.
"""

import glob
import math
import os
import pathlib
import subprocess
import xml.etree.ElementTree as ElementTree

import junitparser
import pytest

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
MAX_TEXT = 64 * 1024


def junit_files():
    patterns = [str(DATA / "report" / "junit_*.xml")]
    patterns += [pattern for pattern in os.environ.get("STAGEGATE_JUNIT_FILES", "").split(":") if pattern]
    return {pattern: sorted(glob.glob(pattern)) for pattern in patterns}


FILES = [file for found in junit_files().values() for file in found]


@pytest.fixture(params=FILES, ids=lambda file: pathlib.Path(file).name)
def file(request):
    return request.param


@pytest.fixture
def root(file):
    return ElementTree.parse(file).getroot()


@pytest.mark.parametrize("pattern", junit_files())
def test_every_pattern_finds_a_file(pattern):
    assert junit_files()[pattern]


def test_satisfies_the_schema(file):
    done = subprocess.run(
        ["xmllint", "--noout", "--schema", str(DATA / "junit.xsd"), file], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_counts_are_those_of_the_elements(root):
    kinds = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    for scope in [root, *root.iter("testsuite")]:
        assert int(scope.get("tests")) == len(list(scope.iter("testcase")))
        for attribute, element in kinds.items():
            assert int(scope.get(attribute)) == len(list(scope.iter(element))), (scope.get("name"), attribute)


def test_times_add_up(root):
    def seconds(element):
        value = float(element.get("time"))
        assert math.isfinite(value) and value >= 0
        return value

    for suite in root.iter("testsuite"):
        assert seconds(suite) == pytest.approx(sum(map(seconds, suite.iter("testcase"))))
    assert seconds(root) == pytest.approx(sum(map(seconds, root.iter("testsuite"))))


def test_junitparser_counts_the_same(file, root):
    report = junitparser.JUnitXml.fromfile(file)
    written = {suite.get("name"): suite for suite in root.iter("testsuite")}
    for suite in report:
        before = (suite.tests, suite.failures, suite.errors, suite.skipped)
        suite.update_statistics()
        assert (suite.tests, suite.failures, suite.errors, suite.skipped) == before
        assert suite.name in written
    assert sum(suite.tests for suite in report) == int(root.get("tests"))


def test_each_case_ends_in_one_way_with_a_message_and_a_body(file):
    for suite in junitparser.JUnitXml.fromfile(file):
        for case in suite:
            assert len(case.result) <= 1, case.name
            for result in case.result:
                assert result.message and "\n" not in result.message
                assert result.text and result.text.strip()
                assert len(result.text.encode()) <= MAX_TEXT
                if not isinstance(result, junitparser.Skipped):
                    assert result.type


def test_cases_belong_to_their_suite_and_begin_with_run(root):
    for suite in root.iter("testsuite"):
        cases = suite.findall("testcase")
        assert cases[0].get("name") == "run"
        assert {case.get("classname") for case in cases} == {suite.get("name")}
        assert (suite.get("name") == "stagegate") != ("/" in suite.get("name"))


def test_holds_nothing_that_a_terminal_or_a_strict_parser_minds(file):
    text = pathlib.Path(file).read_bytes().decode("utf-8")
    allowed = {"\n", "\t"}
    assert not [c for c in text if (ord(c) < 0x20 and c not in allowed) or 0x7F <= ord(c) <= 0x9F or ord(c) in (0xFFFE, 0xFFFF)]
    assert "&#" not in text.replace("&amp;#", "")


def test_hostile_text_arrives_in_readable_form():
    root = ElementTree.parse(DATA / "report" / "junit_hostile.xml").getroot()
    error = root.find("testsuite[@name='stagegate']/testcase/error")
    bad = "\N{REPLACEMENT CHARACTER}" * 3
    expected = (
        f"esc red lone #x1B nul #x0 bell #x7 vt #xB csi #x9B low {bad} bad {bad} "
        'end ]]> &#27; <b a="1"> #xFFFE ok \N{ELECTRIC LIGHT BULB}'
    )
    assert error.text == expected
    assert error.get("message") == expected


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ('time="0.000"', 'time="NaN"'),
        ('time="0.000"', 'time="0,000"'),
        ('T17:45:13"', 'T17:45:13Z"'),
        (' classname="revenue/adaptive-off"', ""),
        ('name="small-tasks"', 'name="skew"'),
        ('type="skew" message', "message"),
        ('line="12"', 'line="0"'),
        ('skipped="4"', ""),
    ],
)
def test_the_schema_refuses_what_readers_trip_over(good, bad, tmp_path):
    text = (DATA / "report" / "junit_mixed.xml").read_text(encoding="utf-8")
    assert good in text
    broken = tmp_path / "junit.xml"
    broken.write_text(text.replace(good, bad), encoding="utf-8")
    done = subprocess.run(
        ["xmllint", "--noout", "--schema", str(DATA / "junit.xsd"), str(broken)], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
