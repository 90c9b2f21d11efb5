#include "ingest/looks_like.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include <fmt/format.h>

#include "base/text.h"

namespace stagegate {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kMostBytes = 4096;

// The same bytes in the ways in which they are looked at.
struct Sample {
  std::string_view bytes;
  std::string_view text;  // without blanks and a byte order mark in front
  std::string lower;      // of the text
};

bool has(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

// Whether one of the lines does. The last one may be cut.
template <typename Matches>
bool any_line(std::string_view text, Matches matches) {
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    if (matches(line)) {
      return true;
    }
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return false;
}

// Whether TEXT begins like PATTERN, in which 0 is any digit.
bool begins_like(std::string_view text, std::string_view pattern) {
  return text.size() >= pattern.size() &&
         std::equal(pattern.begin(), pattern.end(), text.begin(), [](char p, char c) { return p == '0' ? c >= '0' && c <= '9' : p == c; });
}

// A key of JSON, however it is spaced.
bool has_key(std::string_view text, std::string_view key) {
  const auto quoted = fmt::format("\"{}\"", key);
  for (auto at = text.find(quoted); at != std::string_view::npos; at = text.find(quoted, at + 1)) {
    const auto behind = text.find_first_not_of(" \t\r\n", at + quoted.size());
    if (behind != std::string_view::npos && text[behind] == ':') {
      return true;
    }
  }
  return false;
}

bool is_json(const Sample& sample) {
  const auto second = sample.text.find_first_not_of(" \t\r\n", 1);
  if (second == std::string_view::npos) {
    return false;
  }
  return (sample.text[0] == '{' && has("\"}", sample.text.substr(second, 1))) ||
         (sample.text[0] == '[' && has("{[\"]", sample.text.substr(second, 1)));
}

bool is_html(const Sample& sample) {
  return starts_with_any(sample.lower, {"<!doctype html", "<html", "<head", "<body"});
}

bool is_xml(const Sample& sample) {
  return starts_with_any(sample.text, {"<?xml", "<Error>", "<ListBucketResult", "<EnumerationResults"});
}

// log4j's pattern in Spark's own settings, and those that others set.
bool is_log_line(std::string_view line) {
  const auto begin = line.substr(0, 120);
  const bool has_time = begins_like(line, "00/00/00 00:00:00") || begins_like(line, "0000-00-00 00:00:00") ||
                        begins_like(line, "0000-00-00T00:00:00") || begins_like(line, "[0000-00-00 00:00:00");
  return has_time && contains_any(begin, {"TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"});
}

bool is_driver_output(const Sample& sample) {
  return any_line(sample.text, is_log_line) ||
         contains_any(sample.text, {"Setting default log level to", "Using Spark's default log4j profile", ":: loading settings ::",
                                    "Traceback (most recent call last)", "Exception in thread \"", "Container: container_", "LogType:"});
}

bool is_python(const Sample& sample) {
  return any_line(sample.text, [](std::string_view line) {
    return (line.starts_with("#!") && has(line, "python")) || (line.starts_with("from ") && has(line, " import ")) ||
           line.starts_with("import pyspark") || (line.starts_with("def ") && has(line, "("));
  });
}

bool is_scala_or_java(const Sample& sample) {
  return any_line(sample.text, [](std::string_view line) { return starts_with_any(line, {"package ", "import org.", "import java"}); });
}

// One event of which nothing comes before the end of a line but its begin.
bool is_spread_out(const Sample& sample) {
  return trim(sample.text.substr(0, sample.text.find('\n'))) == "{" && has_key(sample.text, "Event");
}

// Pairs of keys that tell the answers of /api/v1 from other JSON, in the order of either version of Spark.
constexpr std::array<std::array<std::string_view, 2>, 13> kRestKeys{{
    {"id", "attempts"},
    {"jobId", "stageIds"},
    {"stageId", "numTasks"},
    {"stageId", "attemptId"},
    {"accumulatorUpdates", "attemptId"},
    {"taskId", "index"},
    {"quantiles", "executorRunTime"},
    {"id", "hostPort"},
    {"id", "numPartitions"},
    {"runtime", "javaVersion"},
    {"classpathEntries", "classpathEntries"},
    {"id", "planDescription"},
    {"id", "processLogs"},
}};

bool is_rest_answer(const Sample& sample) {
  return is_json(sample) && std::any_of(kRestKeys.begin(), kRestKeys.end(), [&sample](const auto& keys) {
           return has_key(sample.text, keys[0]) && has_key(sample.text, keys[1]);
         });
}

struct Kind {
  bool (*is)(const Sample&);
  std::string_view says;
};

struct Magic {
  std::string_view magic;
  std::string_view says;
};

constexpr std::array kMagics{
    Magic{"PAR1"sv, "a Parquet file; name the event log of the run that wrote it"},
    Magic{"ORC"sv, "an ORC file; name the event log of the run that wrote it"},
    Magic{"Obj\x01"sv, "an Avro file; name the event log of the run that wrote it"},
    Magic{"SEQ\x06"sv, "a Hadoop sequence file; name the event log of the run that wrote it"},
    Magic{"crc\0"sv, "the checksum that Hadoop keeps beside a file; name the file, whose name has no dot in front and no .crc behind"},
    Magic{"PK\x03\x04"sv, "a zip or jar archive; name the event log in it"},
    Magic{"PK\x05\x06"sv, "an empty zip archive; the server that sent it has no log of this run"},
    Magic{"7z\xBC\xAF\x27\x1C"sv, "a 7z archive; unpack it, and name the event log in it"},
    Magic{"Rar!\x1A\x07"sv, "a rar archive; unpack it, and name the event log in it"},
    Magic{"\xCA\xFE\xBA\xBE"sv, "a Java class; name the event log of its run"},
    Magic{"\x7F"
          "ELF"sv,
          "a program; name the event log of a Spark job"},
    Magic{"%PDF-"sv, "a PDF document; name the event log itself"},
    Magic{"\x89PNG"sv, "a picture; name the event log itself"},
    Magic{"SQLite format 3\0"sv, "an SQLite database; name the event log itself"},
    Magic{"\xFF\xFE"sv, "text in UTF-16; save it as UTF-8"},
    Magic{"\xFE\xFF"sv, "text in UTF-16; save it as UTF-8"},
    Magic{"version https://git-lfs"sv, "a pointer of Git LFS; fetch the file with git lfs pull"},
};

// The first that fits.
constexpr std::array kKinds{
    Kind{[](const Sample& sample) { return sample.bytes.empty(); },
         "an empty file; the driver ended before its first event, or a copy of the log failed"},
    Kind{[](const Sample& sample) { return sample.text.empty(); }, "a file of blanks only; the log has to be copied again"},
    Kind{[](const Sample& sample) { return has(sample.bytes, "\0"sv); }, "binary data of an unknown kind; name the event log itself"},

    // Web pages.
    Kind{[](const Sample& sample) {
           return is_html(sample) && contains_any(sample.lower, {"type=\"password\"", "type='password'", "<title>log in", "<title>login",
                                                                 "<title>sign in", "single sign-on", "samlrequest", "/oauth2/"});
         },
         "a page to log in, which a server sent in place of the log; fetch it again with your credentials"},
    Kind{[](const Sample& sample) {
           return is_html(sample) && contains_any(sample.lower, {"/static/webui.css", "spark-logo", "history server"});
         },
         "a page of Spark's history server or UI; save what its Download button gives, which is /api/v1/applications/ID/logs"},
    Kind{is_html, "an HTML page; name the event log itself"},

    // Object stores.
    Kind{[](const Sample& sample) {
           return is_xml(sample) && contains_any(sample.text, {"<ListBucketResult", "<EnumerationResults"});
         },
         "the listing of an object store; name one of the files that it lists"},
    Kind{[](const Sample& sample) { return is_xml(sample) && has(sample.text, "<Error>") && has(sample.text, "<Code>"); },
         "an error of an object store@CODE, which came in place of the log; fetch it again"},
    Kind{is_xml, "an XML document; name the event log itself"},

    // JSON.
    Kind{[](const Sample& sample) { return sample.text.starts_with("{\"Event\""); }, ""},
    Kind{[](const Sample& sample) { return sample.text.starts_with('[') && has_key(sample.text, "Event"); },
         "an event log as one JSON array; Spark writes an event a line, and jq -c '.[]' makes it so again"},
    Kind{is_spread_out,
         "an event log whose events are spread over several lines; Spark writes an event a line, and jq -c . makes it so again"},
    Kind{[](const Sample& sample) { return is_json(sample) && has(sample.text, "\"stagegate."); },
         "a file of stagegate's own; name the event log that it is about"},
    Kind{[](const Sample& sample) { return is_json(sample) && has_key(sample.text, "ts") && has_key(sample.text, "level"); },
         "the text log of a driver, in JSON; name the event log of its run, which Spark writes to spark.eventLog.dir"},
    Kind{is_rest_answer, "an answer of Spark's REST API; name the event log, which /api/v1/applications/ID/logs gives"},
    Kind{is_json, "JSON, but none of Spark's events; name the event log itself"},

    // Other text.
    Kind{is_driver_output, "the text log of a driver; name the event log of its run, which Spark writes to spark.eventLog.dir"},
    Kind{is_python, "a Python program; name the event log of its run"},
    Kind{is_scala_or_java, "a Scala or Java program; name the event log of its run"},
    Kind{[](const Sample& sample) {
           return any_line(sample.text, [](std::string_view line) { return starts_with_any(line, {"[jobs.", "[variants."}); });
         },
         "a manifest of stagegate's; name the event log of one of its jobs"},
};

// Puts " (AccessDenied)" in place of @CODE, for the code in an error of S3, Google or Azure.
std::string with_error_code(std::string says, std::string_view text) {
  constexpr auto kPlace = "@CODE"sv;
  constexpr auto kOpen = "<Code>"sv;
  constexpr std::size_t kMostLetters = 40;
  const auto place = says.find(kPlace);
  if (place == std::string::npos) {
    return says;
  }
  auto code = text.substr(std::min(text.find(kOpen) + kOpen.size(), text.size()));
  code = code.substr(0, code.find('<'));
  const bool is_word = std::all_of(code.begin(), code.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
  return says.replace(place, kPlace.size(), is_word && !code.empty() && code.size() <= kMostLetters ? fmt::format(" ({})", code) : "");
}

Sample sample_of(std::string_view begin) {
  const auto bytes = begin.substr(0, kMostBytes);
  auto text = bytes;
  if (text.starts_with("\xEF\xBB\xBF")) {
    text.remove_prefix(3);
  }
  text = trim(text);
  return {bytes, text, to_lower_ascii(text)};
}

}  // namespace

std::string looks_like(std::string_view begin) {
  const auto sample = sample_of(begin);
  for (const auto& kind : kMagics) {
    if (sample.bytes.starts_with(kind.magic)) {
      return std::string(kind.says);
    }
  }
  for (const auto& kind : kKinds) {
    if (kind.is(sample)) {
      return with_error_code(std::string(kind.says), sample.text);
    }
  }
  return {};
}

}  // namespace stagegate
