// A folder that a test has to itself, by its absolute path: tests never change the working folder, so that they can run side by side.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "sys/file.h"
#include "sys/write_file.h"

namespace stagegate::test {

class TemporaryFolder {
 public:
  TemporaryFolder() : path_(testing::TempDir() + "stagegate_test_XXXXXX") { EXPECT_NE(::mkdtemp(path_.data()), nullptr); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { EXPECT_TRUE(remove_tree(path_)); }

  const std::string& path() const { return path_; }
  std::string at(const std::string& name) const { return path_ + "/" + name; }

  std::string write(const std::string& name, std::string_view text) const {
    EXPECT_TRUE(write_file(at(name), text));
    return at(name);
  }

  // A shell script that can be started by its path.
  std::string write_script(const std::string& name, std::string_view body) const {
    const auto path = write(name, "#!/bin/sh\n" + std::string(body) + "\n");
    EXPECT_EQ(::chmod(path.c_str(), 0755), 0);
    return path;
  }

  std::string read(const std::string& name) const { return read_file(at(name), ErrorKind::internal).value_or("(no such file)"); }

 private:
  std::string path_;
};

}  // namespace stagegate::test
