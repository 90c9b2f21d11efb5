// What is on disk when a process is killed in the middle of write_file().
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.h"
#include "sys/file.h"
#include "sys/write_file.h"

namespace stagegate {
namespace {

// A child that writes NEW_BYTES to PATH and is killed at STEP; whether it came that far and died of that.
bool killed_while_writing(const std::string& path, const std::string& new_bytes, WriteStep step) {
  const auto child = ::fork();
  if (child == 0) {
    static_cast<void>(write_file(path, new_bytes, [&](WriteStep reached) {
      if (reached == step) {
        ::kill(::getpid(), SIGKILL);
      }
    }));
    ::_exit(0);
  }
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

const std::vector<WriteStep> kBeforeTheRename{WriteStep::temporary_made, WriteStep::half_written, WriteStep::written, WriteStep::synced};
const std::string kOld(100'000, 'o');
const std::string kNew(300'001, 'n');

TEST(WriteSteps, AProcessThatIsKilledLeavesTheOldFileOrTheNewOne) {
  const test::TemporaryFolder folder;
  for (const auto step : kBeforeTheRename) {
    folder.write("a.json", kOld);
    ASSERT_TRUE(killed_while_writing(folder.at("a.json"), kNew, step));
    EXPECT_EQ(folder.read("a.json"), kOld);
  }
  ASSERT_TRUE(killed_while_writing(folder.at("a.json"), kNew, WriteStep::renamed));
  EXPECT_EQ(folder.read("a.json"), kNew);
}

TEST(WriteSteps, AProcessThatIsKilledLeavesNoFileWhereThereWasNone) {
  const test::TemporaryFolder folder;
  for (const auto step : kBeforeTheRename) {
    ASSERT_TRUE(killed_while_writing(folder.at("sub/a.json"), kNew, step));
    EXPECT_FALSE(is_file(folder.at("sub/a.json")));
  }
  ASSERT_TRUE(killed_while_writing(folder.at("sub/a.json"), kNew, WriteStep::renamed));
  EXPECT_EQ(folder.read("sub/a.json"), kNew);
}

TEST(WriteSteps, WhatAKilledProcessLeftIsNotInTheWayOfTheNext) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(killed_while_writing(folder.at("a.json"), kNew, WriteStep::half_written));
  ASSERT_TRUE(write_file(folder.at("a.json"), kNew));
  EXPECT_EQ(folder.read("a.json"), kNew);
  const auto names = list_folder(folder.path()).value();
  EXPECT_EQ(std::count_if(names.begin(), names.end(), [](const std::string& name) { return name.ends_with(".json"); }), 1)
      << "what is left has another ending, so that nobody takes it for a baseline";
}

// In a container stagegate has the same process number each time.
TEST(WriteSteps, ATemporaryFileOfTheSameNameIsNotInTheWay) {
  const test::TemporaryFolder folder;
  for (int number = 0; number < 50; ++number) {
    std::ofstream(folder.at(fmt::format("a.json.tmp-{}-{}", ::getpid(), number))) << "left";
  }
  ASSERT_TRUE(write_file(folder.at("a.json"), kNew));
  EXPECT_EQ(folder.read("a.json"), kNew);
}

TEST(WriteSteps, ComeInOrder) {
  const test::TemporaryFolder folder;
  std::vector<WriteStep> steps;
  ASSERT_TRUE(write_file(folder.at("a"), "bytes", [&](WriteStep step) { steps.push_back(step); }));
  auto all = kBeforeTheRename;
  all.push_back(WriteStep::renamed);
  EXPECT_EQ(steps, all);
  EXPECT_EQ(folder.read("a"), "bytes");
}

}  // namespace
}  // namespace stagegate
