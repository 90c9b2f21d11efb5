"""SOURCE as an address: of a live UI, of a history server, and of any page of either; and which application is meant."""

import pytest

from event_log import START_MS, Application, Shuffle, event_log_text, write_event_log
from spark_site import Logged, SparkSite, logged, logged_text, zip_answer, zip_of
from web_asking import KIB, app_of, application, refused, report
from web_server import instead, redirect, text_answer


def later(text: str, seconds: int) -> str:
    """The log of an application that started so much later; it counts by hundreds."""
    assert seconds % 100 == 0 and START_MS == 1_795_980_000_000
    return text.replace("17959800", str(17959800 + seconds // 100))


def attempt_log(number: int) -> str:
    """One attempt of `application_1_1`, whose last task ends say which."""
    own = f'"App ID":"local-{number}"'
    text = event_log_text(application(number)).replace(own, f'"App ID":"application_1_1","App Attempt ID":"{number}"')
    return later(text, 1000 * number)


def history_of_three() -> SparkSite:
    return SparkSite([logged_text(later(event_log_text(application(number)), 100 * number), f"local-{number}") for number in (1, 2, 3)])


def history_of_attempts() -> SparkSite:
    return SparkSite([logged_text(attempt_log(number), f"application_1_1_{number}") for number in (1, 2)])


def test_a_live_ui_is_read_through_rest(project, serve):
    server = serve(SparkSite([logged(application(3))], live=True))
    read = report(project, server.url)
    assert read["application"]["id"] == "local-3" and read["application"]["complete"] is True
    [mapped, reduced] = read["stages"]
    assert reduced["tasks"] == {"declared": 4, "succeeded": 4, "failed": 0, "killed": 0, "speculative": 0}
    assert reduced["bytes"]["shuffle_read"] == mapped["bytes"]["shuffle_write"] == 12 * KIB
    assert reduced["distribution"]["shuffle_read"] == dict.fromkeys(("min", "p25", "median", "p75", "max"), 3 * KIB)
    assert server.asked("taskList") and all(request.method == "GET" for request in server.requests)


def test_a_history_server_is_asked_for_the_event_log(project, serve, tmp_path):
    server = serve(SparkSite([logged(application(1))]))
    assert report(project, server.url) == report(project, write_event_log(tmp_path, application(1)))
    assert server.asked("/api/v1/applications/local-1/logs")
    assert not server.asked("taskList")


def test_rest_alone_asks_for_no_log(project, serve):
    server = serve(SparkSite([logged(application(1))]))
    assert app_of(project, server.url, "--rest") == "local-1"
    assert server.asked("taskList") and not server.asked("/logs")


@pytest.mark.parametrize("form", ["text", "json", "csv", "csv-tasks", "markdown"])
def test_every_form_of_report(project, serve, tmp_path, form):
    server = serve(SparkSite([logged(application(1))]))
    outcome = project.stagegate("report", server.url, "--format", form)
    assert outcome.code == 0
    assert outcome.stdout == project.stagegate("report", str(write_event_log(tmp_path, application(1))), "--format", form).stdout


def test_several_applications_are_a_table_and_a_choice(project, serve):
    outcome = project.stagegate("report", serve(history_of_three()).url)
    assert outcome.code == 2 and outcome.stdout == ""
    for number in (1, 2, 3):
        assert f"local-{number}" in outcome.stderr and f"app {number}" in outcome.stderr
    assert "--app" in outcome.stderr


@pytest.mark.parametrize(("name", "expected"), [("local-2", "local-2"), ("app 1", "local-1"), ("latest", "local-3")])
@pytest.mark.parametrize("rest", [[], ["--rest"]], ids=["logs", "rest"])
def test_an_application_is_named_by_id_or_name_or_latest(project, serve, name, expected, rest):
    assert app_of(project, serve(history_of_three()).url, "--app", name, *rest) == expected


@pytest.mark.parametrize("rest", [[], ["--rest"]], ids=["logs", "rest"])
def test_an_attempt_is_named_behind_the_id(project, serve, rest):
    server = serve(history_of_attempts())
    for number in ("1", "2"):
        assert app_of(project, server.url, "--app", f"application_1_1/{number}", *rest) == f"application_1_1/{number}"
    assert app_of(project, server.url, "--app", "latest", *rest) == "application_1_1/2"


def test_an_unknown_application_lists_those_that_are_there(project, serve):
    outcome = project.stagegate("report", serve(history_of_three()).url, "--app", "local-7")
    assert outcome.code == 2
    assert "'local-7'" in outcome.stderr and "local-3" in outcome.stderr


@pytest.mark.parametrize(
    "page",
    [
        "/history/local-2",
        "/history/local-2/",
        "/history/local-2/jobs/",
        "/history/local-2/stages/stage/?id=1&attempt=0",
        "/history/local-2/SQL/execution/?id=0#top",
        "/api/v1/applications/local-2",
        "/api/v1/applications/local-2/stages?details=true",
        "/api/v1/applications/local-2/logs",
    ],
)
def test_any_page_of_an_application_names_it(project, serve, page):
    assert app_of(project, serve(history_of_three()).url + page) == "local-2"


@pytest.mark.parametrize("page", ["/history/application_1_1/1/jobs/", "/api/v1/applications/application_1_1/1/executors"])
def test_a_page_of_an_attempt_names_it(project, serve, page):
    server = serve(history_of_attempts())
    assert app_of(project, server.url + page) == "application_1_1/1"
    assert app_of(project, server.url + page, "--rest") == "application_1_1/1"


@pytest.mark.parametrize(
    ("root", "page"),
    [
        *[("", page) for page in ("/", "/jobs/", "/stages/stage/?id=1&attempt=0", "/executors/", "/api/v1", "/api/v1/applications/")],
        *[("/gateway/spark-ui", page) for page in ("", "/SQL/execution/?id=0", "/api/v1/applications")],
        *[("/proxy/local-1", page) for page in ("", "/stages/", "/api/v1/applications/local-1")],
    ],
)
def test_any_page_of_a_live_ui(project, serve, root, page):
    server = serve(SparkSite([logged(application(1))], live=True, root=root))
    assert app_of(project, server.url + root + page) == "local-1"


def test_the_scheme_may_be_written_in_capitals(project, serve):
    server = serve(SparkSite([logged(application(1))], live=True))
    assert app_of(project, f"HTTP://LocalHost:{server.port}/") == "local-1"


def test_an_application_in_the_address_and_another_one_beside_it(project, serve):
    server = serve(history_of_three())
    assert app_of(project, f"{server.url}/history/local-2/", "--app", "local-2") == "local-2"
    outcome = project.stagegate("report", f"{server.url}/history/local-2/", "--app", "local-3")
    assert outcome.code == 2 and outcome.stdout == ""
    assert "local-2" in outcome.stderr and "local-3" in outcome.stderr


def test_an_attempt_in_the_address_and_another_one_beside_it(project, serve):
    address = serve(history_of_attempts()).url + "/history/application_1_1/1/jobs/"
    outcome = project.stagegate("report", address, "--app", "application_1_1/2")
    assert outcome.code == 2 and outcome.stdout == "", outcome.output


ODD_NAMES = ["\x1b[31mred\x1b[0m", "two\nlines", "a\tb\rc", "<script>alert(1)</script>", "\u0085\u009b", "'; DROP TABLE", "%s%n%d{}"]


@pytest.mark.parametrize("odd", ODD_NAMES)
def test_names_are_shown_without_their_control_characters(project, serve, odd):
    """The outcome is looked through for such characters wherever the binary is started."""
    shuffles = [Shuffle(f"work {odd}", [KIB] * 4)]
    apps = [logged(Application(shuffles=shuffles, id=f"local-{number}", name=odd)) for number in (1, 2)]
    server = serve(SparkSite(apps))
    assert project.stagegate("report", server.url).code == 2
    for how in ([], ["--rest"]):
        assert project.stagegate("report", server.url, "--app", "local-1", *how).code == 0
        assert report(project, server.url, "--app", "local-1", *how)["application"]["name"] == odd


@pytest.mark.parametrize("how", [[], ["--rest"]], ids=["logs", "rest"])
@pytest.mark.parametrize("odd", ["my app", "app+1", "app%41", "job:7#3?x=1&y", "stra\u00dfe"])
def test_an_id_with_any_characters_is_asked_for_as_it_is(project, serve, odd, how):
    """Ids are what spark.app.id says, or a cluster manager."""
    server = serve(SparkSite([logged(Application([Shuffle("work", [KIB] * 4)], id=odd)), logged(application(2))]))
    assert app_of(project, server.url, "--app", odd, *how) == odd


def test_an_application_that_a_history_server_does_not_know(project, serve):
    outcome = project.stagegate("report", serve(history_of_three()).url + "/history/local-9/jobs/")
    assert outcome.code in (2, 3) and outcome.stdout == ""
    assert "local-9" in outcome.stderr


def test_a_history_server_without_applications(project, serve):
    refused(project, serve(SparkSite([])).url, words=("no application|no applications|knows none|none",))


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_within_the_server_is_followed(project, serve, status):
    site = SparkSite([logged(application(1))], root="/new")

    def moved(request):
        return site(request) if request.path.startswith("/new/") else redirect("/new" + request.target, status)

    assert app_of(project, serve(moved).url, "--rest") == "local-1"
    assert app_of(project, serve(moved).url) == "local-1"


# A history server that hands out no log is read through REST instead, and so is one whose log is of no use.
@pytest.mark.parametrize(
    "answer",
    [
        text_answer(403, 'user "nobody" is not authorized'),
        text_answer(404, "no such app: local-1"),
        text_answer(503, "Event logs are not available for app: local-1."),
    ],
    ids=["403", "404", "503"],
)
def test_where_the_log_is_not_handed_out_rest_is_read(project, serve, answer):
    server = serve(instead(SparkSite([logged(application(2))]), "/logs", answer))
    read = report(project, server.url)
    assert read["stages"][1]["bytes"]["shuffle_read"] == 8 * KIB
    assert server.asked("/logs") and server.asked("taskList")


def test_where_the_zip_is_empty_rest_is_read(project, serve):
    server = serve(instead(SparkSite([logged(application(2))]), "/logs", lambda _: zip_answer(zip_of({}))))
    assert report(project, server.url)["stages"][1]["bytes"]["shuffle_read"] == 8 * KIB
    assert server.asked("taskList")


def test_a_zip_that_is_cut_is_never_taken_for_whole(project, serve):
    site = SparkSite([Logged(logged(application(2)).answers, {"local-2": event_log_text(application(2)).encode()})])
    whole = zip_of(site.attempts[0].files)
    for cut in (10, len(whole) // 2, len(whole) - 30):
        server = serve(instead(site, "/logs", lambda _, cut=cut: zip_answer(whole[:cut])))
        outcome = project.stagegate("report", server.url, "--format", "json")
        assert outcome.code in (0, 3), outcome.output
        if outcome.code == 0:  # then it says so, or has asked for REST
            assert "incomplete" in outcome.stderr or server.asked("taskList"), f"cut at {cut}: {outcome.output}"
        else:
            assert outcome.stdout == "" and len(outcome.stderr.strip().splitlines()) == 1


def test_the_log_of_another_application_is_not_taken_for_it(project, serve):
    other = zip_of({"local-1": event_log_text(application(1)).encode()})
    server = serve(instead(SparkSite([logged(application(2))]), "/logs", lambda _: zip_answer(other)))
    outcome = project.stagegate("report", server.url + "/history/local-2/", "--format", "json")
    assert outcome.code in (0, 3), outcome.output
    assert outcome.code == 3 or '"id":"local-2"' in outcome.stdout, outcome.output


@pytest.mark.parametrize("files", [{"local-2": b"hello\n" * 100}, {"local-2": b""}, {"README": b"x"}], ids=["a text", "empty", "others"])
def test_a_zip_without_a_log_is_refused_by_its_address_or_rest_is_read(project, serve, files):
    server = serve(instead(SparkSite([logged(application(2))]), "/logs", lambda _: zip_answer(zip_of(files))))
    outcome = project.stagegate("report", server.url)
    assert outcome.code in (0, 3), outcome.output
    assert outcome.code == 0 or server.host in outcome.stderr, outcome.output


def test_all_applications_follow_each_other(project, serve):
    outcome = project.stagegate("report", serve(history_of_three()).url, "--all-apps")
    assert outcome.code == 0
    places = [outcome.stdout.index(f"app {number} (local-{number})") for number in (1, 2, 3)]
    assert len(set(places)) == 3


def test_rolling_logs_come_in_a_folder_of_the_zip(project, serve):
    text = event_log_text(application(1))
    lines = text.splitlines(keepends=True)
    folder = "eventlog_v2_local-1"
    files = {f"{folder}/appstatus_local-1": b"", f"{folder}/events_1_local-1": "".join(lines[:9]).encode()}
    files[f"{folder}/events_2_local-1"] = "".join(lines[9:]).encode()
    server = serve(SparkSite([Logged(logged_text(text).answers, files)]))
    read = report(project, server.url)
    assert read["evidence"]["complete"] is True and read["stages"][1]["bytes"]["shuffle_read"] == 4 * KIB
    assert not server.asked("taskList")


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("spark://master:7077", "4040|history server"),
        ("sc://host:15002", "4040|event log"),
        ("s3a://bucket/logs/app-1", "copy"),
        ("hdfs://namenode/spark-history", "copy"),
        ("http://", "host"),
        ("http://host:99999/", "port"),
        ("http://host:port/", "port"),
        ("http://ho st/", "blank"),
    ],
)
def test_what_is_no_address_of_the_web(project, address, words):
    refused(project, address, words=(words,), code=2)
