// What is not TOML at all: one line each, with the place and the way out.
#include <string>

#include <gtest/gtest.h>

#include "unit/manifest/parse.h"

namespace stagegate {
namespace {

const std::string kQuoteTheKeys =
    "not TOML: a key cannot have a value and be the beginning of other keys too; put quotes around such keys: "
    "\"spark.speculation\" = true, \"spark.speculation.interval\" = 1";

TEST(SyntaxErrors, SayToQuoteKeysOfWhichOneBeginsAnother) {
  EXPECT_EQ(error_of("[defaults.conf]\nspark.speculation = true\nspark.speculation.interval = 1\n"), "m.toml:3:7: " + kQuoteTheKeys);
  EXPECT_EQ(error_of("[defaults.conf]\nspark.speculation.interval = 1\nspark.speculation = true\n"), "m.toml:3:21: " + kQuoteTheKeys);
  EXPECT_EQ(error_of("[defaults]\nconf = { spark.speculation = true, spark.speculation.interval = 1 }\n"), "m.toml:2:42: " + kQuoteTheKeys);
  EXPECT_EQ(error_of("[defaults.conf]\nspark.speculation = 'x'\n[defaults.conf.spark.speculation]\n"), "m.toml:3:1: " + kQuoteTheKeys);
}

TEST(SyntaxErrors, SayThatAnInlineTableStandsOnOneLine) {
  const std::string sentence =
      "not TOML: an inline table { ... } must stand on one line; write a table with a header of its own instead, such as [defaults.conf]";
  EXPECT_EQ(error_of("[defaults]\nconf = {\n  a = 1\n}\n"), "m.toml:2:9: " + sentence);
  EXPECT_EQ(error_of("[defaults]\nconf = { a = 1,\n  b = 1 }\n"), "m.toml:2:16: " + sentence);
  EXPECT_EQ(error_of("[defaults]\r\nconf = {\r\n  a = 1\r\n}\r\n"), "m.toml:2:9: " + sentence);
  EXPECT_EQ(error_of("[defaults]\nconf = { # mine\n  a = 1\n}\n"), "m.toml:2:10: " + sentence);
}

TEST(SyntaxErrors, KnowAConflictOfGit) {
  const std::string sentence = "a git conflict marker; resolve the conflict in this file first";
  EXPECT_EQ(error_of("[jobs.a]\n<<<<<<< HEAD\napp = 'a.py'\n=======\napp = 'b.py'\n>>>>>>> other\n"), "m.toml:2:1: " + sentence);
  EXPECT_EQ(error_of("[jobs.a]\napp = 'a.py'\n=======\n"), "m.toml:3:1: " + sentence);
  EXPECT_EQ(error_of("[jobs.a]\nargs = [\n<<<<<<< HEAD\n'a',\n"), "m.toml:3:1: " + sentence);
}

TEST(SyntaxErrors, RefuseAKeyOfThousandsOfParts) {
  std::string key = "a";
  for (int i = 0; i < 20'000; ++i) {
    key += ".a";
  }
  const std::string sentence = "not TOML that can be meant: a key of more than 500 parts";
  EXPECT_EQ(error_of("\n" + key + " = 1\n"), "m.toml:2:1: " + sentence);
  EXPECT_EQ(error_of("[" + key + "]\n"), "m.toml:1:1: " + sentence);
  EXPECT_EQ(error_of("a = { " + key + " = 1 }\n"), "m.toml:1:1: " + sentence);
}

TEST(SyntaxErrors, AreSaidInPlainWords) {
  const Mistake mistakes[] = {
      {"no quotes", "a = local[4]\n", "m.toml:1:5: not TOML: a string needs quotes around it"},
      {"no quotes, with a number", "timeout = 15 min\n",
       "m.toml:1:14: not TOML: one value may stand behind '=', and a string needs quotes around it"},
      {"capital letter", "a = True\n",
       "m.toml:1:5: not TOML: a string needs quotes around it, and true and false are written in small letters"},
      {"string over lines", "a = \"abc\nb = 1\n", "m.toml:1:9: not TOML: a string must be closed on the line where it begins"},
      {"string over lines, CRLF", "a = 'abc\r\nb = 1\r\n", "m.toml:1:9: not TOML: a string must be closed on the line where it begins"},
      {"backslash", "a = \"C:\\jobs\"\n",
       "m.toml:1:9: not TOML: a '\\' in \"...\" begins an escape sequence; write '...' around a string with backslashes"},
      {"leading zero", "a = 01\n", "m.toml:1:7: not TOML: a number must not begin with a zero; put quotes around it if it is a string"},
      {"comma at the end", "a = { b = 1, }\n", "m.toml:1:14: not TOML: an inline table { ... } must not end in a comma"},
      {"latin-1", "# caf\xe9\n", "m.toml:1:5: not TOML: bytes that are not UTF-8 at or behind this place; save the file as UTF-8"},
      {"table twice", "[jobs.a]\n[jobs.b]\n[jobs.a]\n", "m.toml:3:1: not TOML: 'jobs.a' is written twice"},
      {"key twice", "[spark]\nhome = 'a'\nhome = 'b'\n", "m.toml:3:8: not TOML: 'home' is written twice"},
      {"colon", "a : 1\n", "m.toml:1:3: not TOML: key-value pair: expected '=', saw ':'"},
      {"no value", "a =\n", "m.toml:1:4: not TOML: key-value pair: expected value, saw the end of the line"},
      {"no such month", "a = 2027-13-01\n", "m.toml:1:12: not TOML: date: expected month between 1 and 12 (inclusive), saw 13"},
  };
  for (const auto& [name, text, message] : mistakes) {
    EXPECT_EQ(error_of(text), message) << name;
  }
}

}  // namespace
}  // namespace stagegate
