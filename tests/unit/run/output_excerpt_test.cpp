#include "run/output_excerpt.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/text.h"

namespace stagegate {
namespace {

std::string traceback(const std::string& text, std::size_t max_lines = 20) {
  return join(last_traceback(text, max_lines), "\n");
}

std::string telling(const std::string& text, std::size_t max_lines = 20) {
  return join(last_telling_lines(text, max_lines), "\n");
}

TEST(OutputExcerpt, KnowsNoise) {
  for (const auto* line :
       {"26/11/29 17:45:13 WARN NativeCodeLoader: Unable to load native-hadoop library", "26/11/29 17:45:13 INFO SparkContext: Running",
        "2026-11-29 17:45:13,123 INFO  SparkContext: x", "2026-11-29T17:45:13.123Z WARN x",
        "WARNING: Using incubator modules: jdk.incubator.vector", "NOTE: Picked up JDK_JAVA_OPTIONS: -Dspark.x=y",
        "Setting default log level to \"WARN\".", "[Stage 3:=====>                                        (12 + 4) / 200]",
        "\tat org.apache.spark.scheduler.Task.run(Task.scala:1)", "\tat java.base/java.lang.Thread.run(Thread.java:840)", "\t... 12 more",
        R"({"ts":"2026-11-29T17:45:13Z","level":"WARN","msg":"x"})"}) {
    EXPECT_TRUE(is_noise(line)) << line;
  }
}

TEST(OutputExcerpt, KnowsWhatIsNone) {
  for (const auto* line : {"26/11/29 17:45:13 ERROR Executor: Exception in task 0.0", "2026 rows written", "12:30 is the time",
                           "\tat com.acme.Revenue$.main(Revenue.scala:12)", "ValueError: INFO", "INFO from the job itself", "",
                           R"({"ts":"2026-11-29T17:45:13Z","level":"ERROR","msg":"x"})"}) {
    EXPECT_FALSE(is_noise(line)) << line;
  }
}

TEST(OutputExcerpt, ShowsThePythonExceptionWithItsTraceback) {
  EXPECT_EQ(traceback("26/11/29 17:45:13 INFO SparkContext: Running Spark\n"
                      "Traceback (most recent call last):\n"
                      "  File \"/m/jobs/revenue.py\", line 8, in <module>\n"
                      "    main()\n"
                      "ValueError: no such day\n"
                      "26/11/29 17:45:14 INFO ShutdownHookManager: Shutdown hook called\n"),
            "Traceback (most recent call last):\n"
            "  File \"/m/jobs/revenue.py\", line 8, in <module>\n"
            "    main()\n"
            "ValueError: no such day");
}

TEST(OutputExcerpt, ShowsTheLastOfSeveralTracebacks) {
  EXPECT_EQ(
      traceback(
          "Traceback (most recent call last):\n  File \"a\"\nKeyError: 1\n\nDuring handling of the above exception, another exception "
          "occurred:\n\nTraceback (most recent call last):\n  File \"b\"\nValueError: 2\n"),
      "Traceback (most recent call last):\n  File \"b\"\nValueError: 2");
}

TEST(OutputExcerpt, ShowsTheMessageOfAJavaExceptionWithoutItsFrames) {
  EXPECT_EQ(traceback("Traceback (most recent call last):\n"
                      "  File \"/m/jobs/revenue.py\", line 8, in <module>\n"
                      "py4j.protocol.Py4JJavaError: An error occurred while calling o63.parquet.\n"
                      ": org.apache.spark.SparkException: Job aborted due to stage failure\n"
                      "\tat org.apache.spark.scheduler.DAGScheduler.failJobAndIndependentStages(DAGScheduler.scala:1)\n"
                      "\tat com.acme.Udf.call(Udf.java:1)\n"),
            "Traceback (most recent call last):\n"
            "  File \"/m/jobs/revenue.py\", line 8, in <module>\n"
            "py4j.protocol.Py4JJavaError: An error occurred while calling o63.parquet.\n"
            ": org.apache.spark.SparkException: Job aborted due to stage failure");
}

TEST(OutputExcerpt, KeepsHeadAndTailOfALongTraceback) {
  std::string text = "Traceback (most recent call last):\n  File \"mine\"\n";
  for (int i = 0; i < 100; ++i) {
    text += "  File \"library\"\n";
  }
  text += "ValueError: x\n";
  EXPECT_EQ(traceback(text, 6),
            "Traceback (most recent call last):\n  File \"mine\"\n  ...\n  File \"library\"\n  File \"library\"\nValueError: x");
  EXPECT_EQ(traceback(text, 2), "  ...\nValueError: x");
  EXPECT_EQ(traceback(text, 1), "ValueError: x");
}

TEST(OutputExcerpt, ShowsAWorkersTracebackBehindTheDriversOne) {
  // As Spark 3.5 writes it; 4.x has the first two lines of the message in one.
  const std::string text =
      "Traceback (most recent call last):\n"
      "  File \"/m/jobs/revenue.py\", line 9, in <module>\n"
      "    main()\n"
      "pyspark.errors.exceptions.captured.PythonException: \n"
      "  An exception was thrown from the Python worker. Please see the stack trace below.\n"
      "Traceback (most recent call last):\n"
      "  File \"/m/jobs/revenue.py\", line 6, in bad\n"
      "    return 1 // (x - 5)\n"
      "ZeroDivisionError: integer division or modulo by zero";
  EXPECT_EQ(traceback("26/11/29 17:45:13 WARN TaskSetManager: Lost task 1.0: PythonException: Traceback (most recent call last):\n"
                      "  File \"/m/jobs/revenue.py\", line 6, in bad\n" +
                      text + "\n\n"),
            text);
}

TEST(OutputExcerpt, HasNoTracebackWhereThereIsNone) {
  EXPECT_EQ(traceback("ValueError: x\n"), "");
}

TEST(OutputExcerpt, ShowsTheLastLinesThatAreNoNoise) {
  EXPECT_EQ(telling("one\ntwo\nException in thread \"main\" java.lang.RuntimeException: x\n"
                    "\tat com.acme.Revenue$.main(Revenue.scala:12)\n"
                    "\tat org.apache.spark.deploy.SparkSubmit.main(SparkSubmit.scala)\n"
                    "26/11/29 17:45:14 INFO ShutdownHookManager: Shutdown hook called\n\n",
                    3),
            "two\nException in thread \"main\" java.lang.RuntimeException: x\n\tat com.acme.Revenue$.main(Revenue.scala:12)");
}

TEST(OutputExcerpt, DropsTheEventsThatSlowListenersPrint) {
  const std::string dump =
      "26/11/29 17:45:14 INFO AsyncEventQueue: Process of event SparkListenerSQLExecutionStart(0,Some(0),collect\n"
      "(1) Range [codegen id : 1]\n";
  EXPECT_EQ(telling("before\n" + dump + ",Map(),Set()) by listener EventLoggingListener took 1.03s.\nafter\n"), "before\nafter");
  EXPECT_EQ(telling("before\n" + dump), "before\n(1) Range [codegen id : 1]") << "one without an end hides nothing";
}

TEST(OutputExcerpt, IsEmptyWhereAllIsNoise) {
  EXPECT_EQ(telling("26/11/29 17:45:13 INFO SparkContext: Running\n\n"), "");
  EXPECT_EQ(telling(""), "");
}

}  // namespace
}  // namespace stagegate
