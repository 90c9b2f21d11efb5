#include <csignal>
#include <cstdio>
#include <exception>

#include "app/commands.h"
#include "app/options.h"
#include "model/verdict.h"
#include "sys/machine.h"

int main(int argc, char** argv) {
  // A reader that goes away (stagegate report LOG | head) must not end a run that has children to end.
  std::signal(SIGPIPE, SIG_IGN);
  stagegate::return_large_memory();
  try {
    return stagegate::execute(stagegate::parse_command_line(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "stagegate: internal error: %s\nPlease report it with the command that you ran.\n", error.what());
    return static_cast<int>(stagegate::ExitCode::internal);
  }
}
