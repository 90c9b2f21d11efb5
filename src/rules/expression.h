// An arithmetic and logical expression over named numbers, some of which may be unknown.
//
// Truth is three-valued. An unknown number is NaN; what is computed from it or compared with it is unknown; `!`, `&&` and `||` are
// Kleene's: `false && unknown` is false, `true || unknown` is true, everything else that needs the unknown is unknown. 0 is
// false, every other known number is true. min() and max() pass over unknown arguments and are unknown only where all are.
//
// Numbers are doubles, and comparisons are exact as far as these are: whole numbers (tasks, bytes) up to 2^53, halves (medians) up to
// 2^52, which is 4 PiB, quarters (quartiles) up to 2^51, and their products with a whole factor where these come out below the same
// limits. So `max > factor * median` is `2 * max > factor * (a + b)` in integers up to a limit of 4 PiB. A factor such as 1.15 is no
// binary number, and 1.15 * 100 comes out a hair under 115: a product below 2^45 (32 TiB) that misses a whole number of quarters by no
// more than rounding is put onto it, so that exactly at the limit is at the limit for such factors too.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace stagegate {

struct ExpressionResult {
  double value = 0;              // NaN: unknown
  bool divided_by_zero = false;  // somewhere on the way, and the result is unknown: nothing else decided it
};

bool is_unknown(double value);
// Certainly true: known and not 0.
bool is_true(double value);

// Parsed once, evaluated often. Not to be shared between threads.
class Expression {
 public:
  // TEXT must have passed check_expression(). The error is one of grammar, without a place.
  static Result<Expression> compile(std::string_view text);

  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;
  ~Expression();

  // The names that it uses, and a number for each, in the same order; unknown until set.
  const std::vector<std::string>& names() const;
  std::span<double> values();

  ExpressionResult evaluate() const;

 private:
  struct Compiled;
  explicit Expression(std::unique_ptr<Compiled> compiled);

  std::unique_ptr<Compiled> compiled_;
};

}  // namespace stagegate
