"""Servers that are none of Spark's, or speak nothing that is known, or send JSON of shapes that Spark never sends: never a crash."""

import json

import pytest

from rest_answers import RestAnswers
from spark_site import SparkSite, logged
from web_asking import MOST_SECONDS, application, check_each, check_refused, refused
from web_server import Answer, altered, html_answer, instead, json_answer, text_answer

LOG_IN = '<form action="/login"><input type="text" name="user"><input type="password" name="password"></form>'
MASTER = '<a href="/"><img src="/static/spark-logo.svg"></a> Spark Master at spark://master:7077 <b>URL:</b> spark://master:7077'
S3 = '<?xml version="1.0"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>logs</Name></ListBucketResult>'
# What a gRPC server says first: an empty SETTINGS frame, then GOAWAY with PROTOCOL_ERROR.
HTTP_2 = bytes.fromhex("000000040000000000") + bytes.fromhex("0000080700000000000000000000000001")

STRANGERS = {
    "a web page": (html_answer("Apache2 Debian Default Page: It works", "It works!"), "web page|html|not spark"),
    "a log-in page": (html_answer("Sign in", LOG_IN), "log-in|login|sign in"),
    "a master": (html_answer("Spark Master at spark://master:7077", MASTER), "master"),
    "a bucket": (Answer(body=S3.encode(), content_type="application/xml"), "object store|bucket|listing"),
    "other JSON": (json_answer({"status": "ok"}), "json"),
    "a text": (text_answer(200, "hello"), "spark"),
    "nothing": (Answer(), "empty|spark"),
    "404": (text_answer(404, "404 page not found"), "404|spark"),
    "a binary": (Answer(body=bytes(range(256)) * 100, content_type="application/octet-stream"), "spark"),
    "text in Latin-1": (Answer(body='["\xe9t\xe9"]'.encode("latin-1")), "spark"),
}


@pytest.mark.parametrize(("answer", "words"), STRANGERS.values(), ids=STRANGERS)
def test_a_server_that_is_none_of_sparks_is_named(project, serve, answer, words):
    refused(project, serve(lambda _: answer).url, words=(words,))


OTHER_TALK = {"http2": HTTP_2, "ssh": b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n", "zeros": bytes(100), "9.9": b"HTTP/9.9 hello\r\n\r\n"}


@pytest.mark.parametrize("raw", OTHER_TALK.values(), ids=OTHER_TALK)
def test_a_port_that_is_no_web_servers(project, serve, raw):
    refused(project, serve(lambda _: Answer(raw=raw)).url, words=("http", "connect|ui|web server"))


ROOT = "/api/v1/applications"
DEEP = b"[" * 100_000 + b"]" * 100_000
DEEP_IN_A_STAGE = b'[{"stageId":0,"attemptId":0,"status":"COMPLETE","x":' + DEEP + b"}]"
SHAPES = {
    "null": b"null",
    "a number": b"7",
    "a text": b'"x"',
    "an object": b"{}",
    "numbers": b"[1, 2]",
    "nulls": b"[null]",
    "lists": b"[[[]]]",
    "empty objects": b"[{}]",
    "deep": DEEP,
    "deep and never closed": b"[" * 1_000_000,
    "deep objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "two values": b"[] []",
    "a comma": b"[1,]",
    "NaN": b"[NaN]",
    "a byte order mark": b"\xef\xbb\xbf[]",
    "UTF-16": "[]".encode("utf-16"),
    "no UTF-8": b'["\xff\xfe"]',
}


# Several processes side by side, for each starts a binary full of sanitizers.
def outcomes(project, serve, sites):
    started = {name: project.start("report", serve(site).url, "--rest", "--format", "json") for name, site in sites.items()}
    return {name: process.wait() for name, process in started.items()}


def check_survived(_, outcome):
    """Read, if only in part, or refused in one line."""
    if outcome.code == 0:
        json.loads(outcome.stdout)
        assert outcome.seconds < MOST_SECONDS
    else:
        check_refused(outcome)


SOME_SHAPES = ("null", "a number", "nulls", "empty objects", "deep", "no UTF-8")
NO_ANSWERS = ("a number", "an object", "two values", "a comma", "deep and never closed", "no UTF-8")


def check_refused_where_it_matters(name, outcome):
    check_survived(name, outcome)
    if name in NO_ANSWERS:
        assert outcome.code == 3, f"read as something: {outcome.output}"


@pytest.mark.parametrize("where", [f"{ROOT}", "/jobs", "/stages", "/taskList", "/allexecutors", "/environment", "/sql", "/storage/rdd"])
def test_json_of_any_shape_is_survived(project, serve, where):
    def site(shape):
        own = SparkSite([logged(application(1))])
        return lambda request: Answer(body=shape) if request.path.endswith(where) else own(request)

    check = check_refused_where_it_matters if where in (ROOT, "/jobs", "/stages") else check_survived
    shapes = SHAPES if check is check_refused_where_it_matters else {name: SHAPES[name] for name in SOME_SHAPES}
    check_each(outcomes(project, serve, {name: site(shape) for name, shape in shapes.items()}), check)


HUGE = 10**30
ODD_VALUES = [HUGE, -HUGE, 2**63, -(2**63), 2**31, -1, 1.5, 1e308, "7", "", "NaN", None, True, [], {}, [HUGE], "\u0000", "x" * 100_000]
STAGE_FIELDS = "stageId attemptId numTasks status name submissionTime completionTime numCompleteTasks rddIds description"
TASK_FIELDS = "taskId index attempt partitionId launchTime duration status executorId taskMetrics speculative"
FIELDS = {
    "/stages": STAGE_FIELDS.split(),
    "/jobs": ["jobId", "stageIds", "status", "submissionTime", "name", "jobGroup"],
    "/taskList": TASK_FIELDS.split(),
    "/allexecutors": ["id", "totalCores", "addTime", "isActive"],
    ROOT: ["id", "name", "attempts"],
}


def with_field(name: str, value, missing: bool = False):
    def change(answer: Answer) -> Answer:
        rows = json.loads(answer.body)
        for row in rows:
            row[name] = value
            if missing:
                del row[name]
        return json_answer(rows)

    return change


CASES = [(where, field) for where, fields in FIELDS.items() for field in fields]


@pytest.mark.parametrize(("where", "field"), CASES)
def test_a_field_of_any_type_and_size_is_survived(project, serve, where, field):
    """Every fourth value, so that each field has some of them, and each value comes to each answer."""
    values = ODD_VALUES[CASES.index((where, field)) % 4 :: 4]
    own = SparkSite([logged(application(1))])

    def site(change):
        return lambda request: change(own(request)) if request.path.endswith(where) and "status=" not in request.target else own(request)

    sites = {repr(value)[:20]: site(with_field(field, value)) for value in values}
    sites["missing"] = site(with_field(field, None, missing=True))
    check_each(outcomes(project, serve, sites), check_survived)


def test_metrics_of_any_size_are_survived(project, serve):
    def site(value):
        def change(answer: Answer) -> Answer:
            rows = json.loads(answer.body)
            for row in rows:
                row["taskMetrics"]["shuffleReadMetrics"]["localBytesRead"] = value
                row["taskMetrics"]["memoryBytesSpilled"] = value
            return json_answer(rows)

        return altered(SparkSite([logged(application(1))]), "taskList", change)

    check_each(outcomes(project, serve, {repr(value)[:20]: site(value) for value in ODD_VALUES}), check_survived)


@pytest.mark.parametrize("rows", [20, 1000])
def test_pages_of_the_same_tasks_end(project, serve, rows):
    """A server that ignores the offset, so that every page is full."""
    page = RestAnswers(logged(application(1)).files["local-1"].splitlines()).task_list(1, 0)
    many = json_answer((page * rows)[:rows])
    server = serve(instead(SparkSite([logged(application(1))]), "taskList", many))
    outcome = project.stagegate("report", server.url, "--rest", "--format", "json")
    check_survived("pages", outcome)
    if outcome.code == 0:
        [reduced] = [stage for stage in json.loads(outcome.stdout)["stages"] if stage["id"] == 1]
        assert reduced["tasks"]["succeeded"] == 4, "each partition has one winner, however often it is told of"


def test_a_deep_member_of_a_stage(project, serve):
    server = serve(instead(SparkSite([logged(application(1))]), "/stages", Answer(body=DEEP_IN_A_STAGE)))
    check_survived("deep", project.stagegate("report", server.url, "--rest", "--format", "json"))


def test_what_a_server_says_is_shown_without_its_control_characters(project, serve):
    text = "bad\x1b[31m thing\x07 \x00 happened\r\nsecond line\x9b"
    outcome = refused(project, serve(instead(SparkSite([], live=True), ROOT, text_answer(404, text))).url, words=())
    assert "\x1b" not in outcome.stderr
    site = SparkSite([logged(application(1))], live=True)
    refused(project, serve(instead(site, "/jobs", text_answer(400, text))).url, words=("bad|400",))
