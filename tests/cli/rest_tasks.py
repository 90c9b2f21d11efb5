"""The rows of Spark's taskList out of task events, and the sums that Spark shows for a stage: of every task end with metrics.

Independent of stagegate; test_rest_answers.py holds it against what Spark's own history server answered.
"""

from __future__ import annotations

import time

Json = dict

# How the REST API names a metric, and where the event log has it.
SCALARS = {
    "executorDeserializeTime": "Executor Deserialize Time",
    "executorDeserializeCpuTime": "Executor Deserialize CPU Time",
    "executorRunTime": "Executor Run Time",
    "executorCpuTime": "Executor CPU Time",
    "resultSize": "Result Size",
    "jvmGcTime": "JVM GC Time",
    "resultSerializationTime": "Result Serialization Time",
    "memoryBytesSpilled": "Memory Bytes Spilled",
    "diskBytesSpilled": "Disk Bytes Spilled",
    "peakExecutionMemory": "Peak Execution Memory",
}
INPUT = {"bytesRead": "Bytes Read", "recordsRead": "Records Read"}
OUTPUT = {"bytesWritten": "Bytes Written", "recordsWritten": "Records Written"}
SHUFFLE_READ = {
    "remoteBlocksFetched": "Remote Blocks Fetched",
    "localBlocksFetched": "Local Blocks Fetched",
    "fetchWaitTime": "Fetch Wait Time",
    "remoteBytesRead": "Remote Bytes Read",
    "remoteBytesReadToDisk": "Remote Bytes Read To Disk",
    "localBytesRead": "Local Bytes Read",
    "recordsRead": "Total Records Read",
    "remoteReqsDuration": "Remote Requests Duration",
}
SHUFFLE_PUSH = {
    "corruptMergedBlockChunks": "Corrupt Merged Block Chunks",
    "mergedFetchFallbackCount": "Merged Fetch Fallback Count",
    "remoteMergedBlocksFetched": "Merged Remote Blocks Fetched",
    "localMergedBlocksFetched": "Merged Local Blocks Fetched",
    "remoteMergedChunksFetched": "Merged Remote Chunks Fetched",
    "localMergedChunksFetched": "Merged Local Chunks Fetched",
    "remoteMergedBytesRead": "Merged Remote Bytes Read",
    "localMergedBytesRead": "Merged Local Bytes Read",
    "remoteMergedReqsDuration": "Merged Remote Requests Duration",
}
SHUFFLE_WRITE = {"bytesWritten": "Shuffle Bytes Written", "writeTime": "Shuffle Write Time", "recordsWritten": "Shuffle Records Written"}

# The sums of a stage, and where a task's metrics have the part.
STAGE_SUMS = {
    **{name: (name,) for name in SCALARS},
    "inputBytes": ("inputMetrics", "bytesRead"),
    "inputRecords": ("inputMetrics", "recordsRead"),
    "outputBytes": ("outputMetrics", "bytesWritten"),
    "outputRecords": ("outputMetrics", "recordsWritten"),
    "shuffleReadRecords": ("shuffleReadMetrics", "recordsRead"),
    "shuffleRemoteBlocksFetched": ("shuffleReadMetrics", "remoteBlocksFetched"),
    "shuffleLocalBlocksFetched": ("shuffleReadMetrics", "localBlocksFetched"),
    "shuffleFetchWaitTime": ("shuffleReadMetrics", "fetchWaitTime"),
    "shuffleRemoteBytesRead": ("shuffleReadMetrics", "remoteBytesRead"),
    "shuffleRemoteBytesReadToDisk": ("shuffleReadMetrics", "remoteBytesReadToDisk"),
    "shuffleLocalBytesRead": ("shuffleReadMetrics", "localBytesRead"),
    "shuffleRemoteReqsDuration": ("shuffleReadMetrics", "remoteReqsDuration"),
    "shuffleWriteBytes": ("shuffleWriteMetrics", "bytesWritten"),
    "shuffleWriteTime": ("shuffleWriteMetrics", "writeTime"),
    "shuffleWriteRecords": ("shuffleWriteMetrics", "recordsWritten"),
}

FETCH_IDS = {"shuffleId": "Shuffle ID", "mapIndex": "Map Index", "mapId": "Map ID", "reduceId": "Reduce ID"}


def rest_time(milliseconds: int) -> str:
    seconds, rest = divmod(milliseconds, 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{rest:03}GMT"


def group(metrics: Json, name: str, keys: dict[str, str]) -> Json:
    logged = metrics.get(name) or {}
    return {key: logged.get(log_key, 0) for key, log_key in keys.items()}


def task_metrics(logged: Json) -> Json:
    push = group(logged.get("Shuffle Read Metrics") or {}, "Push Based Shuffle", SHUFFLE_PUSH)
    return {
        **{key: logged.get(log_key, 0) for key, log_key in SCALARS.items()},
        "inputMetrics": group(logged, "Input Metrics", INPUT),
        "outputMetrics": group(logged, "Output Metrics", OUTPUT),
        "shuffleReadMetrics": {**group(logged, "Shuffle Read Metrics", SHUFFLE_READ), "shufflePushReadMetrics": push},
        "shuffleWriteMetrics": group(logged, "Shuffle Write Metrics", SHUFFLE_WRITE),
    }


def error_message(reason: Json) -> str | None:
    """As Spark's TaskFailedReason.toErrorString."""
    kind = reason["Reason"]
    if kind == "Success":
        return None
    if kind == "TaskKilled":
        return reason.get("Kill Reason", "unknown reason")
    if kind == "ExceptionFailure":
        return reason.get("Full Stack Trace") or f"{reason['Class Name']}: {reason['Description']}\n"
    if kind == "ExecutorLostFailure":
        cause = "caused by one of the running tasks" if reason.get("Exit Caused By App", True) else "unrelated to the running tasks"
        why = f" Reason: {reason['Loss Reason']}" if reason.get("Loss Reason") else ""
        return f"ExecutorLostFailure (executor {reason['Executor ID']} exited {cause}){why}"
    if kind == "FetchFailed":
        address = reason.get("Block Manager Address") or {}
        where = f"BlockManagerId({address['Executor ID']}, {address['Host']}, {address['Port']}, None)" if address else "null"
        ids = ", ".join(f"{name}={reason[key]}" for name, key in FETCH_IDS.items() if key in reason)
        return f"FetchFailed({where}, {ids}, message=\n{reason['Message']}\n)"
    return {
        "Resubmitted": "Resubmitted (resubmitted due to lost executor)",
        "TaskResultLost": "TaskResultLost (result lost from block manager)",
        "UnknownReason": "UnknownReason",
    }.get(kind, f"{kind} (Driver denied task commit) for job: 0, partition: 0, attemptNumber: 0")


def outcome_of(reason: Json) -> str:
    """Which of a stage's counts a task end raises."""
    if reason["Reason"] == "Success":
        return "completed"
    return "killed" if reason["Reason"] in ("TaskKilled", "TaskCommitDenied") else "failed"


def is_shown(accumulable: Json) -> bool:
    return not accumulable.get("Internal") and accumulable.get("Metadata") != "sql" and accumulable.get("Name") is not None


def status_of(info: Json) -> str:
    if not info["Finish Time"]:
        return "GET RESULT" if info["Getting Result Time"] else "RUNNING"
    return "FAILED" if info["Failed"] else "KILLED" if info.get("Killed") else "SUCCESS"


class Task:
    def __init__(self, info: Json, executor_logs: Json):
        self.info = info
        self.executor_logs = executor_logs
        self.metrics: Json | None = None
        self.error: str | None = None

    def end(self, event: Json):
        self.info = event["Task Info"]
        self.error = error_message(event["Task End Reason"])
        if event.get("Task Metrics"):
            self.metrics = task_metrics(event["Task Metrics"])

    def duration(self) -> int | None:
        return self.info["Finish Time"] - self.info["Launch Time"] if self.info["Finish Time"] else None

    def getting_result_ms(self) -> int:
        begin = self.info["Getting Result Time"]
        return self.info["Finish Time"] - begin if begin and self.info["Finish Time"] else 0

    def scheduler_delay_ms(self) -> int:
        if self.metrics is None or not self.info["Finish Time"]:
            return 0
        work = sum(self.metrics[name] for name in ("executorRunTime", "executorDeserializeTime", "resultSerializationTime"))
        return max(0, self.duration() - work - self.getting_result_ms())

    def row(self) -> Json:
        info = self.info
        row = {
            "taskId": info["Task ID"],
            "index": info["Index"],
            "attempt": info.get("Attempt", 1),
            "partitionId": info.get("Partition ID", -1),
            "launchTime": rest_time(info["Launch Time"]),
            "executorId": info["Executor ID"],
            "host": info["Host"],
            "status": status_of(info),
            "taskLocality": info["Locality"],
            "speculative": info.get("Speculative", False),
            "accumulatorUpdates": [
                {"id": a["ID"], "name": a["Name"], "update": str(a["Update"]), "value": str(a["Value"])}
                for a in info.get("Accumulables", [])
                if is_shown(a) and "Update" in a
            ],
            "executorLogs": self.executor_logs,
            "schedulerDelay": self.scheduler_delay_ms(),
            "gettingResultTime": self.getting_result_ms(),
        }
        optional = {"duration": self.duration(), "errorMessage": self.error, "taskMetrics": self.metrics}
        if info["Getting Result Time"]:
            optional["resultFetchStart"] = rest_time(info["Getting Result Time"])
        return row | {name: value for name, value in optional.items() if value is not None}


def stage_sums(tasks: list[Task]) -> Json:
    sums = dict.fromkeys(STAGE_SUMS, 0)
    for metrics in (task.metrics for task in tasks if task.metrics is not None):
        for name, path in STAGE_SUMS.items():
            value = metrics
            for key in path:
                value = value[key]
            sums[name] += value
    return sums | {"shuffleReadBytes": sums["shuffleRemoteBytesRead"] + sums["shuffleLocalBytesRead"]}
