"""A real terminal, by tmux, with a command of a project in it: what a person sees and types."""

from __future__ import annotations

import contextlib
import shlex
import subprocess
import time

from project import TIME_LIMIT_S, Project, binary


class Terminal:
    def __init__(self, project: Project, socket):
        self.project = project
        self.socket = socket

    def tmux(self, *words: str) -> str:
        command = ["tmux", "-S", str(self.socket), "-f", "/dev/null", *words]
        env = {**self.project.env, "LC_ALL": "C.UTF-8"}
        return subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout

    def screen(self) -> str:
        """What is to be seen now; lines that the terminal broke are whole."""
        return self.tmux("capture-pane", "-p", "-J")

    def scrolled(self) -> str:
        """All that was printed, from the first line on."""
        return self.tmux("capture-pane", "-p", "-J", "-S", "-")

    def wait(self, *texts: str) -> str:
        """The screen, once all TEXTS stand on it."""
        deadline = time.monotonic() + TIME_LIMIT_S
        while not all(text in (screen := self.screen()) for text in texts):
            assert time.monotonic() < deadline, f"{texts} did not come:\n{screen}"
            time.sleep(0.02)
        return screen

    def type(self, text: str):
        self.tmux("send-keys", "-l", text)

    def press(self, *keys: str):
        """Keys by tmux's names: Enter, Up, C-c."""
        self.tmux("send-keys", *keys)

    def answer(self, key: str, *texts: str) -> str:
        """Types KEY and waits for the screen that it leads to."""
        self.type(key)
        return self.wait(*texts)

    def end(self, code: int) -> str:
        """The last screen, when the command has ended with CODE."""
        screen = self.wait("the command's exit code: ")
        assert f"the command's exit code: {code}\n" in screen, screen
        return screen


@contextlib.contextmanager
def terminal(project: Project, *arguments: str, width=100, height=40, before="", env=None):
    """stagegate with ARGUMENTS, in a shell that says its exit code and how the terminal was left. BEFORE is laid before the command."""
    variables = " ".join(f"{name}={shlex.quote(value)}" for name, value in (env or {}).items())
    command = f"{before} env {variables} {shlex.join([binary(), *arguments])}"
    # ^C goes to the shell too, which is to live on.
    end = 'code=$?; stty -a >.stdout-after; echo "the command\'s exit code: $code"; read -r _'
    script = f"trap : INT; stty -a >.stdout-before; {command}; {end}"
    opened = Terminal(project, project.root.parent / f"tmux-{project.next_number()}")
    opened.tmux("new-session", "-d", "-x", str(width), "-y", str(height), "-c", str(project.root), "sh", "-c", script)
    try:
        yield opened
        assert (project.root / ".stdout-after").read_text() == (project.root / ".stdout-before").read_text(), "the terminal is as it was"
    finally:
        # The server that was started on this socket, and nobody else's.
        with contextlib.suppress(subprocess.CalledProcessError):
            opened.tmux("kill-server")
