"""The answers of Spark's REST API about SQL executions, out of the events of a log."""

from __future__ import annotations

import re

from rest_tasks import Json, rest_time

CODEGEN = re.compile(r"WholeStageCodegen \((\d+)\)")


class Graph:
    """A plan's nodes and edges as the SQL page draws them: codegen stages are boxes around nodes, adapters are left out."""

    def __init__(self, plan: Json):
        self.nodes: list[Json] = []
        self.edges: list[Json] = []
        self.add(plan, None, None)

    def add(self, plan: Json, parent: int | None, codegen: int | None):
        name = plan["nodeName"]
        box = CODEGEN.fullmatch(name)
        if box or name in ("InputAdapter", "AdaptiveSparkPlan", "ColumnarToRow (adapter)"):
            for child in plan["children"]:
                self.add(child, parent, int(box[1]) if box else None)
            return
        number = len(self.nodes)
        node = {"nodeId": number, "nodeName": name, "metrics": [{"name": metric["name"], "value": "0"} for metric in plan["metrics"]]}
        self.nodes.append(node if codegen is None else node | {"wholeStageCodegenId": codegen})
        if parent is not None:
            self.edges.append({"fromId": number, "toId": parent})
        for child in plan["children"]:
            self.add(child, number, codegen)


class Queries:
    def __init__(self):
        self.starts: dict[int, Json] = {}
        self.ends: dict[int, Json] = {}
        self.plans: dict[int, Json] = {}  # the events that hold the last one

    def take(self, name: str, event: Json):
        if name == "SQLExecutionStart":
            self.starts[event["executionId"]] = event
            self.plans[event["executionId"]] = event
        elif name == "SQLAdaptiveExecutionUpdate":
            self.plans[event["executionId"]] = event
        elif name == "SQLExecutionEnd":
            self.ends[event["executionId"]] = event

    def answers(self, jobs: list) -> list[Json]:
        return [self.answer(number, [job for job in jobs if job.execution == str(number)]) for number in sorted(self.starts)]

    def answer(self, number: int, jobs: list) -> Json:
        start, end, plan = self.starts[number], self.ends.get(number), self.plans[number]
        graph = Graph(plan["sparkPlanInfo"])
        return {
            "id": number,
            "status": status_of(end, jobs),
            "description": start["description"],
            "planDescription": plan["physicalPlanDescription"],
            "submissionTime": rest_time(start["time"]),
            "duration": (end or plan).get("time", start["time"]) - start["time"],
            "runningJobIds": [job.id for job in jobs if job.status == "RUNNING"],
            "successJobIds": [job.id for job in jobs if job.status == "SUCCEEDED"],
            "failedJobIds": [job.id for job in jobs if job.status == "FAILED"],
            "nodes": graph.nodes,
            "edges": graph.edges,
        }


def status_of(end: Json | None, jobs: list) -> str:
    """From the error message since 3.5, where the log has it; from the jobs before."""
    if end is None:
        return "RUNNING"
    message = end.get("errorMessage")
    failed = bool(message) if message is not None else any(job.status == "FAILED" for job in jobs)
    return "FAILED" if failed else "COMPLETED"
