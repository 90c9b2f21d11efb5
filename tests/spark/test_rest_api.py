"""A server that is slow to start is waited for: what it does meanwhile is no failure."""
from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import pytest
from rest_api import ask_if_there

REST_LATER = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[1,"


@contextmanager
def server_that_says(first_bytes: bytes | None) -> Iterator[str]:
    """Takes one connection, says FIRST_BYTES and hangs up; says nothing and stays on the line where that is None."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        taken: list[socket.socket] = []

        def take() -> None:
            connection, _ = listener.accept()
            taken.append(connection)
            if first_bytes is not None:
                connection.recv(4096)
                connection.sendall(first_bytes)
                connection.close()

        thread = Thread(target=take, daemon=True)  # it waits for ever where nobody comes
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/api/v1/applications"
        thread.join()
        for connection in taken:
            connection.close()


@pytest.mark.parametrize(
    "first_bytes",
    [None, b"", b"HTTP/1.1 503 Starting\r\nContent-Length: 0\r\n\r\n", b"not HTTP\r\n\r\n"],
    ids=["silent", "hangs-up", "not-yet", "other-words"],
)
def test_a_server_without_an_answer_is_not_there_yet(first_bytes: bytes | None) -> None:
    with server_that_says(first_bytes) as url:
        assert ask_if_there(url, timeout_s=0.3) is None


def test_an_answer_that_breaks_off_is_not_there_yet() -> None:
    with server_that_says(REST_LATER) as url:
        assert ask_if_there(url) is None


def test_nobody_is_not_there_yet() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    assert ask_if_there(f"http://127.0.0.1:{port}/") is None


def test_an_answer_is_there() -> None:
    with server_that_says(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n[1]") as url:
        assert ask_if_there(url) == [1]
