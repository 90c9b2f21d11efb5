#include "sys/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "sys/file.h"
#include "sys/machine.h"

// glibc 2.36 declares pidfd_open() without C linkage.
extern "C" {
#include <sys/pidfd.h>
}

namespace stagegate {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kMaxAnswer = 1U << 20U;

// The groups that a signal handler has to kill; 0 is a free place. More children than places are merely not killed by a second ^C.
std::array<std::atomic<pid_t>, 256> live_groups;
static_assert(std::atomic<pid_t>::is_always_lock_free);

void exchange_group(pid_t old_value, pid_t new_value) {
  for (auto& place : live_groups) {
    pid_t expected = old_value;
    if (place.compare_exchange_strong(expected, new_value)) {
      return;
    }
  }
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { reset(); }
  int number() const { return number_; }
  void reset() {
    if (number_ >= 0) {
      ::close(std::exchange(number_, -1));
    }
  }

 private:
  int number_;
};

std::string reason(int error_number) {
  return std::generic_category().message(error_number);
}

// Our own environment with EXTRA on top, as "NAME=value".
std::vector<std::string> child_environment(const std::map<std::string, std::string>& extra) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (!extra.contains(std::string(text.substr(0, text.find('='))))) {
      entries.emplace_back(text);
    }
  }
  for (const auto& [name, value] : extra) {
    entries.push_back(fmt::format("{}={}", name, value));
  }
  return entries;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (auto& text : texts) {
    result.push_back(text.data());
  }
  result.push_back(nullptr);
  return result;
}

struct Actions {
  posix_spawn_file_actions_t value{};
  Actions() { ::posix_spawn_file_actions_init(&value); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
  ~Actions() { ::posix_spawn_file_actions_destroy(&value); }
};

struct Attributes {
  posix_spawnattr_t value{};
  // A group of its own, no blocked signals, default actions: a job must not inherit what a CI runner ignores or we catch.
  Attributes() {
    ::posix_spawnattr_init(&value);
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&value, &none);
    ::posix_spawnattr_setsigdefault(&value, &all);
    ::posix_spawnattr_setpgroup(&value, 0);
    ::posix_spawnattr_setflags(&value, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { ::posix_spawnattr_destroy(&value); }
};

Result<std::string> program_of(const ProcessSpec& spec) {
  if (spec.argv.empty() || spec.argv.front().empty()) {
    return fail(ErrorKind::job, "there is no program to start: the command is empty");
  }
  const auto& name = spec.argv.front();
  if (name.find('/') != std::string::npos) {
    auto path = absolute_path(name, spec.working_dir.empty() ? current_folder() : spec.working_dir);
    if (!is_executable(path)) {
      return fail(ErrorKind::job, fmt::format("cannot start '{}': {}", path,
                                              is_file(path) ? "it is not executable (chmod +x)" : "there is no such program"));
    }
    return path;
  }
  const auto own = spec.environment.find("PATH");
  const auto path = own != spec.environment.end() ? own->second : environment_variable("PATH").value_or("");
  const auto program = find_program(name, path);
  if (!program) {
    return fail(ErrorKind::job, fmt::format("cannot start '{}': no program of this name on PATH ({})", name, path));
  }
  return absolute_path(*program, current_folder());
}

Result<int> open_output(const std::string& file) {
  const std::string path = file.empty() ? "/dev/null" : file;
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    return fail(ErrorKind::job, fmt::format("cannot write the job's output to '{}': {}", path, reason(errno)));
  }
  return descriptor;
}

ExitState exit_state(const siginfo_t& info) {
  return info.si_code == CLD_EXITED ? ExitState{info.si_status, 0} : ExitState{0, info.si_status};
}

// Waits until CONDITION holds, looking a hundred times a second.
template <typename Condition>
bool wait_until(milliseconds timeout, Condition condition) {
  const auto end = Clock::now() + timeout;
  while (!condition()) {
    if (Clock::now() >= end) {
      return false;
    }
    std::this_thread::sleep_for(milliseconds(10));
  }
  return true;
}

void read_available(int descriptor, std::string& text) {
  std::array<char, 16384> buffer;
  for (;;) {
    const auto count = ::read(descriptor, buffer.data(), buffer.size());
    if (count <= 0) {
      return;
    }
    text.append(buffer.data(), std::min(static_cast<std::size_t>(count), kMaxAnswer - text.size()));
  }
}

}  // namespace

Result<Process> Process::start(const ProcessSpec& spec) {
  STAGEGATE_TRY_ASSIGN(out_number, open_output(spec.stdout_file));
  const FileDescriptor out(out_number);
  STAGEGATE_TRY_ASSIGN(err_number, open_output(spec.stderr_file));
  const FileDescriptor err(err_number);
  return spawn(spec, out.number(), err.number());
}

Result<Process> Process::spawn(const ProcessSpec& spec, int stdout_descriptor, int stderr_descriptor) {
  // What the child leaves behind becomes our child, so that it can be reaped: in a container process 1 often reaps nothing, and a
  // group of zombies would look alive for ever.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL);
  if (!spec.working_dir.empty() && !is_folder(spec.working_dir)) {
    return fail(ErrorKind::job, fmt::format("the working folder '{}' does not exist", spec.working_dir));
  }
  STAGEGATE_TRY_ASSIGN(program, program_of(spec));
  auto arguments = spec.argv;
  auto environment = child_environment(spec.environment);
  const Attributes attributes;
  Actions actions;
  ::posix_spawn_file_actions_addopen(&actions.value, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions.value, stdout_descriptor, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions.value, stderr_descriptor, STDERR_FILENO);
  ::posix_spawn_file_actions_addclosefrom_np(&actions.value, STDERR_FILENO + 1);
  if (!spec.working_dir.empty()) {
    ::posix_spawn_file_actions_addchdir_np(&actions.value, spec.working_dir.c_str());
  }
  pid_t pid = 0;
  const int problem =
      ::posix_spawn(&pid, program.c_str(), &actions.value, &attributes.value, pointers(arguments).data(), pointers(environment).data());
  if (problem != 0) {
    // The file is there, so it is the interpreter of a script that is missing.
    const auto why = problem == ENOENT ? std::string("the interpreter in its first line (#!) does not exist") : reason(problem);
    return fail(ErrorKind::job, fmt::format("cannot start '{}': {}", program, why));
  }
  exchange_group(0, pid);
  Process process(pid, ::pidfd_open(pid, 0));
  if (process.pidfd_ < 0) {
    return fail(ErrorKind::job, fmt::format("cannot watch '{}': {} (Linux 5.3 or later is needed)", program, reason(errno)));
  }
  return process;
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      pidfd_(std::exchange(other.pidfd_, -1)),
      state_(std::exchange(other.state_, std::nullopt)),
      group_gone_(std::exchange(other.group_gone_, true)) {}

Process::~Process() {
  if (pid_ < 0) {
    return;
  }
  signal_group(SIGKILL);
  if (!state_) {
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED) != 0 && errno == EINTR) {
    }
    state_ = exit_state(info);
  }
  // Killed processes end at once, unless the kernel holds them: then there is nothing to be done.
  wait_until(milliseconds(1000), [this] { return !group_is_alive(); });
  exchange_group(pid_, 0);
  if (pidfd_ >= 0) {
    ::close(pidfd_);
  }
}

void Process::signal_group(int signal) {
  // Once the group has gone its number may belong to somebody else.
  if (pid_ > 0 && !group_gone_) {
    ::kill(-pid_, signal);
  }
}

std::optional<ExitState> Process::try_wait() {
  if (!state_ && pid_ > 0) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG) == 0 && info.si_pid == pid_) {
      state_ = exit_state(info);
    }
  }
  return state_;
}

bool Process::group_is_alive() {
  if (group_gone_ || pid_ < 0) {
    return false;
  }
  if (!try_wait()) {
    return true;
  }
  reap_orphans();
  // EPERM means that somebody is there.
  if (::kill(-pid_, 0) != 0 && errno == ESRCH) {
    group_gone_ = true;
    exchange_group(pid_, 0);
  }
  return !group_gone_;
}

void Process::reap_orphans() const {
  while (::waitpid(-pid_, nullptr, WNOHANG) > 0) {
  }
}

Result<CommandOutput> ask_command(const std::vector<std::string>& argv, milliseconds timeout) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
    return fail(ErrorKind::job, fmt::format("cannot make a pipe: {}", reason(errno)));
  }
  const FileDescriptor read_end(ends[0]);
  FileDescriptor write_end(ends[1]);
  // The child's own end blocks as any program expects; ours does not.
  ::fcntl(write_end.number(), F_SETFL, 0);
  ProcessSpec spec;
  spec.argv = argv;
  STAGEGATE_TRY_ASSIGN(process, Process::spawn(spec, write_end.number(), write_end.number()));
  write_end.reset();
  CommandOutput output;
  const auto end = Clock::now() + timeout;
  for (;;) {
    const auto left = std::chrono::duration_cast<milliseconds>(end - Clock::now()).count();
    if (left <= 0) {
      return fail(ErrorKind::job, fmt::format("'{}' did not answer within {} s", join(argv, " "), timeout.count() / 1000));
    }
    std::array<pollfd, 2> watched{pollfd{process.descriptor(), POLLIN, 0}, pollfd{read_end.number(), POLLIN, 0}};
    ::poll(watched.data(), watched.size(), static_cast<int>(std::min<long long>(left, 100)));
    const auto state = process.try_wait();
    read_available(read_end.number(), output.text);
    if (state) {
      output.state = *state;
      return output;
    }
  }
}

std::optional<std::string> find_program(const std::string& name, const std::string& path) {
  if (name.find('/') != std::string::npos) {
    return is_executable(name) ? std::optional(name) : std::nullopt;
  }
  for (const auto& folder : split(path, ':')) {
    auto candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (is_executable(candidate)) {
      return candidate;
    }
  }
  return std::nullopt;
}

void kill_all_groups() {
  for (auto& place : live_groups) {
    if (const pid_t pid = place.load(); pid > 0) {
      ::kill(-pid, SIGKILL);
    }
  }
}

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name == nullptr ? fmt::format("signal {}", signal) : fmt::format("SIG{}", name);
}

}  // namespace stagegate
