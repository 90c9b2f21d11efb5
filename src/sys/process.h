// A child process: an argument vector, never a shell; its own process group; standard input from /dev/null; output to files.
//
// A Spark job is several processes in one group (a JVM and its Python driver, or the other way round), so that what is signalled, and
// what is waited for in the end, is the group. Needs Linux 5.3.
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
  std::string working_dir;                         // "": our own
  std::string stdout_file;                         // "": /dev/null
  std::string stderr_file;
};

struct ExitState {
  int exit_status = 0;  // where signal is 0
  int signal = 0;
};

struct CommandOutput;

class Process {
 public:
  // argv[0] is a path, relative to the working folder, or a name that is looked for on the child's PATH.
  // Kind job: the program is not there or cannot be started. Signals are unblocked and have their default actions in the child.
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
  // Whether a process of the group is still there, the first one or one that it started and left behind.
  bool group_is_alive();
  pid_t id() const { return pid_; }

 private:
  friend Result<CommandOutput> ask_command(const std::vector<std::string>& argv, std::chrono::milliseconds timeout);

  Process(pid_t pid, int pidfd) : pid_(pid), pidfd_(pidfd) {}
  static Result<Process> spawn(const ProcessSpec& spec, int stdout_descriptor, int stderr_descriptor);
  void reap_orphans() const;

  pid_t pid_;
  int pidfd_;
  std::optional<ExitState> state_;
  bool group_gone_ = false;
};

// Runs a short command to its end, for questions such as `java -version`: its standard output and error together, at most 1 MiB.
struct CommandOutput {
  ExitState state;
  std::string text;
};
// Kind job: it cannot be started, or did not end in time.
Result<CommandOutput> ask_command(const std::vector<std::string>& argv, std::chrono::milliseconds timeout);

// The file that NAME stands for: itself where it has a slash, else the first executable of that name in PATH's folders.
std::optional<std::string> find_program(const std::string& name, const std::string& path);

// Kills the groups of all processes that live. May be called from a signal handler.
void kill_all_groups();

// "SIGKILL"
std::string signal_name(int signal);

}  // namespace stagegate
