// Rows of comma-separated values, as RFC 4180 has them, with a line feed at the end of each: what spreadsheets, pandas and DuckDB read.
//
// A row is one line of text, so that grep and wc see it as one: texts are cleaned and brought onto one line. Rows leave in blocks,
// so that a million of them are never in memory at once.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "model/distribution.h"
#include "report/report.h"

namespace stagegate {

// TEXT as a cell: quoted where it must be. A spreadsheet takes a cell that begins with = + - @ for a formula, and runs it; so an
// apostrophe is put before these, at the beginning and behind a semicolon, where the spreadsheets of many countries cut cells. (Tabs are
// spaces by then.)
std::string csv_text(std::string_view text);

class CsvWriter {
 public:
  explicit CsvWriter(const TextSink& sink) : sink_(sink) {}

  void header(std::span<const std::string> names);
  void text(std::string_view text) { ready(csv_text(text)); }
  // A cell that is a number, a word of ours, or what csv_text() gave. Empty: it is missing.
  void ready(std::string_view cell);
  void number(std::int64_t value);
  void quarters(Quarters value);  // 1.5
  void missing() { ready({}); }
  void end_row();
  // Hands over what is left. To be called once, at the end.
  void finish();

 private:
  const TextSink& sink_;
  std::string block_;
  bool row_begun_ = false;
};

}  // namespace stagegate
