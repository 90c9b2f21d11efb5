"""A project in a git repository of its own, and jobs that are skewed more or less."""

import json
import subprocess

NAME = "revenue/default"
FILE = "baselines/revenue/default.json"

# The same 68 MiB in as many tasks, so that skew alone tells them apart.
EVEN = "join customers=8x8912896"
TEN_TIMES = "join customers=7x4MiB,40MiB"
A_LITTLE_MORE = "join customers=7x4193719,41947000"
TWENTY_SEVEN_TIMES = "join customers=7x2MiB,54MiB"
SIX_TIMES = "join customers=7x5242880,34603008"

# Two shuffles of a job, calm, and both skewed.
CALM_PAIR = ("join customers=8x8912896", "sort returns=8x8912896")
SKEWED_PAIR = ("join customers=7x4MiB,40MiB", "sort returns=7x4MiB,40MiB")


def git(project, *arguments):
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *arguments], cwd=project.root, env=project.env, capture_output=True, text=True, check=True)
    return done.stdout


def commit(project):
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "a step")


def changed(project):
    return git(project, "status", "--porcelain", "--untracked-files=all").splitlines()


def document(project):
    """The accepted baseline of NAME."""
    return json.loads((project.root / FILE).read_text(encoding="utf-8"))
