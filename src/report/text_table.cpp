#include "report/text_table.h"

#include <algorithm>
#include <cassert>

namespace stagegate {
namespace {

constexpr std::size_t kGap = 2;

using Cells = std::vector<TableCell>;

// The width of each column, 0 for one that is left out.
std::vector<std::size_t> column_widths(const TextTable& table) {
  std::vector<std::size_t> widths(table.columns.size(), 0);
  for (const auto& row : table.rows) {
    if (const auto* cells = std::get_if<Cells>(&row)) {
      assert(cells->size() == widths.size());
      for (std::size_t i = 0; i < widths.size(); ++i) {
        widths[i] = std::max(widths[i], (*cells)[i].width);
      }
    }
  }
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (widths[i] > 0) {
      widths[i] = std::max(widths[i], display_width(table.columns[i].heading));
    }
  }
  return widths;
}

std::string render_row(const TextTable& table, const std::vector<std::size_t>& widths, const Cells& cells, std::size_t indent) {
  std::string line;
  std::size_t owed = indent;  // spaces, written only before something
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (widths[i] == 0) {
      continue;
    }
    const std::size_t padding = widths[i] - cells[i].width;
    const bool right = table.columns[i].align == Align::right;
    owed += right ? padding : 0;
    if (cells[i].width > 0) {
      line.append(owed, ' ');
      line += cells[i].text;
      owed = 0;
    }
    owed += (right ? 0 : padding) + kGap;
  }
  return line + '\n';
}

Cells heading_cells(const TextTable& table, Color color) {
  Cells cells;
  for (const auto& column : table.columns) {
    cells.push_back(table_cell(column.heading, Style::bold, color));
  }
  return cells;
}

bool has_headings(const TextTable& table) {
  return std::any_of(table.columns.begin(), table.columns.end(), [](const TableColumn& column) { return !column.heading.empty(); });
}

}  // namespace

TableCell table_cell(std::string_view text, Style style, Color color) {
  return {.text = paint(text, style, color), .width = display_width(text)};
}

std::string render(const TextTable& table, std::size_t indent, Color color) {
  const auto widths = column_widths(table);
  std::string text;
  if (has_headings(table)) {
    text += render_row(table, widths, heading_cells(table, color), indent);
  }
  for (const auto& row : table.rows) {
    if (const auto* cells = std::get_if<Cells>(&row)) {
      text += render_row(table, widths, *cells, indent);
    } else {
      text += std::string(indent, ' ') + std::get<TableLine>(row).text + '\n';
    }
  }
  return text;
}

}  // namespace stagegate
