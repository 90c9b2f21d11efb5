#include "run/quoting.h"

#include <string>

#include <gtest/gtest.h>

#include "sys/process.h"

namespace stagegate {
namespace {

const std::string kOddTexts[] = {
    "plain", "", "a b", "it's", "\"quoted\"", "both ' and \"", "$HOME `id` \\ !", "line\nfeed", "-Dk=v", "*?[x]", "é",
};

std::string output_of(const std::vector<std::string>& argv) {
  const auto answer = ask_command(argv, std::chrono::seconds(20));
  return answer ? answer->text : answer.error().message;
}

TEST(Quoting, AShellGetsBackEachWord) {
  for (const auto& text : kOddTexts) {
    EXPECT_EQ(output_of({"sh", "-c", "printf %s " + shell_word(text)}), text);
  }
}

TEST(Quoting, PythonsShlexGetsBackEachWord) {
  for (const auto& text : kOddTexts) {
    EXPECT_EQ(output_of({"python3", "-c", "import shlex, sys; print(*shlex.split(sys.argv[1]), end='')", shell_word(text)}), text);
  }
}

TEST(Quoting, AShellWordThatNeedsNoQuotesHasNone) {
  EXPECT_EQ(shell_word("spark.sql.shuffle.partitions=200"), "spark.sql.shuffle.partitions=200");
  EXPECT_EQ(shell_word("local[4]"), "'local[4]'");
}

TEST(Quoting, JavaWordsSwitchQuotesWhereTheTextHasThem) {
  EXPECT_EQ(jdk_options_word("-Da=b c"), "\"-Da=b c\"");
  EXPECT_EQ(jdk_options_word(R"(-Da="b")"), R"("-Da="'"b"')");
  EXPECT_EQ(jdk_options_word(R"(-Da="b" it's)"), R"("-Da="'"b" it'"'s")");
}

TEST(Quoting, JavaWordsWithoutQuotesInThemKeepBackslashes) {
  EXPECT_EQ(jdk_options_word("-Da=\\n it's"), "\"-Da=\\n it's\"");
}

TEST(Quoting, PropertiesAreEscapedAsJavaReadsThem) {
  struct Case {
    const char* key;
    const char* value;
    const char* line;
  };
  for (const auto& [key, value, line] : {
           Case{"spark.a", "b", "spark.a=b\n"},
           Case{"spark.a", "", "spark.a=\n"},
           Case{"spark.a b:c=d#e!", "x", "spark.a\\ b\\:c\\=d\\#e\\!=x\n"},
           Case{"spark.a", "-Dx=y -Dz=#1!", "spark.a=-Dx=y -Dz=#1!\n"},
           Case{"spark.a", "  two blanks first", "spark.a=\\ \\ two blanks first\n"},
           Case{"spark.a", "   ", "spark.a=\\ \\ \\ \n"},
           Case{"spark.a", "C:\\dir\nnext\tcolumn", "spark.a=C:\\\\dir\\nnext\\tcolumn\n"},
           Case{"spark.a", "é", "spark.a=é\n"},
       }) {
    EXPECT_EQ(properties_line(key, value), line);
  }
}

TEST(Quoting, UrisEscapeWhatAPathMayHoldAndAUriMayNot) {
  EXPECT_EQ(file_uri("/a/b-1_c.d"), "file:///a/b-1_c.d");
  EXPECT_EQ(file_uri("/my run/50%/é[1]#?"), "file:///my%20run/50%25/%C3%A9%5B1%5D%23%3F");
}

}  // namespace
}  // namespace stagegate
