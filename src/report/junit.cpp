#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <tinyxml2.h>

#include "base/text.h"
#include "base/units.h"
#include "report/junit_cases.h"
#include "report/report.h"
#include "report/terminal.h"

namespace stagegate {
namespace {

constexpr std::size_t kMaxTextBytes = 65'536;
constexpr std::size_t kMaxAttributeWidth = 1000;

// tinyxml2 writes what it is given, control characters and broken UTF-8 too, which costs the reader the whole file: every text passes
// through here or through attribute_text().
std::string body_text(std::string_view text) {
  return shorten_middle(trim(clean_text(text)), kMaxTextBytes);
}

// One line: readers turn line feeds in attributes into spaces anyway.
std::string attribute_text(std::string_view text) {
  return one_line(text, kMaxAttributeWidth);
}

struct Counts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
  std::int64_t duration_ms = 0;
};

void count(Counts& counts, const JunitCase& test) {
  ++counts.tests;
  counts.duration_ms += test.duration_ms;
  switch (test.end) {
    case CaseEnd::passed:
      return;
    case CaseEnd::failure:
      ++counts.failures;
      return;
    case CaseEnd::error:
      ++counts.errors;
      return;
    case CaseEnd::skipped:
      ++counts.skipped;
      return;
  }
}

Counts count(const JunitSuite& suite) {
  Counts counts;
  for (const auto& test : suite.cases) {
    count(counts, test);
  }
  return counts;
}

Counts count(const std::vector<JunitSuite>& suites) {
  Counts sum;
  for (const auto& suite : suites) {
    for (const auto& test : suite.cases) {
      count(sum, test);
    }
  }
  return sum;
}

class Writer {
 public:
  Writer() { printer_.PushDeclaration(R"(xml version="1.0" encoding="UTF-8")"); }

  void open(const char* name) { printer_.OpenElement(name); }
  void close() { printer_.CloseElement(); }
  void attribute(const char* name, std::string_view value) { printer_.PushAttribute(name, attribute_text(value).c_str()); }
  void number(const char* name, std::size_t value) { printer_.PushAttribute(name, std::to_string(value).c_str()); }
  // Seconds with three decimals whatever the locale: a time that is no number costs some readers the file.
  void seconds(std::int64_t ms) { printer_.PushAttribute("time", fmt::format("{}.{:03}", ms / 1000, ms % 1000).c_str()); }
  void text(std::string_view text) { printer_.PushText(body_text(text).c_str()); }
  std::string finish() const { return printer_.CStr(); }

 private:
  tinyxml2::XMLPrinter printer_;
};

void write_counts(Writer& writer, const Counts& counts) {
  writer.number("tests", counts.tests);
  writer.number("failures", counts.failures);
  writer.number("errors", counts.errors);
  writer.number("skipped", counts.skipped);
  writer.seconds(counts.duration_ms);
}

void write_end(Writer& writer, const char* element, const JunitCase& test) {
  writer.open(element);
  if (!test.type.empty()) {
    writer.attribute("type", test.type);
  }
  writer.attribute("message", test.message);
  writer.text(test.body);
  writer.close();
}

void write_end(Writer& writer, const JunitCase& test) {
  switch (test.end) {
    case CaseEnd::passed:
      return;
    case CaseEnd::failure:
      return write_end(writer, "failure", test);
    case CaseEnd::error:
      return write_end(writer, "error", test);
    case CaseEnd::skipped:
      return write_end(writer, "skipped", test);
  }
}

void write_case(Writer& writer, const JunitSuite& suite, const JunitCase& test) {
  writer.open("testcase");
  writer.attribute("classname", suite.name);
  writer.attribute("name", test.name);
  writer.seconds(test.duration_ms);
  if (!suite.at.file.empty()) {
    writer.attribute("file", suite.at.file);
    writer.number("line", std::max<std::size_t>(1, suite.at.line));
  }
  write_end(writer, test);
  if (!test.output.empty()) {
    writer.open("system-out");
    writer.text(test.output);
    writer.close();
  }
  writer.close();
}

void write_properties(Writer& writer, const JunitSuite& suite) {
  if (suite.properties.empty()) {
    return;
  }
  writer.open("properties");
  for (const auto& [name, value] : suite.properties) {
    writer.open("property");
    writer.attribute("name", name);
    writer.attribute("value", value);
    writer.close();
  }
  writer.close();
}

void write_suite(Writer& writer, const JunitSuite& suite) {
  writer.open("testsuite");
  writer.attribute("name", suite.name);
  write_counts(writer, count(suite));
  if (suite.started_ms) {
    auto timestamp = format_utc(*suite.started_ms);
    timestamp.pop_back();  // the Z: Jenkins wants a time without a zone
    writer.attribute("timestamp", timestamp);
  }
  write_properties(writer, suite);
  for (const auto& test : suite.cases) {
    write_case(writer, suite, test);
  }
  writer.close();
}

}  // namespace

std::string render_junit(const RunResult& result) {
  const auto suites = junit_suites(result);
  Writer writer;
  writer.open("testsuites");
  writer.attribute("name", "stagegate");
  write_counts(writer, count(suites));
  for (const auto& suite : suites) {
    write_suite(writer, suite);
  }
  writer.close();
  return writer.finish();
}

}  // namespace stagegate
