// Texts of a job in GitHub-flavoured Markdown, where a comment of GitHub or GitLab shows them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "report/terminal.h"

namespace stagegate {

// TEXT in one line (one_line()), to be read as it is: no character of it is Markdown, HTML, a formula, or the border of a table's cell.
// Behind the characters that make mentions and references (@team, #12, !34) stands a zero-width space, so that nobody is notified: a
// backslash does not do, as both sites look for mentions after the Markdown is rendered.
//
// It may not stand at the beginning of a line, where a + or a number and a dot would begin a list.
std::string markdown_text(std::string_view text, std::size_t max_width = kNoLimit);

}  // namespace stagegate
