#include "identity/stable_text.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "identity/stable_hash.h"

namespace stagegate {
namespace {

using Cases = std::vector<std::pair<std::string, std::string>>;

// The published test vectors of FNV-1a: http://www.isthe.com/chongo/src/fnv/test_fnv.c
TEST(StableHash, IsFnv1a) {
  EXPECT_EQ(to_hex(stable_hash("")), "cbf29ce484222325");
  EXPECT_EQ(to_hex(stable_hash("a")), "af63dc4c8601ec8c");
  EXPECT_EQ(to_hex(stable_hash("foobar")), "85944171f73967e8");
  EXPECT_EQ(to_hex(0), "0000000000000000");
}

TEST(StableText, PlaceNameIsTheLastPartOfAPathThatStays) {
  const Cases cases{
      {"file:/ci/work/lake/orders", "orders"},
      {"orders", "orders"},
      {"/lake/orders/", "orders"},
      {"s3a://bucket/orders/dt=2026-11-29", "orders"},
      {"s3a://bucket/orders/dt=2026-11-29/hour=07/", "orders"},
      {"/wh/2026/11/29/orders", "orders"},
      {"/wh/orders/2026/11/29", "orders"},
      {"/wh/orders/2026-11-29", "orders"},
      {"/wh/orders_20261129", "orders"},
      {"/wh/orders/run-9f1c2d3e-0000-4111-8222-333344445555", "run"},
      {"/wh/orders/9f1c2d3e-0000-4111-8222-333344445555", "orders"},
      {"/wh/orders/*", "orders"},
      {"/wh/orders/part-00000.snappy.parquet", "orders"},
      {"/tmp/tmpk3j2l1m0", "tmp"},
      {"/runs/revenue/adaptive/1/out", "out"},
      {"hdfs://nn:9000/data/store_sales", "store_sales"},
      {"https://host/a/b?token=c/d", "b"},
      {"/", "files"},
      {"", "files"},
      {"/2026/11", "files"},
  };
  for (const auto& [path, name] : cases) {
    EXPECT_EQ(place_name(path), name) << path;
  }
}

TEST(StableText, PathsInsideOfATextBecomePlaceNames) {
  EXPECT_EQ(with_place_names("Execute Insert file:/ci/work/runs/1/out, false, Parquet, [path=runs/1/out]"),
            "Execute Insert out, false, Parquet, [path=out]");
  EXPECT_EQ(with_place_names("(a / b), 'x'"), "(a / b), 'x'");
}

TEST(StableText, MovingPartsAreUuidsDatesTimesAndLongNumbers) {
  const Cases cases{
      {"load 2026-11-29 17:45:13.123 now", "load   now"},
      {"load 2026/11/29", "load "},
      {"load 20261129", "load "},
      {"load 20261129174513", "load "},
      {"q 9f1c2d3e-0000-4111-8222-333344445555.", "q ."},
      {"step 12 of 300", "step 12 of 300"},
      {"12345678", "12345678"},
      {"2026-11-291", "2026-11-291"},
      {"a2026-11-29", "a2026-11-29"},
  };
  for (const auto& [text, stable] : cases) {
    EXPECT_EQ(without_moving_parts(text), stable) << text;
  }
}

TEST(StableText, CallSitesLoseLinesAndFilesThatSayNothing) {
  const Cases cases{
      {"parquet at revenue.py:8", "parquet at revenue.py"},
      {"collect at /app/my job/x.py:40", "collect at x.py"},
      {"parquet at NativeMethodAccessorImpl.java:0", "parquet"},
      {"$anonfun$withThreadLocalCaptured$2 at CompletableFuture.java:1768", ""},
      {"$anonfun$run$1 at Job.scala:17", "Job.scala"},
      {"run at ThreadPoolExecutor.java:1136", "run"},
      {"collectToPython at NativeMethodAccessorImpl.java:0", "collect"},
      {"showString at NativeMethodAccessorImpl.java:0", "show"},
      {"count at <console>:25", "count"},
  };
  for (const auto& [name, call_site] : cases) {
    const auto parsed = parse_call_site(name);
    ASSERT_TRUE(parsed) << name;
    EXPECT_EQ(to_string(*parsed), call_site) << name;
  }
}

TEST(StableText, OtherTextsAreNoCallSites) {
  for (const auto* const text : {"", "join orders at noon", "write at x.py", "write at x.py:", "load all at x.py:3", " at x.py:3"}) {
    EXPECT_FALSE(parse_call_site(text)) << text;
  }
}

TEST(StableText, WhatTheAuthorWroteStaysOnOneLineWithoutWhatMoves) {
  const Cases cases{
      {"join orders to customers", "join orders to customers"},
      {"Checks (orders)", "Checks (orders)"},
      {"  load\tof  2026-11-29 ", "load of"},
      {"nightly (9f1c2d3e-0000-4111-8222-333344445555)", "nightly"},
      {"step 2: clean", "step 2: clean"},
      {"see job.py:12", "see job.py"},
      {"rev\x1b[31menue", "rev [31menue"},
      {"my query<br/>id = 9f1c2d3e-0000-4111-8222-333344445555<br/>batch = 7", "my query"},
  };
  for (const auto& [text, authored] : cases) {
    EXPECT_EQ(authored_text(text), authored) << text;
  }
}

TEST(StableText, WhatSparkMadeUpIsNotTheAuthors) {
  for (const auto* const text :
       {"", "parquet at NativeMethodAccessorImpl.java:0", "collect at /app/x.py:40",
        "broadcast exchange (runId 9f1c2d3e-0000-4111-8222-333344445555)", "9f1c2d3e-0000-4111-8222-333344445555", "1234",
        "Listing leaf files and directories for 50 paths:<br/>file:/a, ...", "\nid = 9f1c2d3e-0000-4111-8222-333344445555\nbatch = 7"}) {
    EXPECT_EQ(authored_text(text), "") << text;
  }
}

}  // namespace
}  // namespace stagegate
