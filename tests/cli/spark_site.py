"""What a history server, or the UI of a running application, answers below /api/v1: made of event logs, or recorded from Spark itself."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass, field

import corpus
from event_log import Application, event_log_text
from rest_answers import RestAnswers
from rest_tasks import Json
from web_server import Answer, Request, html_answer, json_answer, text_answer


@dataclass
class Logged:
    """An attempt of an application, and the files of its event log."""

    answers: RestAnswers
    files: dict[str, bytes]


def logged_text(text: str, name: str | None = None) -> Logged:
    answers = RestAnswers(text.splitlines())
    return Logged(answers, {name or answers.id: text.encode()})


def logged(application: Application) -> Logged:
    return logged_text(event_log_text(application))


def logged_corpus(name: str) -> Logged:
    """The files in the zip are as they lie in the log folder: compressed ones stay so."""
    paths = corpus.parts(name)
    folder = f"{paths[0].parent.name}/" if corpus.log_path(name).is_dir() else ""
    files = {folder + path.name: path.read_bytes() for path in paths}
    if folder:
        files |= {folder + path.name: b"" for path in paths[0].parent.iterdir() if path.name.startswith("appstatus")}
    return Logged(RestAnswers(corpus.lines(name)), files)


def zip_of(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def zip_answer(content: bytes) -> Answer:
    # Spark writes the zip while it sends it, so there is no length.
    return Answer(body=iter([content]), content_type="application/octet-stream")


def not_found(text: str) -> Answer:
    return text_answer(404, text)


@dataclass
class SparkSite:
    """A history server of ATTEMPTS, or, where it is LIVE, the UI of the only one. ROOT is in front of all its paths."""

    attempts: list[Logged]
    live: bool = False
    root: str = ""
    version: str = "4.1.1"
    recorded: Json = field(default_factory=dict)  # answers by their address, which come before ours

    def __call__(self, request: Request) -> Answer:
        path = request.path
        if not path.startswith(f"{self.root}/api/v1/"):
            return html_answer("Spark Jobs" if self.live else "History Server", '<link rel="stylesheet" href="/static/webui.css"/>')
        address = request.target.removeprefix(f"{self.root}/api/v1/").rstrip("/")
        known = self.recorded.get(re.sub(r"\?details=false(&withSummaries=false)?$", "", address))
        if known is not None:
            return json_answer(known)
        parts = path.removeprefix(f"{self.root}/api/v1/").strip("/").split("/")
        if parts == ["version"]:
            return json_answer({"spark": self.version})
        if parts == ["applications"]:
            return json_answer(self.applications(request))
        if parts[0] != "applications":
            return html_answer("Error 404 Not Found", "HTTP ERROR 404", status=404)
        return self.application(parts[1], parts[2:], request)

    def infos(self) -> list[Json]:
        found: dict[str, Json] = {}
        for attempt in sorted(self.attempts, key=lambda attempt: -attempt.answers.start_ms):
            answers = attempt.answers
            info = answers.attempt_info()
            if self.live:
                info.pop("attemptId", None)
            found.setdefault(answers.id, {"id": answers.id, "name": answers.name, "attempts": []})["attempts"].append(info)
        return list(found.values())

    def applications(self, request: Request) -> list[Json]:
        infos = self.infos()
        for status in request.query.get("status", [])[:1]:
            infos = [info for info in infos if any(a["completed"] == (status.lower() == "completed") for a in info["attempts"])]
        return infos[: request.number("limit", len(infos))]

    def application(self, app: str, rest: list[str], request: Request) -> Answer:
        attempts = [attempt for attempt in self.attempts if attempt.answers.id == app]
        if not attempts:
            return not_found(f"unknown app: {app}" if not rest else f"no such app: {app}")
        if not rest:
            return json_answer(next(info for info in self.infos() if info["id"] == app))
        if rest == ["logs"]:
            return self.logs(attempts)
        number = rest[0] if rest[0].isdigit() else None
        rest = rest[1:] if number else rest
        named = [attempt for attempt in attempts if self.live or attempt.answers.attempt == number]
        if not named:
            return not_found(f"no such app: {app}")
        if rest == ["logs"]:
            return self.logs(named)
        return json_answer(named[0].answers.attempt_info()) if not rest else self.part(named[0].answers, rest, request)

    def logs(self, attempts: list[Logged]) -> Answer:
        return zip_answer(zip_of({} if self.live else {name: data for a in attempts for name, data in a.files.items()}))

    def part(self, answers: RestAnswers, rest: list[str], request: Request) -> Answer:
        kind, more = rest[0], rest[1:]
        if kind == "stages":
            return self.stages(answers, more, request)
        if kind == "jobs" and more:
            found = [job for job in answers.jobs() if str(job["jobId"]) == more[0]]
            return json_answer(found[0]) if found else not_found(f"unknown job: {more[0]}")
        if kind == "sql":
            offset = request.number("offset", 0)
            return json_answer(answers.sql()[offset : offset + request.number("length", 20)])
        if kind == "jobs":
            return json_answer(answers.jobs())
        if kind in ("executors", "allexecutors"):
            return json_answer([e for e in answers.allexecutors() if e["isActive"] or kind == "allexecutors"])
        if kind == "environment":
            return json_answer(answers.environment())
        if kind == "storage":
            return json_answer([])
        return html_answer("Error 404 Not Found", "HTTP ERROR 404", status=404)

    def stages(self, answers: RestAnswers, more: list[str], request: Request) -> Answer:
        details = request.query.get("details", ["true" if more else "false"]) == ["true"]
        wanted = [stage for stage in answers.stages() if not more or stage["stageId"] == int(more[0])]
        if more and not wanted:
            return not_found(f"unknown stage: {more[0]}")
        if len(more) > 1:
            found = [str(stage["attemptId"]) for stage in wanted]
            wanted = [stage for stage in wanted if str(stage["attemptId"]) == more[1]]
            if not wanted:
                return not_found(f"unknown attempt for stage {more[0]}.  Found attempts: [{','.join(found)}]")
        if more[2:] == ["taskList"]:
            return self.task_list(answers, int(more[0]), int(more[1]), request)
        if details:
            for stage in wanted:
                rows = answers.task_list(stage["stageId"], stage["attemptId"])
                stage["tasks"] = {str(row["taskId"]): row for row in rows}
        return json_answer(wanted[0] if len(more) > 1 else wanted)

    def task_list(self, answers: RestAnswers, stage: int, attempt: int, request: Request) -> Answer:
        rows = answers.task_list(stage, attempt)
        statuses = [status.upper() for status in request.query.get("status", [])]
        rows = [row for row in rows if not statuses or row["status"] in statuses]
        offset = request.number("offset", 0)
        return json_answer(rows[offset : offset + request.number("length", 20)])
