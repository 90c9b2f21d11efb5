// Columns that line up, with lines between the rows that do not take part in that.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "report/report.h"
#include "report/terminal.h"

namespace stagegate {

enum class Align : std::uint8_t { left, right };

struct TableColumn {
  std::string heading;
  Align align = Align::left;
};

// Text with its escape sequences, and the width that it takes without them.
struct TableCell {
  std::string text;
  std::size_t width = 0;
};

TableCell table_cell(std::string_view text, Style style, Color color);

// A line of its own: a heading or a remark, already painted.
struct TableLine {
  std::string text;
};

// A row has a cell for each column.
using TableRow = std::variant<std::vector<TableCell>, TableLine>;

struct TextTable {
  std::vector<TableColumn> columns;
  std::vector<TableRow> rows;
};

// Two spaces between columns, INDENT before each line, none at the end of a line. Columns whose cells are all empty are left out, and
// so is the line of headings where all headings are empty.
std::string render(const TextTable& table, std::size_t indent, Color color);

}  // namespace stagegate
