"""Reads a junit.xml as strictly as the strictest of its consumers, and holds it against what all of them need."""

import math
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import junitparser

SCHEMA = Path(__file__).resolve().parents[1] / "data/junit.xsd"
COUNTED = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def read(path: Path) -> ElementTree.Element:
    root = ElementTree.parse(path).getroot()
    check_schema(path)
    check_counts(root)
    for suite in root:
        check_counts(suite)
        assert suite.tag == "testsuite"
        assert suite.find("testsuite") is None, "suites are flat"
    check_cases(root)
    check_other_parser(path, root)
    return root


def check_schema(path: Path):
    done = subprocess.run(["xmllint", "--noout", "--schema", str(SCHEMA), str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def check_counts(element: ElementTree.Element):
    cases = list(element.iter("testcase"))
    assert int(element.get("tests")) == len(cases)
    for attribute, tag in COUNTED.items():
        assert int(element.get(attribute)) == sum(case.find(tag) is not None for case in cases), (attribute, element.attrib)


def check_cases(root: ElementTree.Element):
    names = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    assert all(classname and name for classname, name in names), names
    assert len(set(names)) == len(names), f"the same case twice: {names}"
    for element in root.iter():
        for value in element.attrib.values():
            assert "\n" not in value and "\x1b" not in value, value
        if "time" in element.attrib:
            time = float(element.get("time"))
            assert math.isfinite(time) and time >= 0
    for case in root.iter("testcase"):
        outcomes = [child for child in case if child.tag in COUNTED.values()]
        assert len(outcomes) <= 1
        for outcome in outcomes:
            assert outcome.get("message"), "a message that stands alone"
            if outcome.tag != "skipped":
                assert outcome.get("type") and (outcome.text or "").strip(), "a type, and the body that GitLab shows"


def check_other_parser(path: Path, root: ElementTree.Element):
    parsed = junitparser.JUnitXml.fromfile(str(path))
    cases = [case for suite in parsed for case in suite]
    assert len(cases) == len(list(root.iter("testcase")))
    kinds = [type(result).__name__.lower() for case in cases for result in case.result]
    for tag in COUNTED.values():
        assert kinds.count(tag) == len(list(root.iter(tag)))
