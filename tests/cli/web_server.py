"""A web server for tests, on this machine and a free port: what it answers is a function of the request, and every request is kept.

Answers can misbehave as real servers, gateways and networks do: come late, end early, never end, or be no HTTP at all.
"""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit


@dataclass
class Request:
    method: str
    target: str  # as it was sent, with its query
    headers: dict[str, str]  # names in lower case

    @property
    def path(self) -> str:
        return unquote(urlsplit(self.target).path)

    @property
    def query(self) -> dict[str, list[str]]:
        return parse_qs(urlsplit(self.target).query)

    def number(self, name: str, default: int) -> int:
        return int(self.query.get(name, [str(default)])[0])


@dataclass
class Answer:
    status: int = 200
    body: bytes | Iterable[bytes] = b""  # what is iterated over has no length that is told
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0  # before anything is sent
    cut_at: int | None = None  # so many bytes of the body are sent, then the connection ends
    raw: bytes | None = None  # sent instead of an HTTP answer, then the connection ends
    then: Callable[[], None] | None = None  # when it was sent

    def but(self, **changes) -> Answer:
        return replace(self, **changes)


Site = Callable[[Request], Answer]


def json_answer(value, **more) -> Answer:
    return Answer(body=json.dumps(value, indent=2).encode(), **more)


def html_answer(title: str, body: str = "", **more) -> Answer:
    text = f"<!DOCTYPE html><html><head><title>{title}</title></head><body>{body}</body></html>"
    return Answer(body=text.encode(), content_type="text/html;charset=utf-8", **more)


def text_answer(status: int, text: str, **more) -> Answer:
    return Answer(status, text.encode(), "text/plain", **more)


def redirect(place: str, status: int = 302) -> Answer:
    return Answer(status, headers={"Location": place}, content_type="text/plain")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 60

    def do_GET(self):
        owner: WebServer = self.server.owner
        if owner.stopping.is_set():
            self.close_connection = True
            return
        request = Request(self.command, self.path, {name.lower(): value for name, value in self.headers.items()})
        with owner.lock:
            owner.requests.append(request)
        owner.arrived.set()
        try:
            self.send(owner, owner.site(request))
        except OSError:  # the other side has had enough
            self.close_connection = True

    do_HEAD = do_POST = do_PUT = do_GET

    def send(self, owner: WebServer, answer: Answer):
        if answer.delay_s and owner.stopping.wait(answer.delay_s):
            self.close_connection = True
            return
        if answer.raw is not None:
            self.wfile.write(answer.raw)
            self.close_connection = True
        elif isinstance(answer.body, bytes):
            self.send_whole(answer)
        else:
            self.send_pieces(owner, answer)
        self.wfile.flush()
        if answer.then is not None:
            answer.then()

    def begin(self, answer: Answer, headers: dict[str, str]):
        self.send_response(answer.status)
        for name, value in ({"Content-Type": answer.content_type} | headers | answer.headers).items():
            self.send_header(name, value)
        self.end_headers()

    def send_whole(self, answer: Answer):
        self.begin(answer, {"Content-Length": str(len(answer.body))})
        self.wfile.write(answer.body[: answer.cut_at])
        if answer.cut_at is not None:
            self.close_connection = True

    def send_pieces(self, owner: WebServer, answer: Answer):
        self.begin(answer, {"Transfer-Encoding": "chunked"})
        for piece in answer.body:
            if owner.stopping.is_set():
                self.close_connection = True
                return
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            owner.sent_bytes += len(piece)
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_):
        """Nothing is logged."""


class Threads(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64
    owner: WebServer

    def handle_error(self, *_):
        """A client that leaves, or that does not trust the certificate, is none of the server's troubles."""


class WebServer:
    """Serves SITE until it is stopped or left."""

    def __init__(self, site: Site, certificate: tuple[Path, Path] | None = None):
        self.site = site
        self.requests: list[Request] = []
        self.sent_bytes = 0  # of bodies without a length
        self.lock = threading.Lock()
        self.arrived = threading.Event()
        self.stopping = threading.Event()
        self.threads = Threads(("127.0.0.1", 0), Handler)
        self.threads.owner = self
        self.port = self.threads.server_address[1]
        self.scheme = "http"
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self.threads.socket = context.wrap_socket(self.threads.socket, server_side=True, do_handshake_on_connect=False)
            self.scheme = "https"
        self.thread = threading.Thread(target=self.threads.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.host}"

    def __enter__(self) -> WebServer:
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self.stopping.set()
        self.threads.shutdown()
        self.threads.server_close()

    def wait_for_request(self, seconds: float = 20):
        assert self.arrived.wait(seconds), "nobody asked"

    def targets(self) -> list[str]:
        with self.lock:
            return [request.target for request in self.requests]

    def asked(self, words: str) -> list[Request]:
        with self.lock:
            return [request for request in self.requests if words in request.target]


# Sites that are made of sites.


def instead(site: Site, words: str, answer: Answer | Callable[[Request], Answer], times: int | None = None) -> Site:
    """SITE, but for addresses with WORDS in them ANSWER comes instead, the first TIMES times."""
    left = [times]
    lock = threading.Lock()

    def changed(request: Request) -> Answer:
        if words not in request.target:
            return site(request)
        with lock:
            if left[0] == 0:
                return site(request)
            if left[0] is not None:
                left[0] -= 1
        return answer(request) if callable(answer) else answer

    return changed


def altered(site: Site, words: str, change: Callable[[Answer], Answer], times: int | None = None) -> Site:
    """SITE, but its answers to addresses with WORDS in them go through CHANGE, the first TIMES times."""
    return instead(site, words, lambda request: change(site(request)), times)


def from_moment(site: Site, later: Site, seconds: float) -> Site:
    """SITE, and LATER from the moment on that is SECONDS after the first request."""
    begin: list[float] = []

    def changing(request: Request) -> Answer:
        if not begin:
            begin.append(time.monotonic())
        return (later if time.monotonic() - begin[0] >= seconds else site)(request)

    return changing
