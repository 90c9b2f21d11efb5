#include "rules/expression_check.h"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "rules/expression.h"

namespace stagegate {
namespace {

// "OFFSET: MESSAGE" of every problem; `a`, `b`, `c` and `a.max` are known.
std::vector<std::string> problems_of(std::string_view text) {
  const auto check = [](std::string_view name) {
    const bool known = name == "a" || name == "b" || name == "c" || name == "a.max";
    return known ? std::string() : fmt::format("unknown name '{}'", name);
  };
  std::vector<std::string> problems;
  for (const auto& problem : check_expression(text, check)) {
    problems.push_back(fmt::format("{}: {}", problem.offset, problem.message));
  }
  return problems;
}

struct Case {
  std::string_view text;
  std::string problem;
};

class Refused : public ::testing::TestWithParam<Case> {};

TEST_P(Refused, WithTheReason) {
  EXPECT_EQ(problems_of(GetParam().text), std::vector<std::string>{GetParam().problem}) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(Expressions, Refused,
                         ::testing::Values(Case{"", "0: the expression is empty"},                                                      //
                                           Case{" \n ", "3: the expression is empty"},                                                  //
                                           Case{"a = 1", "2: '=' is not an operator: nothing can be assigned; write '==' to compare"},  //
                                           Case{"a & b", "2: '&' is not an operator; write '&&'"},                                      //
                                           Case{"a | b", "2: '|' is not an operator; write '||'"},                                      //
                                           Case{"a ^ 2", "2: unexpected '^'"},                                                          //
                                           Case{"a % 2", "2: unexpected '%'"},                                                          //
                                           Case{"a ? 1 : 2", "2: there is no '? :'; a rule is a condition, written with && and ||"},    //
                                           Case{"a == \"x\"", "5: texts have no place in an expression"},                               //
                                           Case{"a == \"x", "5: texts have no place in an expression"},
                                           Case{"'x'", "0: texts have no place in an expression"},                                  //
                                           Case{"a \xC3\xA9 b", "2: unexpected '\xC3\xA9'"},                                        //
                                           Case{"a; b", "1: unexpected ';'"},                                                       //
                                           Case{"# a", "0: unexpected '#'"},                                                        //
                                           Case{".5 * a", "0: unexpected '.'"},                                                     //
                                           Case{"5. * a", "1: unexpected '.'"},                                                     //
                                           Case{"sqrt(a)", "0: unknown function 'sqrt'; there are min() and max()"},                //
                                           Case{"sum (a)", "0: unknown function 'sum'; there are min() and max()"},                 //
                                           Case{"a(b)", "0: unknown function 'a'; there are min() and max()"},                      //
                                           Case{"max > 2", "0: 'max' is a function; write max(a, b)"},                              //
                                           Case{"d > 2", "0: unknown name 'd'"},                                                    //
                                           Case{"pi * 2", "0: unknown name 'pi'"},                                                  //
                                           Case{"a.min > 2", "0: unknown name 'a.min'"},                                            //
                                           Case{"max()", "4: a value is due before ')'"},                                           //
                                           Case{"()", "1: a value is due before ')'"},                                              //
                                           Case{"max(a,)", "6: a value is due before ')'"},                                         //
                                           Case{"max(,a)", "4: a value is due before ','"},                                         //
                                           Case{"a, b", "1: a ',' has its place between the arguments of min() and max() only"},    //
                                           Case{"(a, b)", "2: a ',' has its place between the arguments of min() and max() only"},  //
                                           Case{"max((a, b))", "6: a ',' has its place between the arguments of min() and max() only"},
                                           Case{"a >", "3: the expression ends where a value is due"},                              //
                                           Case{"!", "1: the expression ends where a value is due"},                                //
                                           Case{"> a", "0: a value is due before '>'"},                                             //
                                           Case{"+a", "0: a value is due before '+'"},                                              //
                                           Case{"a ** b", "3: a value is due before '*'"},                                          //
                                           Case{"(a", "2: a ')' is missing"},                                                       //
                                           Case{"a)", "1: a ')' without its '('"},                                                  //
                                           Case{"a b", "2: an operator is due before 'b'"},                                         //
                                           Case{"a 2", "2: an operator is due before '2'"},                                         //
                                           Case{"2 (a)", "2: an operator is due before '('"},                                       //
                                           Case{"1e3 < a", "0: '1e3' is no number; write digits, and a point where it is needed"},  //
                                           Case{"0x10", "0: '0x10' is no number; write digits, and a point where it is needed"},    //
                                           Case{"a ! b", "2: an operator is due before '!'"},                                       //
                                           Case{"!!a", "1: a second sign '!'; put what follows into brackets"},
                                           Case{"- -a", "2: a second sign '-'; put what follows into brackets"},
                                           Case{"0 < a < 5", "6: comparisons cannot be chained; write 'a < b && b < c'"},
                                           Case{"a == b == c", "7: comparisons cannot be chained; write 'a < b && b < c'"},
                                           Case{"a < b + 1 <= c", "10: comparisons cannot be chained; write 'a < b && b < c'"}));

TEST(ExpressionCheck, TellsOfAllUnknownNamesAndTheFirstMistakeOfGrammar) {
  EXPECT_EQ(problems_of("x > 1 && y > > z"), (std::vector<std::string>{"0: unknown name 'x'", "9: unknown name 'y'",
                                                                       "13: a value is due before '>'", "15: unknown name 'z'"}));
}

TEST(ExpressionCheck, WhatItAcceptsMuParserAccepts) {
  for (const auto* text : {"a", "-a", "!a", "a > 1 && b < 2 || !(c == 3)", "max(a, -b, (c))", "min(a > 1, b > 2)", "(a > 1) == (b > 1)",
                           "a * -b", "-(a)", "!(a)", "2.5*a", "a-b", "((a))", "a.max>=2", "a<-b", "a&&!b"}) {
    EXPECT_TRUE(problems_of(text).empty()) << text << ": " << problems_of(text).front();
    EXPECT_TRUE(Expression::compile(text)) << text;
  }
}

}  // namespace
}  // namespace stagegate
