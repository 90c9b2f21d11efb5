// Text for a terminal or a CI log: colours, widths, one-liners.
//
// What comes from a job (names, reasons, messages) may hold anything. It goes through one_line() or clean_text() before it is shown,
// so that no escape sequence of a job reaches a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"

namespace stagegate {

enum class Style : std::uint8_t { plain, bold, dim, red, yellow, green };

// TEXT between the escape sequences of STYLE; as it is with Color::off, without a style, or where it is empty.
std::string paint(std::string_view text, Style style, Color color);

// Code points: what a text takes in a table. (Double-width characters count as one.)
std::size_t display_width(std::string_view text);

inline constexpr std::size_t kNoLimit = static_cast<std::size_t>(-1);

// Cleaned, with each run of white space as one space; a longer text is cut to MAX_WIDTH code points that end in "...".
std::string one_line(std::string_view text, std::size_t max_width = kNoLimit);

// The first line that holds anything, as one_line().
std::string first_line(std::string_view text, std::size_t max_width = kNoLimit);

// The lines of TEXT, cleaned, without empty ones at the end.
std::vector<std::string> clean_lines(std::string_view text);

// A line of somebody else's output as a CI system may be shown it: GitHub takes lines that begin with "::", whatever blanks stand before,
// and "##[" anywhere, for commands, Azure "##vso[". They are shown, and are commands no more.
std::string without_ci_commands(std::string_view line);

// Broken at spaces into lines of at most WIDTH code points; a longer word has a line of its own. Line feeds stay.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

// TEXT, painted or not, for a window of so many rows: where it takes more, lines in its middle give way to one that says how many they
// are. Of the others a third stands before it. Lines wider than COLUMNS take several rows.
std::string fit_to_window(std::string_view text, std::size_t rows, std::size_t columns);

// "1 finding", "2 findings"
std::string counted(std::size_t count, std::string_view noun);

}  // namespace stagegate
