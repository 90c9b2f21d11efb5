"""A site whose application has one stage of more tasks than anybody wants to hold."""

from __future__ import annotations

from event_log import Application, event_log_text
from rest_answers import RestAnswers
from rest_tasks import Json, rest_time
from spark_site import Logged, SparkSite
from web_server import Answer, Request, json_answer


class ManyTasks:
    """The UI of an application with one stage of many tasks, each page of which is made when it is asked for."""

    ROW = (
        '{"taskId":%d,"index":%d,"attempt":0,"partitionId":%d,"launchTime":"2026-11-30T08:00:00.000GMT","duration":%d,'
        '"executorId":"1","host":"worker","status":"SUCCESS","taskLocality":"PROCESS_LOCAL","speculative":false,'
        '"accumulatorUpdates":[],"taskMetrics":{"executorDeserializeTime":5,"executorDeserializeCpuTime":4000000,'
        '"executorRunTime":90,"executorCpuTime":80000000,"resultSize":2231,"jvmGcTime":0,"resultSerializationTime":1,'
        '"memoryBytesSpilled":0,"diskBytesSpilled":0,"peakExecutionMemory":0,"inputMetrics":{"bytesRead":0,"recordsRead":0},'
        '"outputMetrics":{"bytesWritten":0,"recordsWritten":0},"shuffleReadMetrics":{"remoteBlocksFetched":1,'
        '"localBlocksFetched":1,"fetchWaitTime":0,"remoteBytesRead":%d,"remoteBytesReadToDisk":0,"localBytesRead":1000,'
        '"recordsRead":10,"remoteReqsDuration":0},"shuffleWriteMetrics":{"bytesWritten":0,"writeTime":0,"recordsWritten":0}},'
        '"executorLogs":{},"schedulerDelay":4,"gettingResultTime":0}'
    )

    def __init__(self, tasks: int, live: bool = True):
        self.tasks = tasks
        lines = event_log_text(Application([])).splitlines()
        self.site = SparkSite([Logged(RestAnswers(lines), {})], live=live)

    def remote_bytes(self, index: int) -> int:
        return 7 * (index % 1000)

    def row(self, index: int) -> str:
        return self.ROW % (index, index, index, 100 + index % 50, self.remote_bytes(index))

    def stage(self) -> Json:
        tasks = self.tasks
        stage = {"status": "COMPLETE", "stageId": 0, "attemptId": 0, "numTasks": tasks, "numActiveTasks": 0, "numCompleteTasks": tasks}
        stage |= {"numFailedTasks": 0, "numKilledTasks": 0, "numCompletedIndices": tasks, "name": "collect at many.py:1", "details": ""}
        sums = ("executorRunTime", "executorCpuTime", "inputBytes", "inputRecords", "outputBytes", "outputRecords", "shuffleWriteBytes")
        stage |= dict.fromkeys((*sums, "shuffleWriteRecords", "memoryBytesSpilled", "diskBytesSpilled"), 0)
        stage |= {"shuffleReadBytes": self.read_bytes(), "shuffleReadRecords": 10 * tasks, "schedulingPool": "default", "rddIds": []}
        stage |= {"accumulatorUpdates": [], "killedTasksSummary": {}, "resourceProfileId": 0}
        times = ("submissionTime", "firstTaskLaunchedTime", "completionTime")
        return stage | {name: rest_time(1_795_980_000_000 + 1000 * i) for i, name in enumerate(times)}

    def read_bytes(self) -> int:
        return sum(1000 + self.remote_bytes(index) for index in range(self.tasks))

    def job(self) -> Json:
        counts = {"numTasks": self.tasks, "numCompletedTasks": self.tasks, "numCompletedIndices": self.tasks, "numCompletedStages": 1}
        names = ("numActiveTasks", "numSkippedTasks", "numFailedTasks", "numKilledTasks", "numActiveStages", "numSkippedStages")
        job = {"jobId": 0, "name": "collect at many.py:1", "stageIds": [0], "jobTags": [], "status": "SUCCEEDED", "killedTasksSummary": {}}
        return job | counts | dict.fromkeys((*names, "numFailedStages"), 0)

    def __call__(self, request: Request) -> Answer:
        path = request.path.rstrip("/")
        if path.endswith("/taskList"):
            begin = request.number("offset", 0)
            end = min(begin + request.number("length", 20), self.tasks)
            return Answer(body=("[" + ",".join(map(self.row, range(begin, end))) + "]").encode())
        if path.endswith("/stages"):
            return json_answer([self.stage()])
        if path.endswith("/stages/0/0"):
            return json_answer(self.stage())
        if path.endswith("/jobs"):
            return json_answer([self.job()])
        return self.site(request)
