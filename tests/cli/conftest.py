"""Tests of the binary that $STAGEGATE names, from outside: what it is given, what it prints, writes and returns."""

import contextlib
import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from project import Project  # noqa: E402
from web_server import WebServer  # noqa: E402
from work_flow import CALM_PAIR, SKEWED_PAIR, TEN_TIMES, commit, document, git  # noqa: E402


def pytest_configure(config):
    config.addinivalue_line("markers", "spark: starts a real Spark; about ten seconds each")
    path = os.environ.get("STAGEGATE", "")
    if not os.access(path, os.X_OK):
        raise pytest.UsageError(f"STAGEGATE must name the binary to test, and is '{path}'")
    os.environ["STAGEGATE"] = os.path.abspath(path)


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path / "project")


@pytest.fixture
def serve():
    """Starts a web server of a site, and stops it with the test."""
    with contextlib.ExitStack() as servers:
        yield lambda site, **options: servers.enter_context(WebServer(site, **options))


@pytest.fixture
def repository(project):
    """A real one, with the manifest and the job committed."""
    (project.root / ".git").rmdir()
    git(project, "init", "--quiet")
    project.write(".gitignore", "/stagegate-out/\n/.stdout-*\n/.stderr-*\n")
    project.one_job(TEN_TIMES)
    commit(project)
    return project


@pytest.fixture
def calm(repository):
    """Two shuffles of a job, accepted without findings and committed."""
    repository.one_job(*CALM_PAIR)
    repository.run()
    repository.accept()
    commit(repository)
    assert document(repository)["findings"] == []
    return repository


@pytest.fixture
def skewed(calm):
    """Both are skewed now: two findings, and totals of records that moved by less than a thousandth."""
    calm.one_job(*SKEWED_PAIR)
    commit(calm)
    assert calm.run().code == 1
    return calm
