"""Writes event logs as Spark 4 writes them: plain, a line an event, every task with its full metrics.

An application here is what a small RDD job leaves: for each shuffle one Spark job of two stages, a map stage that reads records from
outside and writes the shuffle, and a result stage whose tasks read it. How much each of these reads is the caller's.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

START_MS = 1_795_980_000_000
HOST = "ci-runner"


@dataclass
class Shuffle:
    description: str  # of the Spark job: what the author says it does
    read_bytes: list[int]  # of each task of the result stage
    map_tasks: int = 4
    records: int = 1000  # that the map stage reads from outside


@dataclass
class Application:
    shuffles: list[Shuffle]
    id: str = "local-1795980000000"
    name: str = "fake"
    spark_version: str = "4.3.0"
    cores: int = 4
    properties: dict[str, str] = field(default_factory=dict)
    failed_tasks: int = 0  # tasks of each result stage that fail once, before they succeed
    spilled_bytes: int = 0  # to disk, by the first task of each result stage
    lost_tasks: int = 0  # task ends of the last stage that the listener bus dropped
    # A query of which a stage is cancelled half way, with the query's error message; "": it succeeds, for it did not need the stage.
    query_error: str | None = None
    stopped_early: bool = False  # the context is stopped while the last stage runs
    ended: bool = True  # False: the driver died, so no application end


def storage_level():
    return {"Use Disk": False, "Use Memory": False, "Use Off Heap": False, "Deserialized": False, "Replication": 1}


def rdd(number, name, scope, call_site, parents, partitions):
    return {
        "RDD ID": number,
        "Name": name,
        "Scope": json.dumps({"id": str(number), "name": scope}, separators=(",", ":")),
        "Callsite": call_site,
        "Parent IDs": parents,
        "Storage Level": storage_level(),
        "Barrier": False,
        "DeterministicLevel": "DETERMINATE",
        "Number of Partitions": partitions,
        "Number of Cached Partitions": 0,
        "Memory Size": 0,
        "Disk Size": 0,
    }


def task_metrics(*, read_bytes=0, written_bytes=0, input_records=0, spilled_bytes=0):
    return {
        "Executor Deserialize Time": 5,
        "Executor Deserialize CPU Time": 4_000_000,
        "Executor Run Time": 90,
        "Executor CPU Time": 80_000_000,
        "Peak Execution Memory": 1024,
        "Peak On Heap Execution Memory": 1024,
        "Peak Off Heap Execution Memory": 0,
        "Result Size": 2231,
        "JVM GC Time": 0,
        "Result Serialization Time": 1,
        "Memory Bytes Spilled": 2 * spilled_bytes,
        "Disk Bytes Spilled": spilled_bytes,
        "Shuffle Read Metrics": {
            "Remote Blocks Fetched": 0,
            "Local Blocks Fetched": 4 if read_bytes else 0,
            "Fetch Wait Time": 0,
            "Remote Bytes Read": 0,
            "Remote Bytes Read To Disk": 0,
            "Local Bytes Read": read_bytes,
            "Total Records Read": read_bytes // 10,
            "Remote Requests Duration": 0,
            "Push Based Shuffle": {
                "Corrupt Merged Block Chunks": 0,
                "Merged Fetch Fallback Count": 0,
                "Merged Remote Blocks Fetched": 0,
                "Merged Local Blocks Fetched": 0,
                "Merged Remote Chunks Fetched": 0,
                "Merged Local Chunks Fetched": 0,
                "Merged Remote Bytes Read": 0,
                "Merged Local Bytes Read": 0,
                "Merged Remote Requests Duration": 0,
            },
        },
        "Shuffle Write Metrics": {
            "Shuffle Bytes Written": written_bytes,
            "Shuffle Write Time": 1_000_000,
            "Shuffle Records Written": written_bytes // 10,
        },
        "Input Metrics": {"Bytes Read": 20 * input_records, "Records Read": input_records},
        "Output Metrics": {"Bytes Written": 0, "Records Written": 0},
        "Updated Blocks": [],
    }


class Writer:
    """The events of one application, in the order in which Spark logs them."""

    def __init__(self, application: Application):
        self.application = application
        self.lines = []
        self.now = START_MS
        self.next_task = 0
        self.next_rdd = 0

    def event(self, name, **members):
        # Spark's own history server tells the kinds of events by the text `{"Event":"NAME"`: no blanks.
        members = {key.replace("_", " "): value for key, value in members.items()}
        self.lines.append(json.dumps({"Event": name, **members}, separators=(",", ":")))

    def tick(self, milliseconds=10):
        self.now += milliseconds
        return self.now

    def text(self):
        self.begin()
        shuffles = self.application.shuffles
        for number, shuffle in enumerate(shuffles):
            self.job(number, shuffle, last=number == len(shuffles) - 1)
        if self.application.query_error is not None:
            self.query(len(shuffles), self.application.query_error)
        if self.application.ended:
            self.event("SparkListenerApplicationEnd", Timestamp=self.tick(), ExitCode=0)
        return "".join(line + "\n" for line in self.lines)

    def begin(self):
        application = self.application
        self.event("SparkListenerLogStart", Spark_Version=application.spark_version)
        self.event(
            "SparkListenerResourceProfileAdded",
            **{
                "Resource Profile Id": 0,
                "Executor Resource Requests": {
                    "cores": {"Resource Name": "cores", "Amount": 1, "Discovery Script": "", "Vendor": ""},
                    "memory": {"Resource Name": "memory", "Amount": 1024, "Discovery Script": "", "Vendor": ""},
                },
                "Task Resource Requests": {"cpus": {"Resource Name": "cpus", "Amount": 1.0}},
            },
        )
        self.event(
            "SparkListenerExecutorAdded",
            Timestamp=self.tick(),
            **{
                "Executor ID": "driver",
                "Executor Info": {
                    "Host": HOST,
                    "Total Cores": application.cores,
                    "Log Urls": {},
                    "Attributes": {},
                    "Resources": {},
                    "Resource Profile Id": 0,
                },
            },
        )
        self.event(
            "SparkListenerBlockManagerAdded",
            **{
                "Block Manager ID": {"Executor ID": "driver", "Host": HOST, "Port": 42643},
                "Maximum Memory": 455_501_414,
                "Timestamp": self.tick(),
                "Maximum Onheap Memory": 455_501_414,
                "Maximum Offheap Memory": 0,
            },
        )
        own = {
            "spark.app.id": application.id,
            "spark.app.name": application.name,
            "spark.executor.id": "driver",
            "spark.driver.host": HOST,
            "spark.master": f"local[{application.cores}]",
            "spark.scheduler.mode": "FIFO",
            "spark.submit.deployMode": "client",
        }
        self.event(
            "SparkListenerEnvironmentUpdate",
            **{
                "JVM Information": {"Java Home": "/opt/java", "Java Version": "17.0.15 (Debian)", "Scala Version": "version 2.13.18"},
                "Spark Properties": {**own, **application.properties},
                "Hadoop Properties": {"fs.defaultFS": "file:///"},
                "System Properties": {"java.io.tmpdir": "/tmp"},
                "Metrics Properties": {},
                "Classpath Entries": {"/opt/spark/jars/spark-core_2.13.jar": "System Classpath"},
            },
        )
        self.event(
            "SparkListenerApplicationStart",
            **{"App Name": application.name, "App ID": application.id, "Timestamp": START_MS, "User": "runner"},
        )

    def stage_infos(self, number, shuffle):
        call_site = f"{shuffle.description.split()[0]} at fake.py:{10 + number}"
        base = self.next_rdd
        self.next_rdd += 4
        tasks = len(shuffle.read_bytes)
        scan = rdd(base, "ParallelCollectionRDD", "parallelize", call_site, [], shuffle.map_tasks)
        mapped = rdd(base + 1, "MapPartitionsRDD", "map", call_site, [base], shuffle.map_tasks)
        shuffled = rdd(base + 2, "ShuffledRDD", "reduceByKey", call_site, [base + 1], tasks)
        result = rdd(base + 3, "MapPartitionsRDD", "mapValues", call_site, [base + 2], tasks)
        return [
            self.stage_info(2 * number, call_site, shuffle.map_tasks, [mapped, scan], []),
            self.stage_info(2 * number + 1, call_site, tasks, [result, shuffled], [2 * number]),
        ]

    @staticmethod
    def stage_info(stage, name, tasks, rdds, parents):
        return {
            "Stage ID": stage,
            "Stage Attempt ID": 0,
            "Stage Name": name,
            "Number of Tasks": tasks,
            "RDD Info": rdds,
            "Parent IDs": parents,
            "Details": f"org.apache.spark.rdd.RDD.collect(RDD.scala:1057)\n{name}",
            "Accumulables": [],
            "Resource Profile Id": 0,
            "Shuffle Push Enabled": False,
            "Shuffle Push Mergers Count": 0,
        }

    def job(self, number, shuffle, last):
        application = self.application
        infos = self.stage_infos(number, shuffle)
        properties = {"spark.job.description": shuffle.description, "spark.rdd.scope.noOverride": "true"}
        self.job_start(number, infos, properties)
        written = sum(shuffle.read_bytes)
        self.stage(
            infos[0],
            properties,
            "ShuffleMapTask",
            [
                task_metrics(written_bytes=share(written, shuffle.map_tasks, i), input_records=share(shuffle.records, shuffle.map_tasks, i))
                for i in range(shuffle.map_tasks)
            ],
        )
        self.stage(
            infos[1],
            properties,
            "ResultTask",
            [
                task_metrics(read_bytes=size, spilled_bytes=application.spilled_bytes if index == 0 else 0)
                for index, size in enumerate(shuffle.read_bytes)
            ],
            failing=application.failed_tasks,
            lost=application.lost_tasks if last else 0,
            failure="Stage cancelled because SparkContext was shut down" if application.stopped_early and last else None,
        )
        if application.stopped_early and last:
            reason = {"Message": "Job 0 cancelled because SparkContext was shut down", "Stack Trace": []}
            self.job_end(number, {"Result": "JobFailed", "Exception": reason})
        else:
            self.job_end(number, {"Result": "JobSucceeded"})

    def query(self, number, error):
        ui = "org.apache.spark.sql.execution.ui."
        plan = {"nodeName": "LocalTableScan", "simpleString": "LocalTableScan <empty>, [id#1L]"}
        plan |= {"children": [], "metadata": {}, "metrics": []}
        self.event(
            ui + "SparkListenerSQLExecutionStart",
            executionId=0,
            rootExecutionId=0,
            description="look up nothing",
            details="",
            physicalPlanDescription="== Physical Plan ==\nLocalTableScan <empty>",
            sparkPlanInfo=plan,
            time=self.tick(),
            modifiedConfigs={},
            jobTags=[],
            jobGroupId=None,
        )
        info = self.stage_infos(number, Shuffle("query", [1000] * 4))[0]
        properties = {"spark.sql.execution.id": "0", "spark.sql.execution.root.id": "0"}
        self.job_start(number, [info], properties)
        metrics = [task_metrics(written_bytes=1000, input_records=250)] * info["Number of Tasks"]
        self.stage(info, properties, "ShuffleMapTask", metrics, failure="Job cancelled")
        self.job_end(number, {"Result": "JobFailed", "Exception": {"Message": "Job cancelled", "Stack Trace": []}})
        self.event(ui + "SparkListenerSQLExecutionEnd", executionId=0, time=self.tick(), errorMessage=error)

    def job_start(self, number, infos, properties):
        self.event(
            "SparkListenerJobStart",
            **{
                "Job ID": number,
                "Submission Time": self.tick(),
                "Stage Infos": infos,
                "Stage IDs": [info["Stage ID"] for info in infos],
                "Properties": properties,
            },
        )

    def job_end(self, number, result):
        self.event("SparkListenerJobEnd", **{"Job ID": number, "Completion Time": self.tick(), "Job Result": result})

    def stage(self, info, properties, task_type, metrics, failing=0, lost=0, failure=None):
        info = {**info, "Submission Time": self.tick()}
        self.event("SparkListenerStageSubmitted", **{"Stage Info": info, "Properties": properties})
        if failure:
            metrics = metrics[: len(metrics) // 2]
        for index, metric in enumerate(metrics):
            attempt = 0
            if index < failing:
                self.task(info, task_type, index, attempt, metric, failed=True)
                attempt = 1
            self.task(info, task_type, index, attempt, metric, failed=False, end_lost=index >= len(metrics) - lost)
        info = {**info, "Completion Time": self.tick()}
        if failure:
            info["Failure Reason"] = failure
        self.event("SparkListenerStageCompleted", **{"Stage Info": info})

    def task(self, info, task_type, index, attempt, metrics, failed, end_lost=False):
        task = {
            "Task ID": self.next_task,
            "Index": index,
            "Attempt": attempt,
            "Partition ID": index,
            "Launch Time": self.tick(),
            "Executor ID": "driver",
            "Host": HOST,
            "Locality": "PROCESS_LOCAL",
            "Speculative": False,
            "Getting Result Time": 0,
            "Finish Time": 0,
            "Failed": False,
            "Killed": False,
            "Accumulables": [],
        }
        self.next_task += 1
        where = {"Stage ID": info["Stage ID"], "Stage Attempt ID": info["Stage Attempt ID"]}
        self.event("SparkListenerTaskStart", **where, **{"Task Info": task})
        if end_lost:
            return
        reason = {"Reason": "Success"}
        if failed:
            reason = {
                "Reason": "ExceptionFailure",
                "Class Name": "java.lang.IllegalStateException",
                "Description": "not this time",
                "Stack Trace": [],
                "Full Stack Trace": "java.lang.IllegalStateException: not this time",
                "Accumulator Updates": [],
            }
        self.event(
            "SparkListenerTaskEnd",
            **where,
            **{
                "Task Type": task_type,
                "Task End Reason": reason,
                "Task Info": {**task, "Finish Time": self.tick(100), "Failed": failed},
                "Task Executor Metrics": {"JVMHeapMemory": 0, "OnHeapExecutionMemory": 0, "MajorGCTime": 0},
                "Task Metrics": metrics,
            },
        )


def share(total, parts, index):
    """One of PARTS nearly equal integers that add up to TOTAL."""
    return total // parts + (1 if index < total % parts else 0)


def event_log_text(application: Application) -> str:
    return Writer(application).text()


def write_event_log(folder: Path, application: Application, cut_bytes: int = 0) -> Path:
    """Puts the log where Spark would: under its final name, or, where the driver died, still `.inprogress` and CUT_BYTES short."""
    text = event_log_text(application)
    name = application.id if application.ended and not cut_bytes else application.id + ".inprogress"
    path = folder / name
    path.write_text(text[: len(text) - cut_bytes] if cut_bytes else text, encoding="utf-8")
    return path
