#include "rules/expression.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include <muParser.h>

#include "rules/expression_check.h"

namespace stagegate {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// muParser's operators are plain functions, so what they have to tell beside their result has no other way out.
thread_local bool divided_by_zero = false;

double truth(bool value) {
  return value ? 1.0 : 0.0;
}

template <typename Compare>
double compare(double a, double b, Compare holds) {
  return is_unknown(a) || is_unknown(b) ? kUnknown : truth(holds(a, b));
}

double less(double a, double b) {
  return compare(a, b, std::less<>());
}

double less_equal(double a, double b) {
  return compare(a, b, std::less_equal<>());
}

double greater(double a, double b) {
  return compare(a, b, std::greater<>());
}

double greater_equal(double a, double b) {
  return compare(a, b, std::greater_equal<>());
}

double equal(double a, double b) {
  return compare(a, b, std::equal_to<>());
}

double not_equal(double a, double b) {
  return compare(a, b, std::not_equal_to<>());
}

double logical_and(double a, double b) {
  if (a == 0 || b == 0) {
    return 0;
  }
  return is_unknown(a) || is_unknown(b) ? kUnknown : 1;
}

double logical_or(double a, double b) {
  if (is_true(a) || is_true(b)) {
    return 1;
  }
  return is_unknown(a) || is_unknown(b) ? kUnknown : 0;
}

double logical_not(double a) {
  return is_unknown(a) ? kUnknown : truth(a == 0);
}

double add(double a, double b) {
  return a + b;
}

double subtract(double a, double b) {
  return a - b;
}

double multiply(double a, double b) {
  constexpr double kLargestRounded = 0x1p45;
  constexpr double kRounding = 0x1p-51;  // two units in the last place: one of the factor's, one of the product's
  const double product = a * b;
  const double whole = std::nearbyint(product * 4) / 4;
  const bool rounding = std::abs(product) < kLargestRounded && std::abs(product - whole) <= std::abs(product) * kRounding;
  return rounding ? whole : product;
}

double divide(double a, double b) {
  if (b == 0) {
    divided_by_zero = true;
    return kUnknown;
  }
  return a / b;
}

double negate(double a) {
  return -a;
}

// fmin and fmax pass over NaN.
double smallest(const double* arguments, int count) {
  return std::accumulate(arguments, arguments + count, kUnknown, [](double a, double b) { return std::fmin(a, b); });
}

double largest(const double* arguments, int count) {
  return std::accumulate(arguments, arguments + count, kUnknown, [](double a, double b) { return std::fmax(a, b); });
}

// None of them may be computed at parse time: muParser would drop the flag of a division.
void define_operators(mu::Parser& parser) {
  parser.DefineOprt("||", logical_or, mu::prLOR, mu::oaLEFT, false);
  parser.DefineOprt("&&", logical_and, mu::prLAND, mu::oaLEFT, false);
  parser.DefineOprt("<", less, mu::prCMP, mu::oaLEFT, false);
  parser.DefineOprt("<=", less_equal, mu::prCMP, mu::oaLEFT, false);
  parser.DefineOprt(">", greater, mu::prCMP, mu::oaLEFT, false);
  parser.DefineOprt(">=", greater_equal, mu::prCMP, mu::oaLEFT, false);
  parser.DefineOprt("==", equal, mu::prCMP, mu::oaLEFT, false);
  parser.DefineOprt("!=", not_equal, mu::prCMP, mu::oaLEFT, false);
  parser.DefineOprt("+", add, mu::prADD_SUB, mu::oaLEFT, false);
  parser.DefineOprt("-", subtract, mu::prADD_SUB, mu::oaLEFT, false);
  parser.DefineOprt("*", multiply, mu::prMUL_DIV, mu::oaLEFT, false);
  parser.DefineOprt("/", divide, mu::prMUL_DIV, mu::oaLEFT, false);
  parser.DefineInfixOprt("-", negate, mu::prINFIX, false);
  parser.DefineInfixOprt("!", logical_not, mu::prINFIX, false);
  parser.DefineFun("min", smallest, false);
  parser.DefineFun("max", largest, false);
}

mu::Parser language() {
  mu::Parser parser;
  parser.EnableBuiltInOprt(false);
  parser.ClearFun();
  parser.ClearConst();
  parser.ClearOprt();
  parser.ClearInfixOprt();
  parser.ClearPostfixOprt();
  parser.DefineNameChars("0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  parser.DefineOprtChars("+-*/<>=!&|");
  parser.DefineInfixOprtChars("-!");
  define_operators(parser);
  return parser;
}

// To copy it takes a fraction of defining it.
const mu::Parser& our_language() {
  static const auto parser = language();
  return parser;
}

// muParser refuses line breaks and tabs in some places.
std::string on_one_line(std::string_view text) {
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return line;
}

}  // namespace

struct Expression::Compiled {
  mu::Parser parser = our_language();
  std::vector<std::string> names;
  std::vector<double> values;  // muParser holds pointers into it
};

bool is_unknown(double value) {
  return std::isnan(value);
}

bool is_true(double value) {
  return !is_unknown(value) && value != 0;
}

Expression::Expression(std::unique_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {}
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

Result<Expression> Expression::compile(std::string_view text) {
  auto compiled = std::make_unique<Compiled>();
  compiled->names = names_in_expression(text);
  compiled->values.assign(compiled->names.size(), kUnknown);
  try {
    for (std::size_t i = 0; i < compiled->names.size(); ++i) {
      compiled->parser.DefineVar(compiled->names[i], &compiled->values[i]);
    }
    compiled->parser.SetExpr(on_one_line(text));
    compiled->parser.Eval();  // parses
  } catch (const mu::ParserError& error) {
    return fail(ErrorKind::usage, error.GetMsg());
  }
  return Expression(std::move(compiled));
}

const std::vector<std::string>& Expression::names() const {
  return compiled_->names;
}

std::span<double> Expression::values() {
  return compiled_->values;
}

ExpressionResult Expression::evaluate() const {
  divided_by_zero = false;
  const double value = compiled_->parser.Eval();
  return {value, is_unknown(value) && divided_by_zero};
}

}  // namespace stagegate
