"""Who asks: what is given on the command line, in variables and in files goes to the host it is meant for, and is told to nobody else."""

import base64
import shutil
import subprocess
import threading
from pathlib import Path

import pytest

from spark_site import SparkSite, logged
from web_asking import app_of, application, check_refused, refused
from web_server import WebServer, instead, redirect, text_answer
from work_flow import TEN_TIMES

SECRET = "s3cr3t-w0rd"


def live() -> SparkSite:
    return SparkSite([logged(application(1))], live=True)


def basic(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


class Way:
    """One way to say who asks: arguments, environment, and the header that has to arrive."""

    def __init__(self, header: str, value: str, arguments=(), env=None, files=None, user_info=""):
        self.header, self.value, self.user_info = header, value, user_info
        self.arguments, self.env, self.files = arguments, env or {}, files or {}

    def prepare(self, project):
        for name, content in self.files.items():
            project.write(name, content).chmod(0o600)
        return {name: str(project.root / value[1:]) if value.startswith("@") else value for name, value in self.env.items()}

    def address(self, server: WebServer) -> str:
        return server.url.replace("://", f"://{self.user_info}")


NETRC = f"machine 127.0.0.1\nlogin ann\npassword {SECRET}\n"
WAYS = {
    "header": Way("x-api-key", SECRET, ["--header", f"X-Api-Key: {SECRET}"]),
    "two headers": Way("x-api-key", SECRET, ["--header", "X-One: 1", "--header", f"X-Api-Key:{SECRET}"]),
    "user and password": Way("authorization", basic("ann", SECRET), ["--user", f"ann:{SECRET}"]),
    "user, password in a variable": Way("authorization", basic("ann", SECRET), ["--user", "ann"], {"STAGEGATE_PASSWORD": SECRET}),
    "a password with colons": Way("authorization", basic("ann", f"{SECRET}:@:x"), ["--user", f"ann:{SECRET}:@:x"]),
    "in the address": Way("authorization", basic("ann", SECRET), user_info=f"ann:{SECRET}@"),
    "in the address, with other characters": Way("authorization", basic("ann", f"{SECRET}@/"), user_info=f"ann:{SECRET}%40%2F@"),
    "user in the address, password in a variable": Way(
        "authorization", basic("ann", SECRET), env={"STAGEGATE_PASSWORD": SECRET}, user_info="ann@"
    ),
    "token in a variable": Way("authorization", f"Bearer {SECRET}", ["--token-env", "SPARK_TOKEN"], {"SPARK_TOKEN": SECRET}),
    "token in a file": Way("authorization", f"Bearer {SECRET}", ["--token-file", "token.txt"], files={"token.txt": SECRET + "\n"}),
    "netrc of the home": Way("authorization", basic("ann", SECRET), ["--netrc"], {"HOME": "@home"}, {"home/.netrc": NETRC}),
    "netrc of a variable": Way("authorization", basic("ann", SECRET), ["--netrc"], {"NETRC": "@my-netrc"}, {"my-netrc": NETRC}),
}


def check_untold(outcome):
    for secret in (SECRET, basic("ann", SECRET).split()[1]):
        assert secret not in outcome.output


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_it_arrives_with_every_request_and_is_printed_nowhere(project, serve, way):
    server = serve(live())
    env = way.prepare(project)
    for form in ("text", "json"):
        outcome = project.stagegate("report", way.address(server), *way.arguments, "--format", form, env=env)
        assert outcome.code == 0, outcome.output
        check_untold(outcome)
    assert {request.headers.get(way.header) for request in server.requests} == {way.value}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_redirect_to_another_host_takes_nothing_along(project, serve, way):
    other = serve(live())
    first = serve(lambda request: redirect(other.url.replace("127.0.0.1", "localhost") + request.target))
    env = way.prepare(project)
    outcome = project.stagegate("report", way.address(first), *way.arguments, env=env)
    assert outcome.code in (0, 3), outcome.output
    check_untold(outcome)
    assert first.requests[0].headers.get(way.header) == way.value
    for request in other.requests:
        assert way.header not in request.headers and not any(SECRET in value for value in request.headers.values())
        assert "authorization" not in request.headers and "x-one" not in request.headers


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_log_that_lies_on_another_host_is_fetched_without_it(project, serve, way):
    """As servers do that keep their logs in a bucket."""
    history = SparkSite([logged(application(1))])
    other = serve(history)
    first = serve(instead(history, "/logs", lambda request: redirect(other.url.replace("127.0.0.1", "localhost") + request.target)))
    outcome = project.stagegate("report", way.address(first), *way.arguments, env=way.prepare(project))
    assert outcome.code == 0, outcome.output
    assert first.asked("/logs")[0].headers.get(way.header) == way.value
    assert other.asked("/logs") and not first.asked("taskList")
    for request in other.requests:
        assert way.header not in request.headers and not any(SECRET in value for value in request.headers.values())


def test_another_port_is_another_host(project, serve):
    other = serve(live())
    first = serve(lambda request: redirect(other.url + request.target))
    assert app_of(project, first.url, "--user", f"ann:{SECRET}", "--header", f"X-Api-Key: {SECRET}") == "local-1"
    assert other.requests and not any("authorization" in r.headers or "x-api-key" in r.headers for r in other.requests)


def test_a_redirect_back_to_the_first_host_is_still_it(project, serve):
    site = live()

    def there_and_back(request):
        is_back = request.target.endswith("!") or "/applications/" in request.target
        return site(request) if is_back else redirect(request.target + "?!")

    server = serve(there_and_back)
    assert app_of(project, server.url, "--user", f"ann:{SECRET}") == "local-1"
    assert {request.headers.get("authorization") for request in server.requests} == {basic("ann", SECRET)}


def test_a_redirect_that_names_a_user_does_not_set_one(project, serve):
    site = live()
    server = serve(lambda request: site(request))
    first = serve(lambda request: redirect(server.url.replace("://", f"://eve:{SECRET}@") + request.target))
    outcome = project.stagegate("report", first.url)
    assert outcome.code in (0, 3)
    check_untold(outcome)


@pytest.mark.parametrize("status", [401, 403, 407])
def test_a_refusal_says_how_to_say_who_asks(project, serve, status):
    server = serve(lambda _: text_answer(status, "Unauthorized", headers={"WWW-Authenticate": 'Basic realm="spark"'}))
    refused(project, server.url, words=("--user|--header|--token|credential|proxy",))
    outcome = refused(project, server.url, "--user", f"ann:{SECRET}", words=())
    check_untold(outcome)


BROKEN = {
    "429": lambda _: text_answer(429, "no", headers={"Retry-After": "3600"}),
    "a circle": lambda request: redirect(request.target),
    "404": lambda _: text_answer(404, "gone"),
    "no JSON": lambda _: text_answer(200, "hello"),
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_errors_do_not_tell_it(project, serve, broken):
    server = serve(broken)
    started = []
    for way in WAYS.values():
        env = way.prepare(project)
        started.append(project.start("report", way.address(server), *way.arguments, env=env))
    for process in started:
        outcome = process.wait()
        check_refused(outcome)
        check_untold(outcome)


def test_reports_of_a_check_do_not_tell_it(repository, serve):
    repository.one_job(TEN_TIMES)
    server = serve(live())
    outcome = repository.stagegate("check", way_in(server), "--job", "revenue", "--variant", "default", "--header", f"X-Api-Key: {SECRET}")
    assert outcome.code in (3, 5), outcome.output
    check_untold(outcome)
    written = [path for path in repository.report_dir.rglob("*") if path.is_file()]
    assert written
    for path in written:
        assert SECRET.encode() not in path.read_bytes(), path


def way_in(server: WebServer) -> str:
    return WAYS["in the address"].address(server)


@pytest.mark.parametrize("token", [f"{SECRET}\r\nX-Evil: 1", f"{SECRET}\nX-Evil: 1", "t\u00f6ken", "a b"])
def test_a_token_is_one_header_whatever_is_in_it(project, serve, token):
    server = serve(live())
    outcome = project.stagegate("report", server.url, "--token-env", "SPARK_TOKEN", env={"SPARK_TOKEN": token})
    assert outcome.code in (0, 2), outcome.output
    check_untold(outcome)
    assert not any("x-evil" in request.headers for request in server.requests)


# What the server writes back is the server's, but it is not shown where it holds what we said.
def test_a_server_that_says_the_password_back(project, serve):
    server = serve(lambda request: text_answer(404, f"I do not like {request.headers.get('authorization')} nor {SECRET}"))
    outcome = project.stagegate("report", server.url, "--user", f"ann:{SECRET}")
    assert outcome.code == 3
    assert basic("ann", SECRET).split()[1] not in outcome.output


@pytest.mark.parametrize(
    ("arguments", "address"),
    [
        (["--user", f"ann:{SECRET}"], ""),
        ([f"--user=ann:{SECRET}"], ""),
        (["--header", f"X-Api-Key: {SECRET}"], ""),
        ([f"--header=X-Api-Key: {SECRET}"], ""),
        ([], f"ann:{SECRET}@"),
        ([], f"ann:x@{SECRET}@"),
    ],
    ids=["user", "user=", "header", "header=", "address", "address with another @"],
)
def test_the_list_of_processes_does_not_show_it(project, serve, arguments, address):
    site, released = live(), threading.Event()

    def held(request):
        released.wait(20)
        return site(request)

    server = serve(held)
    started = project.start("report", server.url.replace("://", f"://{address}"), *arguments)
    server.wait_for_request()
    seen = Path(f"/proc/{started.process.pid}/cmdline").read_bytes().decode()
    released.set()
    outcome = started.wait()
    assert SECRET not in seen, seen
    assert outcome.code == 0, outcome.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--user", "ann"], "STAGEGATE_PASSWORD"),
        (["--token-env", "NOT_SET"], "NOT_SET"),
        (["--token-file", "nowhere.txt"], "nowhere.txt"),
        (["--header", SECRET], "header"),
        (["--header", f"X-Key: {SECRET}\r\nX-Other: 1"], "header"),
        (["--cacert", "nowhere.pem"], "cacert|nowhere.pem"),
        (["--connect-timeout", "soon"], "connect-timeout"),
        (["--idle-timeout", "-1"], "idle-timeout"),
        (["--max-answer", "much"], "max-answer"),
        (["--wait=soon"], "wait"),
    ],
)
def test_options_that_cannot_be_followed(project, serve, arguments, words):
    server = serve(live())
    url = server.url if "--cacert" not in arguments else server.url.replace("http:", "https:")
    outcome = project.stagegate("report", url, *arguments)
    assert outcome.code == 2, outcome.output
    assert any(word.lower() in outcome.stderr.lower() for word in words.split("|")), outcome.stderr
    check_untold(outcome)
    assert not server.requests


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("there is no openssl here to make a certificate with")
    folder = tmp_path_factory.mktemp("certificate")
    pair = folder / "cert.pem", folder / "key.pem"
    request = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    request += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-out", str(pair[0]), "-keyout", str(pair[1])]
    subprocess.run(request, check=True, capture_output=True)
    return pair


def test_a_certificate_that_nobody_vouches_for(project, serve, certificate):
    server = serve(live(), certificate=certificate)
    refused(project, server.url, words=("certificate", "--cacert", "--insecure"))
    assert not server.requests


def test_a_certificate_that_is_named(project, serve, certificate):
    server = serve(live(), certificate=certificate)
    assert app_of(project, server.url, "--cacert", certificate[0]) == "local-1"


def test_any_certificate_is_taken_with_a_warning(project, serve, certificate):
    server = serve(live(), certificate=certificate)
    outcome = project.stagegate("report", server.url, "--insecure", "--format", "json")
    assert outcome.code == 0
    assert "warning" in outcome.stderr.lower() and "--insecure" in outcome.stderr


def test_nobody_is_led_from_https_to_http(project, serve, certificate):
    plain = serve(live())
    server = serve(lambda request: redirect(plain.url + request.target), certificate=certificate)
    refused(project, server.url, "--cacert", str(certificate[0]), words=("redirect|http:|leads",))
    assert not plain.requests


def test_https_where_http_is_spoken(project, serve):
    refused(project, serve(live()).url.replace("http:", "https:"), words=("secure|tls|ssl",))
