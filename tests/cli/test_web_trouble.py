"""Servers and networks that misbehave: what can be read is read, the rest is 3 with one line that says why, and nothing waits for ever."""

import gzip
import threading
import time

import pytest

from event_log import write_event_log
from spark_site import SparkSite, logged
from web_asking import KIB, app_of, application, check_each, check_refused, refused, report
from web_server import Answer, WebServer, altered, html_answer, instead, redirect, text_answer

MIB = 1024 * KIB
ROOT = "/api/v1/applications"


def live() -> SparkSite:
    return SparkSite([logged(application(2))], live=True)


def half(answer: Answer) -> Answer:
    """The connection ends in the middle of it."""
    return answer.but(cut_at=len(answer.body) // 2)


def half_told_as_whole(answer: Answer) -> Answer:
    return answer.but(body=answer.body[: len(answer.body) // 2])


def check_read(project, server: WebServer, *arguments):
    assert report(project, server.url, *arguments)["stages"][1]["bytes"]["shuffle_read"] == 8 * KIB


@pytest.mark.parametrize("where", [f"{ROOT}", "/jobs", "/stages", "taskList"])
def test_an_answer_that_breaks_off_once_is_asked_for_again(project, serve, where):
    server = serve(altered(live(), where, half, times=1))
    check_read(project, server)


def test_a_connection_that_is_closed_without_a_word_once(project, serve):
    check_read(project, serve(instead(live(), "/stages", Answer(raw=b""), times=1)))


def test_503_twice_and_then_well(project, serve):
    server = serve(instead(live(), "/jobs", text_answer(503, "starting"), times=2))
    check_read(project, server)
    assert len(server.asked("/jobs")) >= 3


def test_429_is_waited_for_as_long_as_the_server_says(project, serve):
    moments = []
    site = instead(live(), "/jobs", text_answer(429, "slowly", headers={"Retry-After": "2"}), times=1)

    def timed(request):
        if "/jobs" in request.target:
            moments.append(time.monotonic())
        return site(request)

    check_read(project, serve(timed))
    assert 1.9 < moments[1] - moments[0] < 6


@pytest.mark.parametrize("after", ["0", "-5", "soon", "", "99999999999999999999", "Wed, 21 Oct 2015 07:28:00 GMT", "1.5"])
def test_whatever_a_server_says_of_a_better_moment(project, serve, after):
    server = serve(instead(live(), "/jobs", text_answer(503, "slowly", headers={"Retry-After": after}), times=1))
    outcome = project.stagegate("report", server.url)
    assert outcome.code in (0, 3) and outcome.seconds < 10, outcome.output
    assert outcome.code == 0 or after.startswith("9999"), outcome.output


def test_a_connection_that_is_closed_behind_each_answer_without_a_word(project, serve):
    site = live()

    def closing(request):
        answer = site(request)
        return answer.but(cut_at=len(answer.body)) if isinstance(answer.body, bytes) else answer

    check_read(project, serve(closing))


def old_fashioned(answer: Answer) -> Answer:
    """HTTP/1.0: the end of the connection is that of the answer."""
    body = answer.body if isinstance(answer.body, bytes) else b"".join(answer.body)
    return Answer(raw=b"HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + body)


def in_pieces(answer: Answer) -> Answer:
    return answer.but(body=(bytes([byte]) for byte in answer.body)) if isinstance(answer.body, bytes) else answer


def with_hints(answer: Answer) -> Answer:
    body = answer.body if isinstance(answer.body, bytes) else b"".join(answer.body)
    begin = b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\nHTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: "
    return Answer(raw=begin + str(len(body)).encode() + b"\r\n\r\n" + body)


@pytest.mark.parametrize("change", [old_fashioned, in_pieces, with_hints], ids=["HTTP/1.0", "a byte a chunk", "hints first"])
def test_answers_in_every_form_that_http_has(project, serve, change):
    check_read(project, serve(altered(live(), "", change)))


def never_ends(_) -> Answer:
    def spaces():
        block = b" " * MIB
        for _ in range(1024):
            yield block

    return Answer(body=spaces())


LASTING = {
    "broken off": (altered(live(), "/stages", half), ("ended|broke|early|cut",)),
    "closed, as a port of https does": (instead(live(), ROOT, Answer(raw=b"")), ("closed|ended", "https")),
    "503": (instead(live(), ROOT, text_answer(503, "down for maintenance")), ("503",)),
    "500 with a trace": (
        instead(live(), "/jobs", html_answer("Error 500", "java.lang.NullPointerException", status=500)),
        ("500",),
    ),
    "429": (instead(live(), "/jobs", text_answer(429, "slowly", headers={"Retry-After": "1"})), ("429",)),
    "429 for an hour": (instead(live(), "/jobs", text_answer(429, "slowly", headers={"Retry-After": "3600"})), ("429",)),
}


# Each lasts as long as it is asked again, so they are asked side by side.
def test_troubles_that_last(project, serve):
    started = {name: project.start("report", serve(site).url) for name, (site, _) in LASTING.items()}
    check_each({name: process.wait() for name, process in started.items()}, lambda name, outcome: check_refused(outcome, *LASTING[name][1]))


def test_half_a_json_that_claims_to_be_whole(project, serve):
    server = serve(altered(live(), "/stages", half_told_as_whole))
    refused(project, server.url, words=("/stages", "json|rest api"))


def test_a_server_that_says_nothing_in_time(project, serve):
    site = altered(live(), "/jobs", lambda answer: answer.but(delay_s=30))
    outcome = refused(project, serve(site).url, "--idle-timeout", "0.5", words=("idle-timeout|nothing came|no answer",))
    assert outcome.seconds < 10


def test_a_body_that_stops_coming(project, serve):
    released = threading.Event()

    def stops(answer: Answer) -> Answer:
        def pieces():
            yield answer.body[:50]
            released.wait(30)

        return answer.but(body=pieces())

    server = serve(altered(live(), "/jobs", stops))
    outcome = refused(project, server.url, "--idle-timeout", "0.5", words=("idle-timeout|nothing came|no answer",))
    released.set()
    assert outcome.seconds < 10


def test_a_body_that_comes_slowly_but_steadily(project, serve):
    def slowly(answer: Answer) -> Answer:
        def pieces():
            size = len(answer.body) // 8 + 1
            for begin in range(0, len(answer.body), size):
                time.sleep(0.15)
                yield answer.body[begin : begin + size]

        return answer.but(body=pieces())

    check_read(project, serve(altered(live(), "/stages?", slowly)), "--idle-timeout", "0.8")


def test_nothing_listens(project, serve):
    server = serve(live())
    server.stop()
    refused(project, server.url, words=(server.host, "refused|nothing listens"))


def test_a_host_that_nobody_knows(project):
    refused(project, "http://nowhere.invalid:4040/", words=("nowhere.invalid", "host|name"))


def test_redirects_in_a_circle(project, serve):
    server = serve(lambda request: redirect(request.target))
    refused(project, server.url, words=("redirect|circle|lead",))
    assert len(server.requests) < 50


def test_redirects_without_an_end(project, serve):
    server = serve(lambda request: redirect(request.target + "x"))
    refused(project, server.url, words=("redirect|circle|lead",))
    assert len(server.requests) < 50


@pytest.mark.parametrize("place", ["file:///etc/passwd", "gopher://127.0.0.1:1/x", "ftp://127.0.0.1/x", "dict://127.0.0.1:1/", "//", ""])
def test_a_redirect_to_what_is_not_the_web(project, serve, place):
    outcome = refused(project, serve(lambda _: redirect(place)).url, words=("redirect|file:|leads|location",))
    assert "root:" not in outcome.output


def test_an_answer_without_an_end(project, serve):
    server = serve(instead(live(), "/jobs", never_ends))
    outcome = refused(project, server.url, "--max-answer", "1MiB", words=("--max-answer", "larger|1 mib"))
    assert server.sent_bytes < 16 * MIB and outcome.seconds < 10


def test_an_answer_without_an_end_meets_a_limit_nobody_gave(project, serve):
    server = serve(instead(live(), "/jobs", never_ends))
    outcome = refused(project, server.url, words=("--max-answer", "256 mib|larger"))
    assert server.sent_bytes < 300 * MIB
    assert outcome.max_rss_bytes < 1536 * MIB


def test_what_went_wrong_is_not_taken_for_the_end_of_the_application(project, serve):
    """Neither a limit of ours nor a packing of the server's says that anything has ended."""
    too_large = project.stagegate("report", serve(instead(live(), "/jobs", never_ends)).url, "--max-answer", "1MiB")
    packing = Answer(body=b"[]", headers={"Content-Encoding": "gzip"})
    badly_packed = project.stagegate("report", serve(instead(live(), "/jobs", packing)).url)
    for outcome in (too_large, badly_packed):
        assert outcome.code == 3 and "ended" not in outcome.stderr, outcome.stderr


def test_a_length_that_is_beyond_the_limit_is_not_waited_for(project, serve):
    answer = Answer(body=b"[]", headers={"Content-Length": str(1 << 40)}, cut_at=2)
    refused(project, serve(instead(live(), "/jobs", answer)).url, words=("--max-answer",))


def packed(answer: Answer) -> Answer:
    if not isinstance(answer.body, bytes):
        return answer
    return answer.but(body=gzip.compress(answer.body), headers={"Content-Encoding": "gzip"})


def test_gzip_is_understood_where_it_was_asked_for(project, serve):
    site = live()

    def as_asked(request):
        return packed(site(request)) if "gzip" in request.headers.get("accept-encoding", "") else site(request)

    check_read(project, serve(as_asked))


def test_a_small_answer_that_unpacks_to_a_large_one(project, serve):
    bomb = gzip.compress(b" " * (64 * MIB), 9)
    answer = Answer(body=bomb, headers={"Content-Encoding": "gzip"})
    outcome = refused(project, serve(instead(live(), "/jobs", answer)).url, "--max-answer", "4MiB", words=("--max-answer",))
    assert outcome.seconds < 10


def test_a_packing_that_is_none(project, serve):
    answer = Answer(body=b"[]", headers={"Content-Encoding": "gzip"})
    refused(project, serve(instead(live(), "/jobs", answer)).url, words=("content-encoding|unpack|gzip",))


def test_headers_without_an_end(project, serve):
    answer = Answer(raw=b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: %s\r\n" % (i, b"x" * 1000) for i in range(4096)))
    refused(project, serve(instead(live(), ROOT, answer)).url, words=("header",))


def test_a_ui_that_ends_while_it_is_read(project):
    site = live()
    with WebServer(site) as server:

        def last(request):
            if not request.path.endswith("/stages"):
                return site(request)
            server.stop()
            return site(request).but(headers={"Connection": "close"})

        server.site = last
        refused(project, server.url, words=("ended|went away|while it was read|no longer",))


def test_a_stage_that_is_forgotten_while_it_is_read_is_told(project, serve):
    server = serve(instead(live(), "/stages/0/0/taskList", text_answer(404, "unknown stage: 0")))
    outcome = project.stagegate("report", server.url)
    assert outcome.code in (0, 3), outcome.output
    assert outcome.code == 3 or "incomplete" in outcome.stderr, outcome.output


def test_an_app_is_read_though_small_answers_fail(project, serve):
    """Executors, environment and queries say more about an application; without them it is still there."""
    server = serve(instead(live(), "/storage/rdd", text_answer(404, "no such thing")))
    assert app_of(project, server.url) == "local-2"


def test_without_libcurl_event_logs_are_read_and_addresses_say_what_is_missing(project, tmp_path):
    libraries = tmp_path / "libraries"
    libraries.mkdir()
    (libraries / "libcurl.so.4").write_text("no library\n")
    log = write_event_log(tmp_path, application(1))
    without = {"env": {"LD_LIBRARY_PATH": str(libraries)}}
    assert project.stagegate("report", log, **without).code == 0
    outcome = project.stagegate("report", "http://localhost:4040", **without)
    assert outcome.code == 3
    [line] = outcome.stderr.splitlines()
    assert "libcurl" in line and str(libraries) in line and "install libcurl.so.4 (7.85 or later)" in line
