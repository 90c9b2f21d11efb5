"""A history server that gives Spark's own recorded answers where there are any, and answers made of the logs where there are none."""

from __future__ import annotations

import re

import corpus
from spark_site import SparkSite, logged_corpus
from web_server import Answer, Request, json_answer

# The applications of which Spark's answers were recorded, as their addresses name them.
LOGS = {
    "app-20161115172038-0000": "apache-spark/app-20161115172038-0000",
    "app-20161116163331-0000": "apache-spark/app-20161116163331-0000",
    "app-20180109111548-0000": "apache-spark/app-20180109111548-0000",
    "app-20200706201101-0003": "apache-spark/app-20200706201101-0003",
    "application_1516285256255_0012": "apache-spark/application_1516285256255_0012",
    "application_1553914137147_0018": "apache-spark/application_1553914137147_0018",
    "application_1555004656427_0144": "apache-spark/application_1555004656427_0144",
    "application_1578436911597_0052": "apache-spark/application_1578436911597_0052",
    "application_1628109047826_1317105": "apache-spark/application_1628109047826_1317105",
    "local-1422981780767": "apache-spark/local-1422981780767",
    "local-1426533911241/1": "apache-spark/local-1426533911241",
    "local-1426533911241/2": "apache-spark/local-1426633911242",
    "local-1430917381534": "apache-spark/local-1430917381534",
    "local-1642039451826": "apache-spark/local-1642039451826",
}
SHORT = 20  # rows that a task list has where no length is asked for


def recorded_rows(recorded: dict) -> dict[str, list]:
    """All tasks of a stage attempt, by the address of its task list: where a recorded answer holds them all."""
    rows = {}
    for address, answer in recorded.items():
        if re.fullmatch(r".*/stages/\d+/\d+", address):
            rows[f"{address}/taskList"] = sorted(answer["tasks"].values(), key=lambda row: row["taskId"])
        elif re.fullmatch(r".*/stages/\d+/\d+/taskList", address) and len(answer) < SHORT:
            rows[address] = answer
    return rows


class RecordedSite(SparkSite):
    def __init__(self, version: str, applications: list[str]):
        recorded = corpus.recorded(version)
        super().__init__([logged_corpus(LOGS[application]) for application in applications], recorded=recorded)
        self.rows = recorded_rows(recorded)
        self.from_record = 0

    def __call__(self, request: Request) -> Answer:
        address = request.path.removeprefix("/api/v1/").rstrip("/")
        if address in self.rows and "status" not in request.query:
            self.from_record += 1
            offset = request.number("offset", 0)
            return json_answer(self.rows[address][offset : offset + request.number("length", SHORT)])
        self.from_record += address in self.recorded
        return super().__call__(request)
