"""How a review ends before its end, and the terminals that it runs in or refuses to."""

import os
import signal
import subprocess
import time

import pytest

from project import toml
from reviewing import KEYS, WRITE, pending, reviewing, suppressions
from terminal import terminal
from work_flow import FILE, changed


def test_quit_half_way_and_drop(skewed):
    with reviewing(skewed) as person:
        person.wait("1 of 3", KEYS)
        person.answer("a", "2 of 3")
        person.answer("q", WRITE, "1 accepted, 2 not answered")
        person.answer("b", "2 of 3")
        person.answer("q", WRITE)
        person.type("n")
        screen = person.end(0)
    assert "Nothing was written; the answers are dropped: 1 accepted, 2 not answered." in screen
    assert changed(skewed) == []


@pytest.mark.parametrize("moment", ["question", "reason", "end"])
@pytest.mark.parametrize("key, code, words", [("C-c", 130, "Interrupted"), ("C-d", 130, "The input ended")])
def test_interrupted(skewed, moment, key, code, words):
    with reviewing(skewed) as person:
        person.wait("1 of 3", KEYS)
        person.answer("a", "2 of 3")
        if moment == "reason":
            person.answer("s", "Reason")
        elif moment == "end":
            person.answer("q", WRITE)
        person.press(key)
        screen = person.end(code)
    assert f"{words}: nothing was written, and the answers are lost: 1 accepted, 2 not answered." in screen
    assert changed(skewed) == []


def process_of(project):
    """Of the stagegate in the terminal."""
    found = subprocess.run(["pgrep", "-f", f"^{os.environ['STAGEGATE']} baseline review"], capture_output=True, text=True, check=False)
    [pid] = [int(pid) for pid in found.stdout.split() if os.readlink(f"/proc/{pid}/cwd") == str(project.root)]
    return pid


@pytest.mark.parametrize("number, code", [(signal.SIGTERM, 143), (signal.SIGHUP, 130)])
def test_ended_by_a_signal(skewed, number, code):
    with reviewing(skewed) as person:
        person.wait("1 of 3", KEYS)
        person.answer("a", "2 of 3")
        os.kill(process_of(skewed), number)
        person.end(code)
    assert changed(skewed) == []


def test_stopped_and_gone_on_with(skewed):
    """Under a shell with job control, which takes the terminal while the review is stopped."""
    inner = f"cd {skewed.root} && exec env TERM=screen PS1='shell$ ' bash --norc --noediting -i"
    with terminal(skewed, "--version", before=f"sh -c {toml(inner)};") as person:
        person.wait("shell$")
        person.type(f"{os.environ['STAGEGATE']} baseline review\n")
        person.wait("1 of 3", KEYS)
        person.press("C-z")
        person.wait("Stopped")
        person.type("stty -a | grep -o -- ' .\\?icanon'\n")
        person.wait(" icanon")
        person.type("fg\n")
        person.wait("1 of 3", KEYS)
        person.answer("s", "Reason")
        person.press("C-z")
        person.wait("Stopped")
        person.type("clear; fg\n")
        person.wait("Reason")
        person.type("it went on\n\n")
        person.wait("2 of 3")
        person.answer("q", WRITE)
        person.type("y")
        person.wait("1 suppression added", "shell$")
        person.type("exit\n")
        person.end(0)
    assert [entry["reason"] for entry in suppressions(skewed)] == ["it went on"]


def test_without_a_terminal(skewed):
    outcome = skewed.stagegate("baseline", "review")
    assert outcome.code == 2
    assert "must be a terminal" in outcome.stderr and "'stagegate baseline accept'" in outcome.stderr
    assert outcome.stdout == ""


@pytest.mark.parametrize("redirection", ["</dev/null", ">.stdout-file"])
def test_half_a_terminal(skewed, redirection):
    with reviewing(skewed, before=f"exec 3<&0; {redirection}") as person:
        assert "must be a terminal" in person.end(2)


@pytest.mark.parametrize("variable, value", [("CI", "true"), ("TF_BUILD", "True")])
def test_in_ci(skewed, variable, value):
    with reviewing(skewed, env={variable: value}) as person:
        assert "'stagegate baseline accept'" in person.end(2)
    assert changed(skewed) == []


@pytest.mark.parametrize("width, height", [(28, 10), (200, 60)])
def test_in_a_terminal_of_any_size(skewed, width, height):
    with reviewing(skewed, width=width, height=height) as person:
        person.wait(KEYS)
        person.answer("a", "sort returns" if height > 20 else KEYS)
        time.sleep(0.2)
        person.answer("a", "q quit")
        time.sleep(0.2)
        person.type("a")
        person.wait("b back")
        person.type("y")
        person.wait("git commit")
        person.end(0)
    assert (skewed.root / FILE).read_bytes() == pending(skewed)


def test_a_dumb_terminal_is_not_cleared(skewed):
    with reviewing(skewed, env={"TERM": "dumb"}) as person:
        person.wait("1 of 3", KEYS)
        assert "1 of 3" in person.answer("a", "2 of 3"), "what was asked before is still to be read"
        person.answer("q", WRITE)
        person.type("n")
        person.end(0)


@pytest.mark.parametrize("choice, coloured", [("always", True), ("never", False), ("auto", True)])
def test_colours(skewed, choice, coloured):
    with reviewing(skewed, "--color", choice) as person:
        person.wait("1 of 3", KEYS)
        assert ("\x1b[31m" in person.tmux("capture-pane", "-p", "-e")) == coloured
        person.type("q")
        person.end(0)
