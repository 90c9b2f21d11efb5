// A child process: an argument vector, never a shell; its own process group; standard input from /dev/null; output to files.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace stagegate {

struct ProcessSpec {
  std::vector<std::string> argv;
  std::map<std::string, std::string> environment;  // on top of our own
  std::string working_dir;
  std::string stdout_file;
  std::string stderr_file;
};

struct ExitState {
  int exit_status = 0;  // where signal is 0
  int signal = 0;
};

class Process {
 public:
  // Kind job: the program is not there or cannot be started.
  static Result<Process> start(const ProcessSpec& spec);

  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  // Kills and reaps what is still there, the whole group.
  ~Process();

  // Readable when the process has ended: for poll().
  int descriptor() const { return pidfd_; }
  // To the whole group. Never fails: a group that has gone is what was wanted.
  void signal_group(int signal);
  // Reaps if it has ended.
  std::optional<ExitState> try_wait();
  pid_t id() const { return pid_; }

 private:
  Process(pid_t pid, int pidfd) : pid_(pid), pidfd_(pidfd) {}
  pid_t pid_;
  int pidfd_;
  bool reaped_ = false;
};

// Runs a short command to its end, for questions such as `java -version`: its standard output and error together, at most 1 MiB.
struct CommandOutput {
  ExitState state;
  std::string text;
};
Result<CommandOutput> ask_command(const std::vector<std::string>& argv, std::chrono::milliseconds timeout);

}  // namespace stagegate
