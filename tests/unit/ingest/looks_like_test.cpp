#include "ingest/looks_like.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "unit/ingest/codec_checks.h"

namespace stagegate {
namespace {

using namespace std::string_view_literals;

// What is before the semicolon: the noun. What to do stands behind it.
std::string noun_of(const std::string& says) {
  const auto semicolon = says.find("; ");
  EXPECT_TRUE(says.empty() || (semicolon != std::string::npos && semicolon + 2 < says.size())) << says;
  return says.substr(0, semicolon);
}

struct Case {
  std::string_view begin;
  std::string_view noun;
};

const std::vector<Case> kCases{
    {"", "an empty file"},
    {" \n\t\r\n", "a file of blanks only"},
    {"\xEF\xBB\xBF\n", "a file of blanks only"},

    // Logs in text.
    {"26/11/29 10:00:00 INFO SparkContext: Running Spark version 4.3.0\n", "the text log of a driver"},
    {"23/11/07 10:59:24.335 main INFO DriverLogger: Added a local log appender\n", "the text log of a driver"},
    {"2026-11-29 10:00:00,123 [main] WARN  org.apache.spark.util.Utils - x\n", "the text log of a driver"},
    {"[2026-11-29 10:00:00,123] {spark_submit.py:490} INFO - x\n", "the text log of a driver"},
    {"2026-11-29T10:00:00.123Z ERROR Executor: x\n", "the text log of a driver"},
    {"WARNING: Using incubator modules\nSetting default log level to \"WARN\".\n", "the text log of a driver"},
    {"\n\nContainer: container_1613_0001_01_000001 on host\nLogAggregationType: AGGREGATED\n", "the text log of a driver"},
    {"result: 7\nTraceback (most recent call last):\n", "the text log of a driver"},
    {R"({"ts":"2026-11-29T10:00:00.000Z","level":"INFO","msg":"Running Spark","logger":"SparkContext"})",
     "the text log of a driver, in JSON"},

    // Pages.
    {"<!DOCTYPE html><html>\n      <head>\n <link rel=\"stylesheet\" href=\"/static/webui.css\" type=\"text/css\"/>",
     "a page of Spark's history server or UI"},
    {"<html><head><title>History Server</title></head>", "a page of Spark's history server or UI"},
    {"<!doctype HTML>\n<html><head><title>Sign in to example</title>", "a page to log in, which a server sent in place of the log"},
    {"\xEF\xBB\xBF<html><body><form action=\"/spark/login\"><input name=p type=\"password\"></form>",
     "a page to log in, which a server sent in place of the log"},
    {"\n<HTML><body>It works!", "an HTML page"},

    // Object stores.
    {"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>",
     "an error of an object store (AccessDenied), which came in place of the log"},
    {"<Error><Code>Blob Not\nFound\x1B[31m</Code></Error>", "an error of an object store, which came in place of the log"},
    {"<Error><Code>", "an error of an object store, which came in place of the log"},
    {"<?xml version=\"1.0\"?><ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">", "the listing of an object store"},
    {"\xEF\xBB\xBF<?xml version=\"1.0\"?><EnumerationResults ServiceEndpoint=\"https://x\">", "the listing of an object store"},
    {"<?xml version=\"1.0\"?><configuration/>", "an XML document"},

    // JSON.
    {R"([{"Event":"SparkListenerLogStart","Spark Version":"4.3.0"},)", "an event log as one JSON array"},
    {"[\n  {\n    \"Event\": \"SparkListenerLogStart\"", "an event log as one JSON array"},
    {"{\n  \"Event\": \"SparkListenerLogStart\",\n  \"Spark Version\": \"4.3.0\"\n}\n",
     "an event log whose events are spread over several lines"},
    {R"([ { "id" : "app-1", "name" : "x", "attempts" : [ {)", "an answer of Spark's REST API"},
    {R"({"stageId":3,"attemptId":0,"status":"COMPLETE"})", "an answer of Spark's REST API"},
    {"{\n  \"schema\": \"stagegate.verdict/1\",\n  \"exit_code\": 1", "a file of stagegate's own"},
    {"[]", "JSON, but none of Spark's events"},
    {R"({"cells": [], "metadata": {}})", "JSON, but none of Spark's events"},
    {R"({"message": "\"id\" is not a key, nor is \"attempts\"", "id": 1})", "JSON, but none of Spark's events"},
    {R"({"Event":"SomethingElse"})", ""},

    // Programs and data.
    {"from pyspark.sql import SparkSession\n", "a Python program"},
    {"#!/usr/bin/env python3\n\"\"\"x\"\"\"\n", "a Python program"},
    {"# a job\nimport pyspark.sql.functions as F\n", "a Python program"},
    {"package com.example\n\nimport org.apache.spark.sql.SparkSession\n", "a Scala or Java program"},
    {"[jobs.revenue]\ncommand = [\"jobs/revenue.py\"]\n", "a manifest of stagegate's"},
    {"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "a pointer of Git LFS"},
    {"PAR1\x15\x04", "a Parquet file"},
    {"ORC\x08\x03", "an ORC file"},
    {"Obj\x01\x04\x16"sv, "an Avro file"},
    {"SEQ\x06\x19org.apache"sv, "a Hadoop sequence file"},
    {"crc\0\0\0\2\0"sv, "the checksum that Hadoop keeps beside a file"},
    {"PK\x03\x04\x14\0"sv, "a zip or jar archive"},
    {"PK\x05\x06\0\0"sv, "an empty zip archive"},
    {"\xCA\xFE\xBA\xBE\0\0\0\x3D"sv, "a Java class"},
    {"\x7F"
     "ELF\x02\x01\x01"sv,
     "a program"},
    {"\xFF\xFE{\0\"\0E\0"sv, "text in UTF-16"},
    {"abc\0def"sv, "binary data of an unknown kind"},
    {"orders,customer\n1,2\n", ""},
    {"ORDERS\n", ""},
    {"just a few words about the news from Spark, in which no INFO stands behind a time", ""},
};

TEST(LooksLike, SaysWhatAFileIsAndWhatToDo) {
  for (const auto& example : kCases) {
    EXPECT_EQ(noun_of(looks_like(example.begin)), example.noun) << example.begin;
  }
}

TEST(LooksLike, LooksAtTheFirst4KiBOnly) {
  const std::string words(4096, 'x');
  EXPECT_EQ(looks_like(words + "\n26/11/29 10:00:00 INFO SparkContext: x\n"), "");
  EXPECT_NE(looks_like(words.substr(2048) + "\n26/11/29 10:00:00 INFO SparkContext: x\n"), "");
}

TEST(LooksLike, SaysNothingOfAnEventLog) {
  EXPECT_EQ(looks_like(sample_lines(100)), "");
}

// Whatever the bytes are and wherever they are cut.
TEST(LooksLike, NothingCrashesIt) {
  const auto bytes = noise(3000);
  for (std::size_t at = 0; at + 100 < bytes.size(); ++at) {
    looks_like(std::string_view(bytes).substr(at, 100));
  }
  for (const auto& example : kCases) {
    for (std::size_t size = 0; size < example.begin.size(); ++size) {
      looks_like(example.begin.substr(0, size));
      looks_like(example.begin.substr(size));
    }
  }
}

std::string begin_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {}).substr(0, 4096);
}

// Answers of real history servers and a real driver's log, where they are at hand.
TEST(LooksLike, KnowsRealFiles) {
  const std::filesystem::path corpus = STAGEGATE_CORPUS;
  if (!std::filesystem::exists(corpus / "rest")) {
    GTEST_SKIP() << "nothing at " << corpus;
  }
  for (const auto* version : {"spark-3.5", "spark-5.0-snapshot"}) {
    for (const auto& entry : std::filesystem::directory_iterator(corpus / "rest" / version)) {
      const auto begin = begin_of(entry.path());
      if (begin.size() > 10) {  // some lists are empty
        EXPECT_EQ(noun_of(looks_like(begin)), "an answer of Spark's REST API") << entry.path();
      }
    }
  }
  EXPECT_EQ(noun_of(looks_like(begin_of(corpus / "logs/rapids-tools/driverlog"))), "the text log of a driver");
}

}  // namespace
}  // namespace stagegate
