#include "sys/file.h"
#include "sys/folder_lock.h"
#include "sys/write_file.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace stagegate {
namespace {

class File : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "stagegate_file_XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { EXPECT_TRUE(remove_tree(folder)); }

  std::string at(const std::string& name) const { return folder + "/" + name; }

  std::string folder;
};

std::string content(const std::string& path) {
  return read_file(path, ErrorKind::usage).value_or("(cannot be read)");
}

std::string drain(ByteSource& source, std::size_t step) {
  std::string all;
  std::string buffer(step, '\0');
  for (;;) {
    const auto count = source.read(buffer);
    if (!count || *count == 0) {
      return all;
    }
    all.append(buffer, 0, *count);
  }
}

TEST_F(File, ReadsBackWhatWasWritten) {
  const std::string bytes("one\0two\r\n\xFF", 10);
  ASSERT_TRUE(write_file(at("a"), bytes));
  EXPECT_EQ(content(at("a")), bytes);
}

TEST_F(File, WritesIntoFoldersThatAreNotThereYet) {
  ASSERT_TRUE(write_file(at("a/b/c.txt"), "x"));
  EXPECT_EQ(content(at("a/b/c.txt")), "x");
}

TEST_F(File, LeavesNoTemporaryFileBeside) {
  ASSERT_TRUE(write_file(at("a"), "1"));
  ASSERT_TRUE(write_file(at("a"), "2"));
  EXPECT_EQ(list_folder(folder), std::vector<std::string>{"a"});
}

// Writes beyond so many bytes fail, as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    const struct rlimit limit { bytes, old_.rlim_max };
    ::setrlimit(RLIMIT_FSIZE, &limit);
    old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    static_cast<void>(std::signal(SIGXFSZ, old_handler_));
  }

 private:
  struct rlimit old_ {};
  void (*old_handler_)(int) = SIG_DFL;
};

TEST_F(File, AWriteThatFailsHalfWayKeepsTheOldBytesAndLeavesNoTemporaryFile) {
  ASSERT_TRUE(write_file(at("a"), "old"));
  Status status;
  {
    const FileSizeLimit limit(10);
    status = write_file(at("a"), std::string(100, 'x'));
  }
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::output);
  EXPECT_EQ(status.error().message, "cannot write '" + at("a") + "': File too large");
  EXPECT_EQ(content(at("a")), "old");
  EXPECT_EQ(list_folder(folder), std::vector<std::string>{"a"});
}

TEST_F(File, AFullDiskIsAnErrorThatNamesThePathAndTheReason) {
  if (!std::filesystem::exists("/dev/full")) {
    GTEST_SKIP() << "there is no /dev/full";
  }
  const auto status = write_file("/dev/full", "x");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::output);
  EXPECT_EQ(status.error().message, "cannot write '/dev/full': No space left on device");
}

TEST_F(File, AFolderInTheWayIsAnError) {
  ASSERT_TRUE(make_folders(at("a")));
  const auto status = write_file(at("a"), "x");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "cannot write '" + at("a") + "': Is a directory");
}

TEST_F(File, AFileInTheWayOfAFolderIsAnError) {
  ASSERT_TRUE(write_file(at("a"), "x"));
  EXPECT_FALSE(make_folders(at("a")));
  EXPECT_FALSE(write_file(at("a/b"), "x"));
}

TEST_F(File, WritesThroughASymbolicLink) {
  ASSERT_TRUE(write_file(at("target"), "old"));
  std::filesystem::create_symlink("target", at("link"));
  ASSERT_TRUE(write_file(at("link"), "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(at("link")));
  EXPECT_EQ(content(at("target")), "new");
}

TEST_F(File, KeepsThePermissionsOfTheFileItReplaces) {
  ASSERT_TRUE(write_file(at("a"), "old"));
  ASSERT_EQ(::chmod(at("a").c_str(), 0640), 0);
  ASSERT_TRUE(write_file(at("a"), "new"));
  struct stat state {};
  ASSERT_EQ(::stat(at("a").c_str(), &state), 0);
  EXPECT_EQ(state.st_mode & 07777U, 0640U);
}

TEST_F(File, AMissingFileIsAnErrorOfTheKindThatWasAskedFor) {
  const auto bytes = read_file(at("none"), ErrorKind::baseline);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().kind, ErrorKind::baseline);
  EXPECT_EQ(bytes.error().message, "cannot open '" + at("none") + "': No such file or directory");
}

TEST_F(File, ReadingAFolderIsAnError) {
  const auto bytes = read_file(folder, ErrorKind::usage);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().message, "cannot read '" + folder + "': Is a directory");
}

TEST_F(File, TellsFilesFoldersAndProgramsApart) {
  ASSERT_TRUE(write_file(at("a"), "x"));
  EXPECT_TRUE(is_file(at("a")));
  EXPECT_FALSE(is_folder(at("a")));
  EXPECT_FALSE(is_executable(at("a")));
  ASSERT_EQ(::chmod(at("a").c_str(), 0755), 0);
  EXPECT_TRUE(is_executable(at("a")));
  EXPECT_TRUE(is_folder(folder));
  EXPECT_FALSE(is_file(folder));
  EXPECT_FALSE(is_executable(folder));
  EXPECT_FALSE(is_file(at("none")));
  EXPECT_FALSE(is_folder(at("none")));
}

TEST_F(File, ListsAFolderSorted) {
  for (const auto* name : {"b", "a", ".c"}) {
    ASSERT_TRUE(write_file(at(name), ""));
  }
  EXPECT_EQ(list_folder(folder), (std::vector<std::string>{".c", "a", "b"}));
  const auto none = list_folder(at("none"));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "cannot list the folder '" + at("none") + "': No such file or directory");
}

TEST_F(File, IsReadInStepsOfAnySize) {
  const std::string bytes(100'000, 'x');
  ASSERT_TRUE(write_file(at("a"), bytes));
  for (const std::size_t step : {std::size_t{1}, std::size_t{4096}, std::size_t{1} << 20U}) {
    auto source = open_file(at("a"));
    ASSERT_TRUE(source);
    EXPECT_EQ(drain(**source, step), bytes);
  }
  EXPECT_FALSE(open_file(at("none")));
}

TEST_F(File, AFolderOpensItsFilesAndFolders) {
  ASSERT_TRUE(write_file(at("sub/file"), "x"));
  ASSERT_TRUE(write_file(at("file"), "y"));
  const auto opened = open_folder(folder);
  auto entries = opened->list();
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 2U);
  EXPECT_EQ((*entries)[0].name, "file");
  EXPECT_FALSE((*entries)[0].is_folder);
  EXPECT_EQ((*entries)[1].name, "sub");
  EXPECT_TRUE((*entries)[1].is_folder);
  auto sub = opened->folder("sub");
  ASSERT_TRUE(sub);
  auto file = (*sub)->open("file");
  ASSERT_TRUE(file);
  EXPECT_EQ(drain(**file, 16), "x");
}

TEST_F(File, ATailIsTheEndOfAFile) {
  ASSERT_TRUE(write_file(at("a"), "0123456789"));
  EXPECT_EQ(read_tail(at("a"), 3), "789");
  EXPECT_EQ(read_tail(at("a"), 10), "0123456789");
  EXPECT_EQ(read_tail(at("a"), 11), "0123456789");
  EXPECT_EQ(read_tail(at("a"), 0), "");
  EXPECT_FALSE(read_tail(at("none"), 3));
}

TEST_F(File, ALockIsHeldOnceAndFreedAtItsEnd) {
  const auto lock_file = at("out/.lock");
  {
    auto first = FolderLock::take(lock_file);
    ASSERT_TRUE(first);
    const FolderLock moved = std::move(*first);
    const auto second = FolderLock::take(lock_file);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().kind, ErrorKind::output);
    EXPECT_EQ(second.error().message,
              "'" + at("out") + "' is in use by another stagegate; wait for it, or give this one a folder of its own");
  }
  EXPECT_TRUE(FolderLock::take(lock_file));
}

TEST(Path, IsMadeAbsoluteWithoutDots) {
  EXPECT_EQ(absolute_path("a/b", "/x"), "/x/a/b");
  EXPECT_EQ(absolute_path("./a/../b/", "/x/"), "/x/b");
  EXPECT_EQ(absolute_path("../a", "/x/y"), "/x/a");
  EXPECT_EQ(absolute_path("/a//b/.", "/x"), "/a/b");
  EXPECT_EQ(absolute_path("", "/x"), "/x");
  EXPECT_EQ(absolute_path("..", "/x"), "/");
}

TEST(Path, IsShownShortBelowTheBase) {
  EXPECT_EQ(display_path("/x/a/b", "/x"), "a/b");
  EXPECT_EQ(display_path("/x", "/x"), ".");
  EXPECT_EQ(display_path("/y/a", "/x"), "/y/a");
  EXPECT_EQ(display_path("/xy/a", "/x"), "/xy/a");
  EXPECT_EQ(display_path("a/b", "/x"), "a/b");
}

}  // namespace
}  // namespace stagegate
