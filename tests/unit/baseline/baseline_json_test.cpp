#include "baseline/baseline_json.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unit/baseline/baselines.h"

namespace stagegate {
namespace {

constexpr auto* kFile = "baselines/revenue/adaptive-off.json";

constexpr std::string_view kCanonical = R"({
  "conditions": {
    "conf": {
      "spark.sql.adaptive.enabled": "false",
      "spark.sql.shuffle.partitions": "200"
    },
    "cores": 4,
    "source_records": {
      "scan customers > shuffle by id": 50001,
      "scan orders > shuffle by id": 1000000
    },
    "spark": "4.1"
  },
  "findings": [
    {
      "fingerprint": "a74a61cef1b4c7b2",
      "rule": "skew",
      "stage": "join orders, customers on id",
      "unit": "ratio",
      "value_thousandths": 412345
    },
    {
      "fingerprint": "ecc362105f72747c",
      "rule": "small-tasks",
      "stage": "aggregate by country > write parquet to out",
      "unit": "count",
      "value_thousandths": 200000
    }
  ],
  "job": "revenue",
  "order": [
    [
      "0d1635b65af14290"
    ],
    [
      "a74a61cef1b4c7b2",
      "ecc362105f72747c"
    ]
  ],
  "schema": "stagegate.baseline/2",
  "stages": [
    {
      "fingerprint": "ecc362105f72747c",
      "label": "aggregate by country > write parquet to out",
      "purpose": "call parquet",
      "reads": [
        "a74a61cef1b4c7b2"
      ],
      "tasks": 200,
      "totals": {
        "output": 20465,
        "output_records": 30,
        "shuffle_read": 348031
      },
      "work": [
        "Sort [country ASC NULLS FIRST], true, 0",
        "to result"
      ]
    },
    {
      "fingerprint": "0d1635b65af14290",
      "label": "read parquet schema",
      "purpose": "",
      "reads": [],
      "tasks": 1,
      "totals": {},
      "work": []
    }
  ],
  "variant": "adaptive-off"
}
)";

// The same as the first schema had it.
constexpr std::string_view kFirstSchema = R"({
  "conditions": {
    "conf": {
      "spark.sql.adaptive.enabled": "false",
      "spark.sql.shuffle.partitions": "200"
    },
    "cores": 4,
    "source_records": {
      "scan customers > shuffle by id": 50001,
      "scan orders > shuffle by id": 1000000
    },
    "spark": "4.1"
  },
  "findings": [
    {
      "fingerprint": "a74a61cef1b4c7b2",
      "rule": "skew",
      "stage": "join orders, customers on id",
      "unit": "ratio",
      "value_thousandths": 412345
    },
    {
      "fingerprint": "ecc362105f72747c",
      "rule": "small-tasks",
      "stage": "aggregate by country > write parquet to out",
      "unit": "count",
      "value_thousandths": 200000
    }
  ],
  "job": "revenue",
  "schema": "stagegate.baseline/1",
  "stages": [
    {
      "fingerprint": "ecc362105f72747c",
      "label": "aggregate by country > write parquet to out",
      "tasks": 200,
      "totals": {
        "output": 20465,
        "output_records": 30,
        "shuffle_read": 348031
      }
    },
    {
      "fingerprint": "0d1635b65af14290",
      "label": "read parquet schema",
      "tasks": 1,
      "totals": {}
    }
  ],
  "variant": "adaptive-off"
}
)";

Result<Baseline> read(std::string_view text) {
  return read_baseline(text, kFile, "revenue", "adaptive-off");
}

std::string error_of(std::string_view text) {
  const auto baseline = read(text);
  if (baseline) {
    return "no error";
  }
  EXPECT_EQ(baseline.error().kind, ErrorKind::usage);
  return baseline.error().message;
}

std::string with(std::string_view found, std::string_view replacement) {
  std::string text(kCanonical);
  const auto at = text.find(found);
  EXPECT_NE(at, std::string::npos) << found;
  return text.replace(at, found.size(), replacement);
}

TEST(BaselineJson, HasOneFormOnly) {
  EXPECT_EQ(write_baseline(test::revenue_baseline()), kCanonical);
}

TEST(BaselineJson, TheOrderInWhichThingsWereFoundLeavesNoTrace) {
  auto baseline = test::revenue_baseline();
  std::reverse(baseline.findings.begin(), baseline.findings.end());
  std::reverse(baseline.stages.begin(), baseline.stages.end());
  EXPECT_EQ(write_baseline(baseline), kCanonical);
}

TEST(BaselineJson, ComesBackAsItWasWritten) {
  const auto baseline = read(kCanonical);
  ASSERT_TRUE(baseline) << baseline.error().message;
  EXPECT_EQ(*baseline, test::revenue_baseline());
  EXPECT_EQ(write_baseline(*baseline), kCanonical);
}

TEST(BaselineJson, AnEmptyBaselineComesBackToo) {
  const Baseline empty{.job = "revenue", .variant = "adaptive-off", .conditions = {}, .findings = {}, .stages = {}};
  const auto text = write_baseline(empty);
  EXPECT_EQ(text, R"({
  "conditions": {
    "conf": {},
    "source_records": {},
    "spark": ""
  },
  "findings": [],
  "job": "revenue",
  "order": [],
  "schema": "stagegate.baseline/2",
  "stages": [],
  "variant": "adaptive-off"
}
)");
  const auto again = read(text);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, empty);
}

TEST(BaselineJson, AFileOfTheFirstSchemaIsReadAndStaysOneUntilItIsAcceptedAnew) {
  const auto baseline = read(kFirstSchema);
  ASSERT_TRUE(baseline) << baseline.error().message;
  EXPECT_EQ(baseline->schema, 1);
  EXPECT_EQ(baseline->findings, test::revenue_baseline().findings);
  EXPECT_TRUE(baseline->stages.at(0).work.empty());
  EXPECT_EQ(write_baseline(*baseline), kFirstSchema);
}

TEST(BaselineJson, NumbersThatWereNotTheSameInEachRunAreASmallestAndALargest) {
  auto baseline = test::revenue_baseline();
  baseline.findings[0].least_thousandths = 400000;
  baseline.stages[0].tasks = {199, 200};
  baseline.stages[0].totals[index_of(Metric::shuffle_read_bytes)] = Seen(348000, 348031);
  const auto text = write_baseline(baseline);
  EXPECT_NE(text.find("\"value_thousandths\": [400000, 412345]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\"tasks\": [199, 200],\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\"shuffle_read\": [348000, 348031]\n"), std::string::npos) << text;
  const auto again = read(text);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, baseline);
}

TEST(BaselineJson, AnyTextSurvives) {
  auto baseline = test::revenue_baseline();
  baseline.conditions.conf = {{"a\"b\\c", "tab\tline\nbell\x07 \u00fc \u20ac \U0001f600"}, {"", ""}};
  baseline.findings[0].value_thousandths = std::numeric_limits<std::int64_t>::max();
  baseline.findings[1].value_thousandths = std::numeric_limits<std::int64_t>::min();
  const auto text = write_baseline(baseline);
  EXPECT_NE(text.find(R"("a\"b\\c": "tab\u0009line\u000abell\u0007 ü € 😀")"), std::string::npos) << text;
  const auto again = read(text);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, baseline);
}

TEST(BaselineJson, LineEndsOfWindowsAreRead) {
  std::string text;
  for (const char byte : kCanonical) {
    text += byte == '\n' ? "\r\n" : std::string(1, byte);
  }
  const auto baseline = read(text);
  ASSERT_TRUE(baseline) << baseline.error().message;
  EXPECT_EQ(*baseline, test::revenue_baseline());
}

TEST(BaselineJson, WhatALaterStagegateMayAddIsPassedOver) {
  EXPECT_TRUE(read(with("\"job\": \"revenue\",", "\"job\": \"revenue\", \"note\": {\"x\": [1.5]},")));
  EXPECT_TRUE(read(with("\"output\": 20465,", "\"output\": 20465, \"disk_spill\": 7, \"unheard_of\": 8,")));
}

TEST(BaselineJson, BrokenJsonIsShownWithItsPlace) {
  const std::string remedy = ": take the file from git again, or make it anew with `stagegate run` and `stagegate baseline accept`";
  EXPECT_EQ(error_of(with("\"cores\": 4,", "\"cores\": 4")), std::string(kFile) + ":8:5: this is not JSON (syntax error)" + remedy);
  EXPECT_EQ(error_of(with("\"spark\": \"4.1\"", "\"sp\u00e4rk\": 4.1x")),
            std::string(kFile) + ":12:17: this is not JSON (syntax error)" + remedy);
  EXPECT_EQ(error_of("{"), std::string(kFile) + ":1:2: this is not JSON (incomplete JSON)" + remedy);
  EXPECT_EQ(error_of(""), std::string(kFile) + ":1:1: this is not JSON (incomplete JSON)" + remedy);
  EXPECT_EQ(error_of(std::string(kCanonical) + "{}"), std::string(kFile) + ":72:1: this is not JSON (more text after the end)" + remedy);
}

TEST(BaselineJson, ConflictMarkersAreShownWithTheWayOut) {
  EXPECT_EQ(error_of(with("    \"cores\": 4,", "<<<<<<< HEAD\n    \"cores\": 4,\n=======\n    \"cores\": 8,\n>>>>>>> main")),
            std::string(kFile) +
                ":7: git left conflict markers here: take either side, then run `stagegate run` and `stagegate baseline accept`");
}

TEST(BaselineJson, ANewerSchemaAsksForANewerStagegate) {
  EXPECT_EQ(error_of(with("stagegate.baseline/2", "stagegate.baseline/3")),
            std::string(kFile) +
                ": schema \"stagegate.baseline/3\" is newer than this stagegate, which reads \"stagegate.baseline/2\" and "
                "older ones: update stagegate");
  EXPECT_EQ(error_of(with("stagegate.baseline/2", "stagegate.report/1")),
            std::string(kFile) +
                ": schema \"stagegate.report/1\" is not one of a baseline: make the file anew with `stagegate run` and "
                "`stagegate baseline accept`");
}

TEST(BaselineJson, AFileInTheWrongPlaceIsNoticed) {
  const std::string belongs = ", but stands where that of job 'revenue', variant 'adaptive-off' belongs";
  EXPECT_EQ(error_of(with("\"job\": \"revenue\"", "\"job\": \"orders\"")),
            std::string(kFile) + ": this is the baseline of job 'orders', variant 'adaptive-off'" + belongs);
  EXPECT_EQ(error_of(with("\"variant\": \"adaptive-off\"", "\"variant\": \"adaptive\"")),
            std::string(kFile) + ": this is the baseline of job 'revenue', variant 'adaptive'" + belongs);
}

TEST(BaselineJson, WrongMembersAreNamedByTheirPath) {
  const std::vector<std::pair<std::pair<std::string, std::string>, std::string>> cases{
      {{"\"schema\": \"stagegate.baseline/2\",", ""}, "schema is missing"},
      {{"\"schema\": \"stagegate.baseline/2\"", "\"schema\": 1"}, "schema is an integer, not a string"},
      {{"\"job\": \"revenue\",", ""}, "job is missing"},
      {{"\"cores\": 4", "\"cores\": 4.0"}, "conditions.cores is a fraction, not an integer"},
      {{"\"cores\": 4", "\"cores\": 9223372036854775808"}, "conditions.cores is beyond 64 bits, not an integer"},
      {{"\"cores\": 4", "\"cores\": null"}, "conditions.cores is null, not an integer"},
      {{"\"false\"", "false"}, "conditions.conf[\"spark.sql.adaptive.enabled\"] is a boolean, not a string"},
      {{"50001", "\"50001\""}, "conditions.source_records[\"scan customers > shuffle by id\"] is a string, not an integer"},
      {{"\"rule\": \"small-tasks\",", ""}, "findings[1].rule is missing"},
      {{"\"unit\": \"count\"", "\"unit\": \"seconds\""}, "findings[1].unit is \"seconds\", not one of ratio, bytes, count, percent"},
      {{"\"tasks\": 200", "\"tasks\": []"}, "stages[0].tasks is a list of 0, not an integer or [smallest, largest]"},
      {{"\"tasks\": 200", "\"tasks\": [1, 2, 3]"}, "stages[0].tasks is a list of 3, not an integer or [smallest, largest]"},
      {{"\"tasks\": 200", "\"tasks\": [2, 1]"}, "stages[0].tasks is [2, 1], not [smallest, largest]"},
      {{"\"tasks\": 200", "\"tasks\": [1, \"2\"]"}, "stages[0].tasks[1] is a string, not an integer"},
      {{"\"reads\": [\n        \"a74a61cef1b4c7b2\"", "\"reads\": [7"}, "stages[0].reads[0] is an integer, not a string"},
      {{"\"work\": []", "\"work\": 7"}, "stages[1].work is an integer, not a list"},
      {{"\"purpose\": \"\",", ""}, "stages[1].purpose is missing"},
      {{"\"order\": [", "\"order\": [7, "}, "order[0] is an integer, not a list"},
      {{"\"output\": 20465", "\"output\": {}"}, "stages[0].totals.output is an object, not an integer"},
      {{"\"stages\": [", "\"stages\": [7, "}, "stages[0] is an integer, not an object"},
      {{"\"findings\": [", "\"findings\": {}, \"others\": ["}, "findings is an object, not a list"},
  };
  for (const auto& [change, message] : cases) {
    EXPECT_EQ(error_of(with(change.first, change.second)), std::string(kFile) + ": " + message);
  }
  EXPECT_EQ(error_of("[]"), std::string(kFile) + ": the file is a list, not an object");
}

TEST(BaselineJson, HostileFilesAreErrorsAndNoMore) {
  EXPECT_EQ(error_of(std::string(100000, '[')).substr(0, 69), std::string(kFile) + ":1:33: this is not JSON (too deep)");
  EXPECT_NE(error_of(std::string("{\"a\": \"") + "\xff\xfe" + "\"}"), "no error");
  EXPECT_NE(error_of(std::string_view("\0\0\0", 3)), "no error");
  EXPECT_NE(error_of(with("4.1", std::string("4.1\0", 4))), "no error");
  EXPECT_NE(error_of("{\"schema\": \"stagegate.baseline/99999999999999999999999999\"}").find("is newer than this stagegate"),
            std::string::npos);
  EXPECT_EQ(error_of("{\"schema\": \"\\u001b[31m\"}").find('\x1b'), std::string::npos);
}

// Cut anywhere, or with any byte changed, the file is read or refused: nothing else happens.
TEST(BaselineJson, EveryPrefixIsRefusedAndEveryDamageSurvived) {
  for (std::size_t length = 0; length + 1 < kCanonical.size(); ++length) {
    EXPECT_FALSE(read(kCanonical.substr(0, length))) << length;
  }
  for (std::size_t at = 0; at < kCanonical.size(); ++at) {
    std::string text(kCanonical);
    text[at] = '\x80';
    EXPECT_FALSE(read(text)) << at;
    text[at] = '7';
    (void)read(text);
  }
}

}  // namespace
}  // namespace stagegate
