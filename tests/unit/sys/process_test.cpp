#include "sys/process.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace stagegate {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

std::optional<ExitState> wait_for(Process& process, milliseconds timeout = seconds(20)) {
  pollfd watched{process.descriptor(), POLLIN, 0};
  ::poll(&watched, 1, static_cast<int>(timeout.count()));
  return process.try_wait();
}

template <typename Condition>
bool becomes_true(Condition condition, milliseconds timeout = seconds(20)) {
  const auto end = Clock::now() + timeout;
  while (!condition()) {
    if (Clock::now() > end) {
      return false;
    }
    std::this_thread::sleep_for(milliseconds(5));
  }
  return true;
}

class ProcessTest : public testing::Test {
 protected:
  Result<Process> start(const std::vector<std::string>& argv, const std::map<std::string, std::string>& environment = {}) {
    return Process::start({argv, environment, folder.path(), folder.at("out"), folder.at("err")});
  }
  Result<Process> start_script(const std::string& body) { return start({folder.write_script("script", body)}); }

  ExitState run(const std::vector<std::string>& argv, const std::map<std::string, std::string>& environment = {}) {
    auto process = start(argv, environment);
    EXPECT_TRUE(process) << (process ? "" : process.error().message);
    return process ? wait_for(*process).value_or(ExitState{-1, -1}) : ExitState{-1, -1};
  }

  // Waits for the file that a script writes its process ids to, one a line.
  std::vector<pid_t> ids_in(const std::string& name, std::size_t count) {
    std::vector<pid_t> ids;
    EXPECT_TRUE(becomes_true([&] {
      ids.clear();
      std::istringstream text(folder.read(name));
      for (pid_t id = 0; text >> id;) {
        ids.push_back(id);
      }
      return ids.size() == count;
    }));
    return ids;
  }

  test::TemporaryFolder folder;
};

// A mask of signals in the text of /proc/self/status.
unsigned long long signals_in(const std::string& status, const std::string& key) {
  const auto begin = status.find(key);
  return begin == std::string::npos ? ~0ULL : std::stoull(status.substr(begin + key.size()), nullptr, 16);
}

bool exists(pid_t id) {
  return ::kill(id, 0) == 0;
}

TEST_F(ProcessTest, TellsTheExitStatus) {
  const auto state = run({folder.write_script("script", "exit 3")});
  EXPECT_EQ(state.exit_status, 3);
  EXPECT_EQ(state.signal, 0);
}

TEST_F(ProcessTest, TellsTheSignalAndNoStatus) {
  const auto state = run({folder.write_script("script", "kill -9 $$")});
  EXPECT_EQ(state.exit_status, 0);
  EXPECT_EQ(state.signal, SIGKILL);
}

TEST_F(ProcessTest, WritesBothOutputsToTheirFiles) {
  run({folder.write_script("script", "echo to out; echo to err >&2")});
  EXPECT_EQ(folder.read("out"), "to out\n");
  EXPECT_EQ(folder.read("err"), "to err\n");
}

TEST_F(ProcessTest, HandsArgumentsOnAsTheyAre) {
  const std::string odd = "a b\"c'd$HOME;e\nf*";
  run({"printf", "%s|", odd, ""});
  EXPECT_EQ(folder.read("out"), odd + "||");
}

TEST_F(ProcessTest, RunsInTheWorkingFolderWithTheVariablesOnTopOfOurs) {
  run({folder.write_script("script", "pwd -P; echo $ADDED; echo ${HOME:+kept}; echo $PATH | wc -l")}, {{"ADDED", "x=y"}});
  EXPECT_NE(folder.read("out").find("\nx=y\nkept\n1\n"), std::string::npos) << folder.read("out");
}

TEST_F(ProcessTest, LooksForANameOnThePathOfTheChild) {
  folder.write_script("bin/only-here", "echo found");
  EXPECT_EQ(run({"only-here"}, {{"PATH", folder.at("bin") + ":/usr/bin:/bin"}}).exit_status, 0);
  EXPECT_EQ(folder.read("out"), "found\n");
}

TEST_F(ProcessTest, TakesAPathAsRelativeToTheWorkingFolder) {
  folder.write_script("tools/job.sh", "echo here");
  EXPECT_EQ(run({"tools/job.sh"}).exit_status, 0);
  EXPECT_EQ(folder.read("out"), "here\n");
}

TEST_F(ProcessTest, HasNoInput) {
  EXPECT_EQ(run({"cat"}).exit_status, 0);
  EXPECT_EQ(folder.read("out"), "");
}

TEST_F(ProcessTest, InheritsNoDescriptors) {
  const int open_here = ::dup(STDERR_FILENO);
  run({"ls", "/proc/self/fd"});
  ::close(open_here);
  // 3 is the folder that is being listed.
  EXPECT_EQ(folder.read("out"), "0\n1\n2\n3\n");
}

TEST_F(ProcessTest, UnblocksSignalsAndResetsThoseThatWeIgnore) {
  sigset_t term;
  sigset_t old;
  ::sigemptyset(&term);
  ::sigaddset(&term, SIGTERM);
  ::sigprocmask(SIG_BLOCK, &term, &old);
  const auto old_handler = ::signal(SIGINT, SIG_IGN);
  run({"grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"});
  ::signal(SIGINT, old_handler);
  ::sigprocmask(SIG_SETMASK, &old, nullptr);
  const auto status = folder.read("out");
  EXPECT_EQ(signals_in(status, "SigBlk:"), 0U);
  // Two that are glibc's own stay ignored, below SIGRTMIN.
  EXPECT_EQ(signals_in(status, "SigIgn:") & 0x7FFFFFFFU, 0U);
}

TEST_F(ProcessTest, LeadsAGroupOfItsOwn) {
  auto process = start({"sleep", "60"});
  ASSERT_TRUE(process);
  EXPECT_EQ(::getpgid(process->id()), process->id());
}

TEST_F(ProcessTest, NamesAProgramThatIsMissing) {
  const auto by_name = start({"no-such-program-anywhere"});
  ASSERT_FALSE(by_name);
  EXPECT_EQ(by_name.error().kind, ErrorKind::job);
  EXPECT_NE(by_name.error().message.find("'no-such-program-anywhere'"), std::string::npos);

  const auto by_path = start({folder.at("none")});
  ASSERT_FALSE(by_path);
  EXPECT_EQ(by_path.error().message, "cannot start '" + folder.at("none") + "': there is no such program");
}

TEST_F(ProcessTest, TellsAMissingInterpreterFromAMissingProgram) {
  folder.write_script("script", "");
  folder.write("script", "#!/no/such/shell\n");
  const auto process = start({folder.at("script")});
  ASSERT_FALSE(process);
  EXPECT_NE(process.error().message.find("interpreter"), std::string::npos) << process.error().message;
}

TEST_F(ProcessTest, TellsAFileThatIsNotExecutable) {
  const auto process = start({folder.write("script", "#!/bin/sh\n")});
  ASSERT_FALSE(process);
  EXPECT_NE(process.error().message.find("not executable"), std::string::npos) << process.error().message;
}

TEST_F(ProcessTest, NamesAWorkingFolderThatIsMissing) {
  const auto process = Process::start({{"true"}, {}, folder.at("gone"), "", ""});
  ASSERT_FALSE(process);
  EXPECT_EQ(process.error().message, "the working folder '" + folder.at("gone") + "' does not exist");
}

TEST_F(ProcessTest, HasNoStateWhileItRuns) {
  auto process = start({"sleep", "60"});
  ASSERT_TRUE(process);
  EXPECT_FALSE(process->try_wait());
  EXPECT_TRUE(process->group_is_alive());
}

TEST_F(ProcessTest, TellsTheSameStateEachTime) {
  auto process = start_script("exit 4");
  ASSERT_TRUE(process);
  ASSERT_TRUE(wait_for(*process));
  EXPECT_EQ(process->try_wait()->exit_status, 4);
  EXPECT_FALSE(process->group_is_alive());
  process->signal_group(SIGKILL);
}

TEST_F(ProcessTest, SignalsTheWholeGroup) {
  auto process = start_script("sleep 60 & echo $$ $! > ids; wait");
  ASSERT_TRUE(process);
  const auto ids = ids_in("ids", 2);
  process->signal_group(SIGTERM);
  ASSERT_TRUE(wait_for(*process));
  EXPECT_TRUE(becomes_true([&] { return !process->group_is_alive(); }));
  EXPECT_FALSE(exists(ids[1]));
}

TEST_F(ProcessTest, KnowsOfChildrenThatOutliveTheirParent) {
  auto process = start_script("sleep 60 & echo $! > ids");
  ASSERT_TRUE(process);
  const auto ids = ids_in("ids", 1);
  ASSERT_TRUE(wait_for(*process));
  EXPECT_TRUE(process->group_is_alive());
  process->signal_group(SIGTERM);
  EXPECT_TRUE(becomes_true([&] { return !process->group_is_alive(); }));
  EXPECT_FALSE(exists(ids[0]));
}

TEST_F(ProcessTest, KillsAndReapsTheGroupWhenItGoes) {
  std::vector<pid_t> ids;
  {
    auto process = start_script("trap '' TERM; sleep 60 & echo $$ $! > ids; while :; do sleep 1; done");
    ASSERT_TRUE(process);
    ids = ids_in("ids", 2);
    const auto moved = std::move(*process);
    EXPECT_TRUE(exists(ids[0]));
  }
  EXPECT_FALSE(exists(ids[0]));
  EXPECT_FALSE(exists(ids[1]));
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST_F(ProcessTest, KillsAllGroupsAtOnce) {
  auto one = start({"sleep", "60"});
  auto two = start({"sleep", "60"});
  ASSERT_TRUE(one && two);
  kill_all_groups();
  EXPECT_EQ(wait_for(*one)->signal, SIGKILL);
  EXPECT_EQ(wait_for(*two)->signal, SIGKILL);
}

TEST_F(ProcessTest, KeepsNoOutputInMemory) {
  const auto state = run({folder.write_script("script", "head -c 50000000 /dev/zero >&2")});
  EXPECT_EQ(state.exit_status, 0);
  EXPECT_EQ(folder.read("err").size(), 50'000'000U);
}

TEST_F(ProcessTest, AsksForBothOutputsTogether) {
  const auto answer = ask_command({folder.write_script("script", "echo one; echo two >&2; exit 5")}, seconds(20));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->text, "one\ntwo\n");
  EXPECT_EQ(answer->state.exit_status, 5);
}

TEST_F(ProcessTest, KeepsAtMostAMebibyteOfAnAnswer) {
  const auto answer = ask_command({"head", "-c", "3000000", "/dev/zero"}, seconds(20));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->text.size(), 1U << 20U);
}

TEST_F(ProcessTest, DoesNotWaitForEverForAnAnswer) {
  const auto begin = Clock::now();
  const auto answer = ask_command({"sleep", "60"}, milliseconds(100));
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().message.find("'sleep 60' did not answer"), std::string::npos) << answer.error().message;
  EXPECT_LT(Clock::now() - begin, seconds(20));
}

TEST_F(ProcessTest, DoesNotWaitForWhoHoldsTheAnswersPipeOpen) {
  const auto answer = ask_command({folder.write_script("script", "echo done; sleep 60 &")}, seconds(20));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->text, "done\n");
}

TEST_F(ProcessTest, FindsTheFirstProgramOnAPath) {
  folder.write("one/tool", "not executable");
  folder.write_script("two/tool", "");
  folder.write_script("three/tool", "");
  const auto path = folder.at("one") + ":" + folder.at("two") + ":" + folder.at("three");
  EXPECT_EQ(find_program("tool", path), folder.at("two/tool"));
  EXPECT_EQ(find_program("other", path), std::nullopt);
  EXPECT_EQ(find_program(folder.at("three/tool"), ""), folder.at("three/tool"));
}

TEST(SignalName, IsTheOneThatPeopleKnow) {
  EXPECT_EQ(signal_name(SIGKILL), "SIGKILL");
  EXPECT_EQ(signal_name(SIGTERM), "SIGTERM");
  EXPECT_EQ(signal_name(1000), "signal 1000");
}

}  // namespace
}  // namespace stagegate
