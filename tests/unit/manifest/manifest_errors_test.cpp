// What is TOML and not a manifest. Every message in full, with its place.
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/manifest/parse.h"

namespace stagegate {
namespace {

template <std::size_t N>
void expect_messages(const Mistake (&mistakes)[N]) {
  for (const auto& [name, text, message] : mistakes) {
    EXPECT_EQ(error_of(text), message) << name;
  }
}

TEST(ManifestErrors, NameUnknownKeysAndTheNearestKnownOne) {
  expect_messages({
      {"top level", "[job.a]\n", "m.toml:1:2: unknown key 'job' at the top level; did you mean 'jobs'?"},
      {"top level, nothing near", "colour = 1\n", "m.toml:1:1: unknown key 'colour' at the top level"},
      {"spark", "[spark]\nmastre = 'local'\n", "m.toml:2:1: unknown key 'mastre' in [spark]; did you mean 'master'?"},
      {"defaults", "[defaults]\ntimeuot = '1 s'\n", "m.toml:2:1: unknown key 'timeuot' in [defaults]; did you mean 'timeout'?"},
      {"job", "[jobs.a]\napp = 'a.py'\n  arg = []\n", "m.toml:3:3: unknown key 'arg' in [jobs.a]; did you mean 'args'?"},
      {"variant", "[variants.v]\ndescripton = ''\n", "m.toml:2:1: unknown key 'descripton' in [variants.v]; did you mean 'description'?"},
      {"own variant", "[variants.v]\n[jobs.a]\napp = 'a.py'\nvariant.v.cnof = {}\n",
       "m.toml:4:11: unknown key 'cnof' in [jobs.a.variant.v]; did you mean 'conf'?"},
      {"rule", "[[rules.skew.overide]]\n", "m.toml:1:14: unknown key 'overide' in [rules.skew]; did you mean 'override'?"},
      {"suppress", "[[suppress]]\nrule = '*'\nreason = 'x'\nstages = '*'\n",
       "m.toml:4:1: unknown key 'stages' in [[suppress]]; did you mean 'stage'?"},
      {"report", "[report]\ndirectory = 'x'\n", "m.toml:2:1: unknown key 'directory' in [report]"},
      {"baseline", "[baseline]\nusee = true\n", "m.toml:2:1: unknown key 'usee' in [baseline]; did you mean 'use'?"},
  });
}

TEST(ManifestErrors, SayWhereAKeyBelongsOrThatItIsNotThereYet) {
  expect_messages({
      {"profiles", "[profiles.nightly]\n",
       "m.toml:1:2: unknown key 'profiles' at the top level; profiles are not in this version of stagegate"},
      {"runs at the top", "runs = 3\n", "m.toml:1:1: unknown key 'runs' at the top level; it belongs in [defaults], a job or a variant"},
      {"rules_dir below a table", "[report]\nrules_dir = 'rules'\n",
       "m.toml:2:1: unknown key 'rules_dir' in [report]; it belongs at the top of the file, above the first [table]"},
      {"property outside of conf", "[defaults]\nspark.sql.adaptive.enabled = true\n",
       "m.toml:2:1: unknown key 'spark' in [defaults]; properties of Spark belong in 'conf'"},
      {"python of all", "[defaults]\npython = 'python3'\n",
       "m.toml:2:1: unknown key 'python' in [defaults]; it belongs in [spark], a job or a variant"},
      {"owner of a variant", "[variants.v]\nowner = 'me'\n",
       "m.toml:2:1: unknown key 'owner' in [variants.v]; it belongs in [defaults] or a job"},
  });
}

TEST(ManifestErrors, SayThatRunsAreOneToAHundred) {
  expect_messages({
      {"none", "[defaults]\nruns = 0\n", "m.toml:2:8: 'runs' in [defaults] must be 1 to 100, not 0"},
      {"fewer", "[variants.v]\nruns = -3\n", "m.toml:2:8: 'runs' in [variants.v] must be 1 to 100, not -3"},
      {"too many", "[jobs.a]\napp = 'a.py'\nruns = 101\n", "m.toml:3:8: 'runs' in [jobs.a] must be 1 to 100, not 101"},
      {"very many", "[defaults]\nruns = 9223372036854775807\n",
       "m.toml:2:8: 'runs' in [defaults] must be 1 to 100, not 9223372036854775807"},
      {"a part of one", "[defaults]\nruns = 3.0\n", "m.toml:2:8: 'runs' in [defaults] must be an integer, not a float"},
      {"words", "[variants.v]\n[jobs.a]\napp = 'a.py'\nvariant.v.runs = '3'\n",
       "m.toml:4:18: 'runs' in [jobs.a.variant.v] must be an integer, not a string"},
  });
}

TEST(ManifestErrors, NameTheTypeThatIsWantedAndTheOneThatIsThere) {
  expect_messages({
      {"table", "jobs = 1\n", "m.toml:1:8: 'jobs' at the top level must be a table, not an integer"},
      {"named table", "[variants]\nv = 'x'\n", "m.toml:2:5: 'v' in [variants] must be a table, not a string"},
      {"string", "[jobs.a]\napp = ['a.py']\n", "m.toml:2:7: 'app' in [jobs.a] must be a string, not an array"},
      {"timeout", "[defaults]\ntimeout = 900\n",
       "m.toml:2:11: 'timeout' in [defaults] must be a string such as \"15 min\", not an integer"},
      {"array", "[jobs.a]\ncommand = 'python a.py'\n", "m.toml:2:11: 'command' in [jobs.a] must be an array of strings, not a string"},
      {"array of other things", "[defaults]\nargs = ['--n', 5]\n",
       "m.toml:2:16: 'args' in [defaults] must hold strings only, not an integer"},
      {"flag", "[baseline]\nuse = 'no'\n", "m.toml:2:7: 'use' in [baseline] must be true or false, not a string"},
      {"one table for many", "[suppress]\nrule = 'skew'\n",
       "m.toml:1:2: 'suppress' at the top level must be tables, each with the header [[suppress]]"},
      {"strings for tables", "suppress = ['skew']\n",
       "m.toml:1:1: 'suppress' at the top level must be tables, each with the header [[suppress]]"},
      {"one override for many", "[rules.skew.override]\nlevel = 'off'\n",
       "m.toml:1:13: 'override' in [rules.skew] must be tables, each with the header [[rules.skew.override]]"},
      {"conf", "[defaults]\nconf = ['spark.x=1']\n", "m.toml:2:8: 'conf' in [defaults] must be a table, not an array"},
      {"array in conf", "[defaults.conf]\nspark.x = [1]\n",
       "m.toml:2:11: 'spark.x' in [defaults.conf] must be a string, a number or a boolean, not an array"},
      {"date in conf", "[defaults]\nconf = { 'spark.x' = 2027-03-01 }\n",
       "m.toml:2:22: 'spark.x' in [defaults.conf] must be a string, a number or a boolean, not a date"},
      {"infinity in conf", "[defaults.conf]\nspark.x = inf\n", "m.toml:2:11: 'spark.x' in [defaults.conf] must be a finite number"},
      {"table in env", "[defaults.env]\nA.B = 'x'\n",
       "m.toml:2:1: 'A' in [defaults.env] must be a string, a number or a boolean, not a table"},
      {"time as a parameter", "[rules.skew]\nfactor = 07:32:00\n",
       "m.toml:2:10: 'factor' in [rules.skew] must be a number, a string or a boolean, not a time"},
  });
}

TEST(ManifestErrors, SayHowAJobIsStarted) {
  expect_messages({
      {"neither", "[jobs.a]\nargs = []\n", "m.toml:1:7: neither 'app' nor 'command' in [jobs.a]; a job has one of them"},
      {"both", "[jobs.a]\napp = 'a.py'\ncommand = ['x']\n", "m.toml:3:1: both 'app' and 'command' in [jobs.a]; a job has one of them"},
      {"both, the other way round", "[jobs.a]\ncommand = ['x']\napp = 'a.py'\n",
       "m.toml:3:1: both 'app' and 'command' in [jobs.a]; a job has one of them"},
      {"unknown ending", "[jobs.a]\napp = 'a.scala'\n",
       "m.toml:2:1: 'app' in [jobs.a] must end in .py, .jar or .sql; 'command' starts anything else"},
      {"no ending", "[jobs.a]\napp = 'a.py/b'\n",
       "m.toml:2:1: 'app' in [jobs.a] must end in .py, .jar or .sql; 'command' starts anything else"},
      {"class of a .py", "[jobs.a]\napp = 'a.py'\nmain_class = 'com.example.A'\n",
       "m.toml:3:1: 'main_class' in [jobs.a] goes with an 'app' that is a .jar"},
      {"class of a command", "[jobs.a]\ncommand = ['sbt', 'run']\nmain_class = 'A'\n",
       "m.toml:3:1: 'main_class' in [jobs.a] goes with an 'app' that is a .jar"},
      {"empty command", "[jobs.a]\ncommand = []\n", "m.toml:2:1: 'command' in [jobs.a] must begin with a program"},
      {"blank command", "[jobs.a]\ncommand = [' ', 'x']\n", "m.toml:2:1: 'command' in [jobs.a] must begin with a program"},
      {"blank app", "[jobs.a]\napp = ' '\n", "m.toml:2:7: 'app' in [jobs.a] must not be empty"},
      {"tilde", "[jobs.a]\napp = '~/a.py'\n",
       "m.toml:2:7: 'app' in [jobs.a] begins with '~', which no shell is there to fill in; write '${HOME}'"},
  });
}

TEST(ManifestErrors, SayWhatANameMayBe) {
  const std::string rule =
      " is not allowed: a name has letters, digits, '-' and '_', begins with a letter or a digit, and has at most 100 characters";
  for (const std::string name : {"a/b", "a b", "..", "a.b", "caf\xc3\xa9", "-a", "_a", ""}) {
    EXPECT_EQ(error_of(fmt::format("[jobs.\"{}\"]\napp = 'a.py'\n", name)), fmt::format("m.toml:1:7: the job's name '{}'{}", name, rule));
    EXPECT_EQ(error_of(fmt::format("[variants.\"{}\"]\n", name)), fmt::format("m.toml:1:11: the variant's name '{}'{}", name, rule));
  }
  EXPECT_EQ(error_of("[jobs.\"a\\u0007\\n\"]\napp = 'a.py'\n"), "m.toml:1:7: the job's name 'a#x7 '" + rule);
  EXPECT_EQ(error_of("[variants." + std::string(100, 'x') + "]\n"), "");
  EXPECT_EQ(error_of("[variants." + std::string(101, 'x') + "]\n"), "m.toml:1:11: the variant's name of 101 bytes" + rule);
}

TEST(ManifestErrors, NamesThatDifferOnlyInCaseWouldShareAFolder) {
  expect_messages({
      {"jobs", "[jobs.Daily]\napp = 'a.py'\n[jobs.daily]\napp = 'b.py'\n",
       "m.toml:3:7: job 'daily' would share a folder with job 'Daily' at m.toml:1:7: names must differ in more than case"},
      {"variants", "[variants]\naqe = {}\nAQE = {}\n",
       "m.toml:3:1: variant 'AQE' would share a folder with variant 'aqe' at m.toml:2:1: names must differ in more than case"},
  });
}

TEST(ManifestErrors, KnowTheVariants) {
  expect_messages({
      {"unknown", "[variants.adaptive]\n[jobs.a]\napp = 'a.py'\nvariants = ['adaptive', 'adaptve']\n",
       "m.toml:4:25: unknown variant 'adaptve' in [jobs.a]; did you mean 'adaptive'?"},
      {"none there", "[jobs.a]\napp = 'a.py'\nvariants = ['adaptive']\n", "m.toml:3:13: unknown variant 'adaptive' in [jobs.a]"},
      {"empty", "[jobs.a]\napp = 'a.py'\nvariants = []\n", "m.toml:3:1: 'variants' in [jobs.a] is empty; leave it out for all variants"},
      {"twice", "[variants.v]\n[jobs.a]\napp = 'a.py'\nvariants = ['v', 'v']\n", "m.toml:4:18: variant 'v' is listed twice in [jobs.a]"},
      {"own table of an unknown one", "[variants.fast]\n[jobs.a]\napp = 'a.py'\n[jobs.a.variant.fats]\n",
       "m.toml:4:17: 'fats' in [jobs.a.variant] is not one of the job's variants; did you mean 'fast'?"},
      {"own table of another job's", "[variants.v]\n[variants.other]\n[jobs.a]\napp = 'a.py'\nvariants = ['v']\n[jobs.a.variant.other]\n",
       "m.toml:6:17: 'other' in [jobs.a.variant] is not one of the job's variants"},
  });
}

TEST(ManifestErrors, SayWhatADurationIs) {
  expect_messages({
      {"no unit", "[defaults]\ntimeout = '15'\n",
       "m.toml:2:11: 'timeout' in [defaults]: '15' has no unit; write one of ms, s, min, h behind the number"},
      {"unknown unit", "[defaults]\ntimeout = '15 minutes'\n",
       "m.toml:2:11: 'timeout' in [defaults]: '15 minutes' has the unknown unit 'minutes'; known are ms, s, min, h"},
      {"negative", "[defaults]\ntimeout = '-5 s'\n",
       "m.toml:2:11: 'timeout' in [defaults]: '-5 s' is not a duration; write a number and a unit (ms, s, min, h)"},
      {"too long", "[variants.v]\ntimeout = '8761 h'\n", "m.toml:2:11: 'timeout' in [variants.v] is more than a year"},
      {"blank", "[variants.v]\ntimeout = ''\n", "m.toml:2:11: 'timeout' in [variants.v] must not be empty"},
  });
}

TEST(ManifestErrors, SayWhatAPropertyIs) {
  expect_messages({
      {"no spark.", "[defaults.conf]\nsql.x = 1\n",
       "m.toml:2:5: 'sql.x' in [defaults.conf] does not begin with 'spark.', and Spark drops such properties"},
      {"blank inside", "[defaults.conf]\n'spark.x =' = 1\n",
       "m.toml:2:1: 'spark.x =' in [defaults.conf] is not the name of a property of Spark"},
      {"quoted and dotted", "[jobs.a]\napp = 'a.py'\n[jobs.a.conf]\n'spark.x.y' = 1\nspark.x.y = 2\n",
       "m.toml:5:9: 'spark.x.y' in [jobs.a.conf] is also set at m.toml:4:1"},
      {"not a variable", "[defaults.env]\n'A=B' = 'x'\n", "m.toml:2:1: 'A=B' in [defaults.env] is not the name of an environment variable"},
  });
}

TEST(ManifestErrors, ReachIntoStrings) {
  expect_messages({
      {"unset, in a path", "[spark]\nhome = '${NOT_SET}/spark'\n",
       "m.toml:2:8: the environment variable 'NOT_SET' is not set; '${NOT_SET:-...}' gives it a default"},
      {"unset, in conf", "[defaults]\nconf = { 'spark.x' = '${NOT_SET}' }\n",
       "m.toml:2:22: the environment variable 'NOT_SET' is not set; '${NOT_SET:-...}' gives it a default"},
      {"Spark's own", "[defaults.conf]\nspark.x = '${spark.y}'\n",
       "m.toml:2:11: '${spark.y}' is not an environment variable; a literal '$' is written '$$'"},
      {"in args", "[defaults]\nargs = ['a',\n  '{rundir}/x']\n",
       "m.toml:3:3: 'args' in [defaults]: unknown placeholder '{rundir}'; did you mean '{run_dir}'?"},
      {"in a command", "[jobs.a]\ncommand = ['a', '{']\n",
       "m.toml:2:17: 'command' in [jobs.a]: '{' has no partner; a literal '{' is written '{{'"},
      {"U+0000", "[defaults]\nowner = \"a\\u0000\"\n", "m.toml:2:9: a string must not hold the character U+0000"},
  });
}

TEST(ManifestErrors, SayWhatALevelIs) {
  expect_messages({
      {"rule", "[rules.skew]\nlevel = 'warn'\n", "m.toml:2:9: 'level' in [rules.skew] must be error, warning or off, not 'warn'"},
      {"override", "[[rules.skew.override]]\nlevel = 'Error'\n",
       "m.toml:2:9: 'level' in [[rules.skew.override]] must be error, warning or off, not 'Error'"},
      {"boolean", "[rules.skew]\nlevel = false\n", "m.toml:2:9: 'level' in [rules.skew] must be a string, not a boolean"},
  });
}

TEST(ManifestErrors, AnOverrideMustFitAJobAndAVariant) {
  expect_messages({
      {"job", "[jobs.revenue]\napp = 'a.py'\n[[rules.skew.override]]\njob = 'revenu'\n",
       "m.toml:4:7: no job fits 'revenu' in [[rules.skew.override]]; did you mean 'revenue'?"},
      {"variant", "[variants.fast]\n[[rules.skew.override]]\nvariant = 'slow*'\n",
       "m.toml:3:11: no variant fits 'slow*' in [[rules.skew.override]]"},
      {"blank", "[[rules.skew.override]]\njob = ''\n", "m.toml:2:7: 'job' in [[rules.skew.override]] must not be empty"},
  });
}

TEST(ManifestErrors, ASuppressionHasARuleAReasonAndADay) {
  expect_messages({
      {"no rule", "[[suppress]]\nreason = 'x'\n", "m.toml:1:1: 'rule' is missing in [[suppress]]: it says which findings are meant"},
      {"no reason", "[defaults]\n[[suppress]]\nrule = 'skew'\n",
       "m.toml:2:1: 'reason' is missing in [[suppress]]: whoever reads this later must know why"},
      {"blank reason", "[[suppress]]\nrule = 'skew'\nreason = ' '\n", "m.toml:3:10: 'reason' in [[suppress]] must not be empty"},
      {"day as a string", "[[suppress]]\nrule = 'skew'\nreason = 'x'\nuntil = '2027-03-01'\n",
       "m.toml:4:9: 'until' in [[suppress]] must be a date without quotes such as 2027-03-01, not a string"},
      {"day with a time", "[[suppress]]\nrule = 'skew'\nreason = 'x'\nuntil = 2027-03-01T00:00:00Z\n",
       "m.toml:4:9: 'until' in [[suppress]] must be a date without quotes such as 2027-03-01, not a time"},
  });
}

TEST(ManifestErrors, AllStandTogetherInTheOrderOfTheFile) {
  EXPECT_EQ(error_of("[[suppress]]\n"
                     "rule = 'skew'\n"
                     "[jobs.a]\n"
                     "  variants = ['fats']\n"
                     "  colour = 1\n"
                     "[variants.fast]\n"
                     "timeout = '5'\n"
                     "[spark]\n"
                     "hoem = '/opt/spark'\n"),
            "m.toml:1:1: 'reason' is missing in [[suppress]]: whoever reads this later must know why\n"
            "m.toml:3:7: neither 'app' nor 'command' in [jobs.a]; a job has one of them\n"
            "m.toml:4:15: unknown variant 'fats' in [jobs.a]; did you mean 'fast'?\n"
            "m.toml:5:3: unknown key 'colour' in [jobs.a]\n"
            "m.toml:7:11: 'timeout' in [variants.fast]: '5' has no unit; write one of ms, s, min, h behind the number\n"
            "m.toml:9:1: unknown key 'hoem' in [spark]; did you mean 'home'?");
}

TEST(ManifestErrors, SayWhatAPlaceOfEvidenceLacks) {
  expect_messages({
      {"nothing", "[evidence]\n", "m.toml:1:2: [evidence] names neither an event_log_dir nor a history_server"},
      {"elsewhere", "[evidence]\nevent_log_dir = 's3a://b/logs'\n",
       "m.toml:2:1: 'event_log_dir' in [evidence] is no folder of this machine; add the history_server that reads it"},
      {"no address", "[evidence]\nhistory_server = 'history:18080'\n",
       "m.toml:2:18: 'history_server' in [evidence] is no address of the web, such as \"http://history:18080\""},
      {"relative file address", "[evidence]\nevent_log_dir = 'file:logs'\n",
       "m.toml:2:17: 'event_log_dir' in [evidence]: a file: address has an absolute path, as in file:///mnt/spark-events"},
      {"unknown", "[evidence]\nhistory_server = 'http://h'\ntoken_evn = 'x'\n",
       "m.toml:3:1: unknown key 'token_evn' in [evidence]; did you mean 'token_env'?"},
  });
}

}  // namespace
}  // namespace stagegate
