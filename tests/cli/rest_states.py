"""What becomes of a stage and of a job while the events of a log go by, and how the REST API shows them."""

from __future__ import annotations

from collections import Counter

from rest_tasks import Json, Task, is_shown, rest_time, stage_sums

COUNTS = ("completed", "failed", "killed")


class Stage:
    def __init__(self, info: Json):
        self.info = info
        self.status = "PENDING"
        self.description: str | None = None
        self.pool = "default"
        self.tasks: dict[int, Task] = {}  # in the order of their start
        self.ended = Counter()
        self.speculative = Counter()
        self.indices: set[int] = set()
        self.kills = Counter()

    def active(self) -> int:
        return sum(1 for task in self.tasks.values() if not task.info["Finish Time"])

    def answer(self) -> Json:
        info = self.info
        tasks = list(self.tasks.values())
        answer = {
            "status": self.status,
            "stageId": info["Stage ID"],
            "attemptId": info.get("Stage Attempt ID", 0),
            "numTasks": info["Number of Tasks"],
            "numActiveTasks": self.active(),
            "numCompleteTasks": self.ended["completed"],
            "numFailedTasks": self.ended["failed"],
            "numKilledTasks": self.ended["killed"],
            "numCompletedIndices": len(self.indices),
            **stage_sums(tasks),
            "name": info["Stage Name"],
            "details": info.get("Details", ""),
            "schedulingPool": self.pool,
            "rddIds": [rdd["RDD ID"] for rdd in info["RDD Info"]],
            "accumulatorUpdates": [
                {"id": a["ID"], "name": a["Name"], "value": str(a["Value"])} for a in info.get("Accumulables", []) if is_shown(a)
            ],
            "killedTasksSummary": dict(self.kills),
            "resourceProfileId": info.get("Resource Profile Id", 0),
            "isShufflePushEnabled": info.get("Shuffle Push Enabled", False),
            "shuffleMergersCount": info.get("Shuffle Push Mergers Count", 0),
        }
        if self.description is not None:
            answer["description"] = self.description
        if info.get("Failure Reason") is not None:
            answer["failureReason"] = info["Failure Reason"]
        for name, key in (("submissionTime", "Submission Time"), ("completionTime", "Completion Time")):
            if info.get(key) is not None:
                answer[name] = rest_time(info[key])
        if tasks:
            answer["firstTaskLaunchedTime"] = rest_time(min(task.info["Launch Time"] for task in tasks))
        copies = [task for task in tasks if task.info.get("Speculative")]
        if copies:
            active = sum(1 for task in copies if not task.info["Finish Time"])
            answer["speculationSummary"] = {"numTasks": len(copies), "numActiveTasks": active}
            answer["speculationSummary"] |= {f"num{count.capitalize()}Tasks": self.speculative[count] for count in COUNTS}
        return answer


class Job:
    def __init__(self, event: Json):
        properties = event.get("Properties") or {}
        infos = sorted(event.get("Stage Infos", []), key=lambda info: info["Stage ID"])
        self.id = event["Job ID"]
        self.name = infos[-1]["Stage Name"] if infos else ""
        self.stage_ids = event["Stage IDs"]
        self.tasks = sum(info["Number of Tasks"] for info in infos if info.get("Completion Time") is None)
        self.description = properties.get("spark.job.description")
        self.group = properties.get("spark.jobGroup.id")
        self.tags = [tag for tag in properties.get("spark.job.tags", "").split(",") if tag]
        self.execution = properties.get("spark.sql.execution.id")
        self.status = "RUNNING"
        self.submitted = event.get("Submission Time")
        self.completed: int | None = None
        self.ended = Counter()
        self.indices: set[tuple[int, int]] = set()
        self.stages: dict[str, set[int]] = {"Active": set(), "Completed": set(), "Skipped": set(), "Failed": set()}
        self.skipped_tasks = 0
        self.active_tasks = 0
        self.kills = Counter()

    def answer(self) -> Json:
        answer = {
            "jobId": self.id,
            "name": self.name,
            "stageIds": self.stage_ids,
            "jobTags": self.tags,
            "status": self.status,
            "numTasks": self.tasks,
            "numActiveTasks": self.active_tasks,
            "numCompletedTasks": self.ended["completed"],
            "numSkippedTasks": self.skipped_tasks,
            "numFailedTasks": self.ended["failed"],
            "numKilledTasks": self.ended["killed"],
            "numCompletedIndices": len(self.indices),
            **{f"num{state}Stages": len(ids) for state, ids in self.stages.items()},
            "killedTasksSummary": dict(self.kills),
        }
        optional = {"description": self.description, "jobGroup": self.group}
        optional["submissionTime"] = rest_time(self.submitted) if self.submitted else None
        optional["completionTime"] = rest_time(self.completed) if self.completed else None
        return answer | {name: value for name, value in optional.items() if value is not None}
