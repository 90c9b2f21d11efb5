#include "app/console.h"

#include <cstdio>

#include <fmt/format.h>

#include "model/verdict.h"

namespace stagegate {
namespace {

bool is_set(const char* name) {
  const auto value = environment_variable(name);
  return value && !value->empty();
}

}  // namespace

Color color_for(ColorChoice choice, Stream stream) {
  switch (choice) {
    case ColorChoice::always:
      return Color::on;
    case ColorChoice::never:
      return Color::off;
    case ColorChoice::automatic:
      break;
  }
  if (is_set("NO_COLOR")) {
    return Color::off;
  }
  if (is_set("FORCE_COLOR")) {
    return Color::on;
  }
  return is_terminal(stream) && environment_variable("TERM") != "dumb" ? Color::on : Color::off;
}

void print_result(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void print_message(std::string_view text) {
  fmt::print(stderr, "{}\n", text);
}

int report_error(const Error& error) {
  print_message(error.message);
  return static_cast<int>(exit_code_of(error.kind));
}

bool flush_results() {
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

}  // namespace stagegate
