#include "report/terminal.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "report/text_table.h"

namespace stagegate {
namespace {

using Lines = std::vector<std::string>;

TEST(Terminal, PaintsOnlyWithColour) {
  EXPECT_EQ(paint("skew", Style::red, Color::on), "\x1b[31mskew\x1b[0m");
  EXPECT_EQ(paint("skew", Style::red, Color::off), "skew");
  EXPECT_EQ(paint("skew", Style::plain, Color::on), "skew");
  EXPECT_EQ(paint("", Style::red, Color::on), "");
}

TEST(Terminal, CountsCodePointsAsWidth) {
  EXPECT_EQ(display_width("größe"), 5U);
  EXPECT_EQ(display_width(""), 0U);
}

TEST(Terminal, FitsATextToAWindow) {
  const std::string text = "1\n2\n3\n4\n5\n6\n7\n8\n";
  EXPECT_EQ(fit_to_window(text, 8, 10), text);
  EXPECT_EQ(fit_to_window(text, 7, 10), "1\n2\n... 2 lines for which the window is too small ...\n5\n6\n7\n8\n");
  EXPECT_EQ(fit_to_window(text, 2, 10), "... 7 lines for which the window is too small ...\n8\n");
  EXPECT_EQ(fit_to_window(text, 1, 10), "... 8 lines for which the window is too small ...\n");
  EXPECT_EQ(fit_to_window(text, 0, 0), "... 8 lines for which the window is too small ...\n");
  EXPECT_EQ(fit_to_window("", 5, 10), "");
}

TEST(Terminal, CountsTheRowsOfWideLinesAndNoPaint) {
  const std::string wide = "1\n22222 22222 2\n3\n";  // 4 rows of 10
  EXPECT_EQ(fit_to_window(wide, 4, 10), wide);
  EXPECT_EQ(fit_to_window(wide, 3, 10), "... 2 lines for which the window is too small ...\n3\n");
  const auto red = paint("größer als", Style::red, Color::on) + "\n";
  EXPECT_EQ(fit_to_window(red + red, 2, 10), red + red);
}

TEST(Terminal, MakesOneLineOfAnyText) {
  EXPECT_EQ(one_line("  a\n\tb  c\r\n"), "a b c");
  EXPECT_EQ(one_line("\x1b[31mred\x1b[0m \x1b"), "red #x1B");
  EXPECT_EQ(one_line(""), "");
}

TEST(Terminal, CutsALineThatIsTooLongAtItsLimit) {
  EXPECT_EQ(one_line("größer", 6), "größer");
  EXPECT_EQ(one_line("größere", 6), "grö...");
}

TEST(Terminal, TakesTheFirstLineThatHoldsSomething) {
  EXPECT_EQ(first_line("\n \n  reason\n\tat X"), "reason");
  EXPECT_EQ(first_line("\n\n"), "");
}

TEST(Terminal, WrapsAtSpacesAndKeepsLineFeeds) {
  EXPECT_EQ(wrap("one two three\nfour", 7), (Lines{"one two", "three", "four"}));
  EXPECT_EQ(wrap("spark.sql.adaptive x", 7), (Lines{"spark.sql.adaptive", "x"}));
  EXPECT_EQ(wrap("", 7), Lines{});
}

TEST(TextTable, LinesUpByWidthNotByBytesAndWithoutTrailingSpaces) {
  TextTable table{.columns = {{"n", Align::right}, {"word", Align::left}, {"last", Align::left}}, .rows = {}};
  const auto row = [](std::string_view a, std::string_view b, std::string_view c) {
    return std::vector<TableCell>{table_cell(a, Style::plain, Color::off), table_cell(b, Style::plain, Color::off),
                                  table_cell(c, Style::plain, Color::off)};
  };
  table.rows.emplace_back(row("1", "größe", "x"));
  table.rows.emplace_back(TableLine{"a line of its own"});
  table.rows.emplace_back(row("100", "a", ""));
  EXPECT_EQ(render(table, 1, Color::off),
            "   n  word   last\n"
            "   1  größe  x\n"
            " a line of its own\n"
            " 100  a\n");
}

TEST(TextTable, LeavesOutAColumnThatIsEmptyInEveryRow) {
  TextTable table{.columns = {{"a", Align::left}, {"empty", Align::left}, {"b", Align::left}}, .rows = {}};
  table.rows.emplace_back(std::vector<TableCell>{table_cell("1", Style::plain, Color::off), {}, table_cell("2", Style::plain, Color::off)});
  EXPECT_EQ(render(table, 0, Color::off), "a  b\n1  2\n");
}

}  // namespace
}  // namespace stagegate
