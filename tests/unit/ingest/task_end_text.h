// The line of a task's end, written out by hand.
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "ingest/events.h"
#include "ingest/line_splitter.h"

namespace stagegate::test {

inline constexpr TaskDepth kDepths[] = {TaskDepth::judged, TaskDepth::all};

inline std::string padded(std::string_view line) {
  return std::string(line) + "\n" + std::string(kLinePadding - 1, 'x');
}

inline void expect_same_numbers(const TaskNumbers& a, const TaskNumbers& b, const std::string& line) {
  EXPECT_EQ(a.present, b.present) << line;
  EXPECT_EQ(a.values, b.values) << line;
}

// A line of Spark 4.x, in pieces that a test may replace.
struct Pieces {
  std::string begin = R"({"Event":"SparkListenerTaskEnd","Stage ID":3,"Stage Attempt ID":1,"Task Type":"ResultTask",)";
  std::string reason = R"("Task End Reason":{"Reason":"Success"},)";
  std::string info =
      R"("Task Info":{"Task ID":17,"Index":5,"Attempt":2,"Partition ID":9,"Launch Time":1000,"Executor ID":"4","Host":"10.0.0.4",)"
      R"("Locality":"NODE_LOCAL","Speculative":true,"Getting Result Time":2500,"Finish Time":3000,"Failed":false,"Killed":false,)";
  std::string accumulables =
      R"("Accumulables":[{"ID":12,"Name":"internal.metrics.executorRunTime","Update":7,"Value":9,"Internal":true,"Count Failed Values":true},)"
      R"({"ID":13,"Name":"number of output rows","Update":"5","Value":"5","Internal":true,"Count Failed Values":true,"Metadata":"sql"}]},)";
  std::string executor = R"("Task Executor Metrics":{"JVMHeapMemory":1,"MajorGCTime":0},)";
  std::string own =
      R"("Task Metrics":{"Executor Deserialize Time":1,"Executor Deserialize CPU Time":2,"Executor Run Time":3,"Executor CPU Time":4,)"
      R"("Peak Execution Memory":5,"Peak On Heap Execution Memory":6,"Peak Off Heap Execution Memory":7,"Result Size":8,"JVM GC Time":9,)"
      R"("Result Serialization Time":10,"Memory Bytes Spilled":11,"Disk Bytes Spilled":12,)";
  std::string shuffle_read =
      R"("Shuffle Read Metrics":{"Remote Blocks Fetched":13,"Local Blocks Fetched":14,"Fetch Wait Time":15,"Remote Bytes Read":16,)"
      R"("Remote Bytes Read To Disk":17,"Local Bytes Read":18,"Total Records Read":19,"Remote Requests Duration":20,)";
  std::string push =
      R"("Push Based Shuffle":{"Corrupt Merged Block Chunks":21,"Merged Fetch Fallback Count":22,"Merged Remote Blocks Fetched":23,)"
      R"("Merged Local Blocks Fetched":24,"Merged Remote Chunks Fetched":25,"Merged Local Chunks Fetched":26,"Merged Remote Bytes Read":27,)"
      R"("Merged Local Bytes Read":28,"Merged Remote Requests Duration":29}},)";
  std::string shuffle_write =
      R"("Shuffle Write Metrics":{"Shuffle Bytes Written":30,"Shuffle Write Time":31,"Shuffle Records Written":32},)";
  std::string input = R"("Input Metrics":{"Bytes Read":33,"Records Read":34},)";
  std::string output = R"("Output Metrics":{"Bytes Written":35,"Records Written":36},)";
  std::string blocks = R"("Updated Blocks":[])";
  std::string end = "}}";

  std::string line() const {
    return begin + reason + info + accumulables + executor + own + shuffle_read + push + shuffle_write + input + output + blocks + end;
  }
};

inline std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

inline std::string line_with(std::string_view what, std::string_view by) {
  return replaced(Pieces().line(), what, by);
}

}  // namespace stagegate::test
