"""What Spark's REST API answers for an application whose event log is given: a second reading of the log, that knows nothing of stagegate.

It follows Spark's AppStatusListener in what counts, without retention. test_rest_answers.py holds it against the answers of Spark's own
history server.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

from rest_queries import Queries
from rest_states import Job, Stage
from rest_tasks import Json, Task, outcome_of, rest_time


RUNTIME = {"javaVersion": "Java Version", "javaHome": "Java Home", "scalaVersion": "Scala Version"}


class RestAnswers:
    """Of one attempt of an application."""

    def __init__(self, lines: Iterable[str | bytes]):
        self.id = self.name = self.user = ""
        self.attempt: str | None = None
        self.version = ""
        self.start_ms = 0
        self.end_ms: int | None = None
        self.stage_states: dict[tuple[int, int], Stage] = {}
        self.job_states: dict[int, Job] = {}
        self.executors: dict[str, Json] = {}
        self.environment_event: Json = {}
        self.profiles: list[Json] = []
        self.queries = Queries()
        for line in lines:
            if line.strip():
                self.take(json.loads(line))

    def take(self, event: Json):
        name = event["Event"].rsplit(".", 1)[-1].removeprefix("SparkListener")
        handler = getattr(self, "on_" + name, None)
        if handler is not None:
            handler(event)
        self.queries.take(name, event)

    def on_LogStart(self, event):
        self.version = event["Spark Version"]

    def on_ApplicationStart(self, event):
        self.id, self.name, self.user = event["App ID"], event["App Name"], event["User"]
        self.attempt = event.get("App Attempt ID")
        self.start_ms = event["Timestamp"]

    def on_ApplicationEnd(self, event):
        self.end_ms = event["Timestamp"]

    def on_EnvironmentUpdate(self, event):
        self.environment_event = event

    def on_ResourceProfileAdded(self, event):
        self.profiles.append(event)

    def executor(self, number: str, event) -> Json:
        begin = {"id": number, "hostPort": "", "totalCores": 0, "isActive": True, "addTime": rest_time(event["Timestamp"])}
        begin |= {"executorLogs": {}, "ended": Counter(), "maxMemory": 0, "resourceProfileId": 0}
        return self.executors.setdefault(number, begin)

    def on_ExecutorAdded(self, event):
        info = event["Executor Info"]
        executor = self.executor(event["Executor ID"], event)
        executor |= {"hostPort": info["Host"], "totalCores": info["Total Cores"], "executorLogs": info.get("Log Urls", {})}
        executor |= {"attributes": info.get("Attributes", {}), "resourceProfileId": info.get("Resource Profile Id", 0)}
        self.executors[event["Executor ID"]] = executor

    def on_ExecutorRemoved(self, event):
        executor = self.executors.get(event["Executor ID"])
        if executor is not None:
            executor |= {"isActive": False, "removeTime": rest_time(event["Timestamp"]), "removeReason": event["Removed Reason"]}

    def on_BlockManagerAdded(self, event):
        block_manager = event["Block Manager ID"]
        executor = self.executor(block_manager["Executor ID"], event)
        executor |= {"hostPort": f"{block_manager['Host']}:{block_manager['Port']}", "maxMemory": event["Maximum Memory"]}

    def stage(self, info: Json) -> Stage:
        stage = self.stage_states.setdefault((info["Stage ID"], info.get("Stage Attempt ID", 0)), Stage(info))
        stage.info = info
        return stage

    def jobs_of(self, stage_id: int) -> list[Job]:
        return [job for job in self.job_states.values() if stage_id in job.stage_ids and job.status == "RUNNING"]

    def on_JobStart(self, event):
        self.job_states[event["Job ID"]] = Job(event)
        for info in event.get("Stage Infos", []):
            self.stage(info)

    def on_JobEnd(self, event):
        job = self.job_states.get(event["Job ID"])
        if job is None:  # its start was dropped
            return
        for (stage_id, _), stage in self.stage_states.items():
            if stage_id in job.stage_ids and stage.status == "PENDING":
                stage.status = "SKIPPED"
                job.stages["Skipped"].add(stage_id)
                job.skipped_tasks += stage.info["Number of Tasks"]
        job.status = "SUCCEEDED" if event["Job Result"]["Result"] == "JobSucceeded" else "FAILED"
        job.completed = event.get("Completion Time")

    def on_StageSubmitted(self, event):
        stage = self.stage(event["Stage Info"])
        properties = event.get("Properties") or {}
        stage.status = "ACTIVE"
        stage.description = properties.get("spark.job.description")
        stage.pool = properties.get("spark.scheduler.pool", "default")
        for job in self.jobs_of(event["Stage Info"]["Stage ID"]):
            job.stages["Active"].add(event["Stage Info"]["Stage ID"])

    def on_StageCompleted(self, event):
        info = event["Stage Info"]
        stage = self.stage(info)
        failed = info.get("Failure Reason") is not None
        stage.status = "FAILED" if failed else "COMPLETE" if info.get("Submission Time") is not None else "SKIPPED"
        for job in self.jobs_of(info["Stage ID"]):
            job.stages["Active"].discard(info["Stage ID"])
            job.stages[{"FAILED": "Failed", "COMPLETE": "Completed", "SKIPPED": "Skipped"}[stage.status]].add(info["Stage ID"])

    def stage_of(self, event) -> Stage | None:
        return self.stage_states.get((event["Stage ID"], event.get("Stage Attempt ID", 0)))

    def on_TaskStart(self, event):
        info, stage = event["Task Info"], self.stage_of(event)
        if stage is None:
            return
        logs = self.executors.get(info["Executor ID"], {}).get("executorLogs", {})
        stage.tasks[info["Task ID"]] = Task(info, logs)
        for job in self.jobs_of(event["Stage ID"]):
            job.active_tasks += 1

    def on_TaskEnd(self, event):
        stage, info, reason = self.stage_of(event), event["Task Info"], event["Task End Reason"]
        if stage is None:
            return
        task = stage.tasks.setdefault(info["Task ID"], Task(info, {}))
        task.end(event)
        outcome = outcome_of(reason)
        jobs = self.jobs_of(event["Stage ID"])
        for counted in (stage, *jobs):
            counted.ended[outcome] += 1
            if outcome == "killed":
                counted.kills[task.error] += 1
        for job in jobs:
            job.active_tasks -= 1
        if outcome == "completed":
            stage.indices.add(info["Index"])
            for job in jobs:
                job.indices.add((event["Stage ID"], info["Index"]))
        if info.get("Speculative"):
            stage.speculative[outcome] += 1
        executor = self.executors.get(info["Executor ID"])
        if executor is not None:
            executor["ended"][outcome] += 1

    # The answers, by their place below /applications/<id>.

    def attempt_info(self, **more) -> Json:
        ended = self.end_ms is not None
        info = {"startTime": rest_time(self.start_ms), "endTime": rest_time(self.end_ms) if ended else "1969-12-31T23:59:59.999GMT"}
        last = self.end_ms if ended else self.start_ms + 60_000
        info |= {"lastUpdated": rest_time(last), "duration": last - self.start_ms, "sparkUser": self.user, "completed": ended}
        info |= {"appSparkVersion": self.version, "startTimeEpoch": self.start_ms, "lastUpdatedEpoch": last}
        info |= {"endTimeEpoch": self.end_ms if ended else -1}
        return ({"attemptId": self.attempt} if self.attempt is not None else {}) | info | more

    def jobs(self) -> list[Json]:
        return [self.job_states[number].answer() for number in sorted(self.job_states, reverse=True)]

    def stages(self) -> list[Json]:
        return [self.stage_states[key].answer() for key in sorted(self.stage_states, reverse=True)]

    def task_list(self, stage: int, attempt: int) -> list[Json]:
        tasks = self.stage_states[stage, attempt].tasks
        return [tasks[number].row() for number in sorted(tasks)]

    def allexecutors(self) -> list[Json]:
        answers = []
        for executor in self.executors.values():
            ended = executor["ended"]
            counts = {"activeTasks": 0, "failedTasks": ended["failed"], "completedTasks": ended["completed"], "totalTasks": ended.total()}
            shown = {key: value for key, value in executor.items() if key != "ended"}
            answers.append(shown | {"maxTasks": executor["totalCores"]} | counts)
        return answers

    def environment(self) -> Json:
        event = self.environment_event
        pairs = {"sparkProperties": "Spark", "hadoopProperties": "Hadoop", "systemProperties": "System", "metricsProperties": "Metrics"}
        java = event.get("JVM Information", {})
        return {
            "runtime": {name: java.get(key, "") for name, key in RUNTIME.items()},
            **{name: sorted(map(list, event.get(f"{key} Properties", {}).items())) for name, key in pairs.items()},
            "classpathEntries": sorted(map(list, event.get("Classpath Entries", {}).items())),
            "resourceProfiles": [profile_answer(profile) for profile in self.profiles],
        }

    def sql(self) -> list[Json]:
        return self.queries.answers(list(self.job_states.values()))


def profile_answer(event: Json) -> Json:
    def named(requests: Json) -> Json:
        keys = {"Resource Name": "resourceName", "Amount": "amount", "Discovery Script": "discoveryScript", "Vendor": "vendor"}
        return {name: {keys[key]: value for key, value in request.items()} for name, request in requests.items()}

    return {
        "id": event["Resource Profile Id"],
        "executorResources": named(event["Executor Resource Requests"]),
        "taskResources": named(event["Task Resource Requests"]),
    }
