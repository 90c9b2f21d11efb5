"""A terminal of 100 columns and 40 lines with a command in it, by tmux: what a person would see."""
from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gate import environment
from processes import wait_for


@dataclass(frozen=True)
class Terminal:
    socket: Path

    def tmux(self, *words: str | Path) -> str:
        command = ["tmux", "-S", self.socket, "-f", "/dev/null", *words]
        return subprocess.run(command, env={**environment(), "LC_ALL": "C.UTF-8"}, check=True, capture_output=True, text=True).stdout

    def screen(self) -> str:
        """What is to be seen now; lines that the terminal broke are whole."""
        return self.tmux("capture-pane", "-p", "-J")

    def wait(self, look: Callable[[str], bool]) -> str:
        """The screen, once LOOK is content with it."""
        return wait_for(lambda: screen if look(screen := self.screen()) else None, self.screen)


@contextmanager
def terminal(folder: Path, *command: str | Path) -> Iterator[Terminal]:
    """COMMAND in FOLDER. When it has ended, its exit code stands below what it printed."""
    with_code = f'{shlex.join(map(str, command))}; echo "exit code $?"; read -r _'
    opened = Terminal(folder / "tmux")
    opened.tmux("new-session", "-d", "-x", "100", "-y", "40", "-c", folder, "sh", "-c", with_code)
    try:
        yield opened
    finally:
        # The server that was started on this socket, and nobody else's.
        opened.tmux("kill-server")
