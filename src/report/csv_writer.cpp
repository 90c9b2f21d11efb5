#include "report/csv_writer.h"

#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "report/terminal.h"

namespace stagegate {
namespace {

constexpr std::size_t kBlockBytes = 65'536;

std::string without_formulas(std::string_view text) {
  std::string safe;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && std::string_view("=+-@").find(c) != std::string_view::npos) {
      safe += '\'';
    }
    safe += c;
    at_start = c == ';' || (at_start && (c == ' ' || c == '"'));
  }
  return safe;
}

std::string quoted(std::string_view text) {
  std::string cell = "\"";
  for (const char c : text) {
    cell.append(c == '"' ? 2 : 1, c);
  }
  return cell + '"';
}

}  // namespace

std::string csv_text(std::string_view text) {
  auto cell = without_formulas(one_line(text));
  return cell.find_first_of(",\"") == std::string::npos ? cell : quoted(cell);
}

void CsvWriter::header(std::span<const std::string> names) {
  for (const auto& name : names) {
    ready(name);
  }
  end_row();
}

void CsvWriter::ready(std::string_view cell) {
  if (row_begun_) {
    block_ += ',';
  }
  block_ += cell;
  row_begun_ = true;
}

void CsvWriter::number(std::int64_t value) {
  const fmt::format_int digits(value);
  ready({digits.data(), digits.size()});
}

void CsvWriter::quarters(Quarters value) {
  constexpr std::array<std::string_view, 4> kFractions{"", ".25", ".5", ".75"};
  const auto magnitude = std::abs(value.quarters);
  ready(fmt::format("{}{}{}", value.quarters < 0 ? "-" : "", magnitude / 4, kFractions[static_cast<std::size_t>(magnitude % 4)]));
}

void CsvWriter::end_row() {
  block_ += '\n';
  row_begun_ = false;
  if (block_.size() >= kBlockBytes) {
    finish();
  }
}

void CsvWriter::finish() {
  sink_(block_);
  block_.clear();
}

}  // namespace stagegate
