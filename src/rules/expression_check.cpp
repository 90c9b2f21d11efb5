#include "rules/expression_check.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

namespace stagegate {
namespace {

enum class TokenKind : std::uint8_t { number, name, function, comparison, logic, arithmetic, bang, open, close, comma, bad, end };

struct Token {
  TokenKind kind = TokenKind::end;
  std::size_t offset = 0;
  std::string_view text;
};

struct Symbol {
  std::string_view text;
  TokenKind kind;
};

// Longer ones before those that they begin with.
constexpr std::array<Symbol, 16> kSymbols{{
    {"<=", TokenKind::comparison},
    {">=", TokenKind::comparison},
    {"==", TokenKind::comparison},
    {"!=", TokenKind::comparison},
    {"&&", TokenKind::logic},
    {"||", TokenKind::logic},
    {"<", TokenKind::comparison},
    {">", TokenKind::comparison},
    {"+", TokenKind::arithmetic},
    {"-", TokenKind::arithmetic},
    {"*", TokenKind::arithmetic},
    {"/", TokenKind::arithmetic},
    {"!", TokenKind::bang},
    {"(", TokenKind::open},
    {")", TokenKind::close},
    {",", TokenKind::comma},
}};

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";

bool is_one_of(std::string_view set, char c) {
  return set.find(c) != std::string_view::npos;
}

std::size_t number_length(std::string_view text) {
  const auto whole = std::min(text.find_first_not_of(kDigits), text.size());
  if (whole == text.size() || text[whole] != '.') {
    return whole;
  }
  const auto end = std::min(text.find_first_not_of(kDigits, whole + 1), text.size());
  return end == whole + 1 ? whole : end;
}

std::size_t name_length(std::string_view text) {
  const auto end =
      std::find_if(text.begin(), text.end(), [](char c) { return !is_one_of(kLetters, c) && !is_one_of(kDigits, c) && c != '.'; });
  return static_cast<std::size_t>(end - text.begin());
}

// A whole UTF-8 character, for messages.
std::size_t character_length(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) {
    ++length;
  }
  return length;
}

Token next_token(std::string_view text, std::size_t offset) {
  const auto rest = text.substr(offset);
  const auto token = [&](TokenKind kind, std::size_t length) { return Token{kind, offset, rest.substr(0, length)}; };
  if (is_one_of(kDigits, rest.front())) {
    const auto length = number_length(rest);
    const auto letters = length < rest.size() && is_one_of(kLetters, rest[length]) ? name_length(rest.substr(length)) : 0;
    return letters == 0 ? token(TokenKind::number, length) : token(TokenKind::bad, length + letters);
  }
  if (is_one_of(kLetters, rest.front())) {
    return token(TokenKind::name, name_length(rest));
  }
  for (const auto& symbol : kSymbols) {
    if (rest.starts_with(symbol.text)) {
      return token(symbol.kind, symbol.text.size());
    }
  }
  const auto quoted = rest.front() == '"' || rest.front() == '\'' ? rest.find(rest.front(), 1) : 0;
  return token(TokenKind::bad, quoted == 0 ? character_length(rest) : std::min(quoted, rest.size() - 1) + 1);
}

// The last token is `end`.
std::vector<Token> tokens_of(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  std::vector<Token> tokens;
  std::size_t offset = text.find_first_not_of(kSpace);
  while (offset < text.size()) {
    tokens.push_back(next_token(text, offset));
    if (tokens.size() > 1 && tokens.back().kind == TokenKind::open && tokens[tokens.size() - 2].kind == TokenKind::name) {
      tokens[tokens.size() - 2].kind = TokenKind::function;
    }
    offset = text.find_first_not_of(kSpace, offset + tokens.back().text.size());
  }
  tokens.push_back({TokenKind::end, text.size(), {}});
  return tokens;
}

bool is_function(std::string_view name) {
  return name == "min" || name == "max";
}

std::string describe_bad(std::string_view text) {
  if (text == "=") {
    return "'=' is not an operator: nothing can be assigned; write '==' to compare";
  }
  if (text == "&" || text == "|") {
    return fmt::format("'{0}' is not an operator; write '{0}{0}'", text);
  }
  if (text.front() == '"' || text.front() == '\'') {
    return "texts have no place in an expression";
  }
  if (is_one_of(kDigits, text.front())) {
    return fmt::format("'{}' is no number; write digits, and a point where it is needed", text);
  }
  if (text == "?" || text == ":") {
    return "there is no '? :'; a rule is a condition, written with && and ||";
  }
  return fmt::format("unexpected '{}'", text);
}

std::optional<std::string> name_mistake(const Token& token, const NameCheck& name_problem) {
  if (token.kind == TokenKind::function && !is_function(token.text)) {
    return fmt::format("unknown function '{}'; there are min() and max()", token.text);
  }
  if (token.kind == TokenKind::name) {
    auto problem = is_function(token.text) ? fmt::format("'{0}' is a function; write {0}(a, b)", token.text) : name_problem(token.text);
    return problem.empty() ? std::nullopt : std::optional(std::move(problem));
  }
  return std::nullopt;
}

// Walks through the tokens with two states: a value is due, or something that stands behind a value.
class Grammar {
 public:
  // The mistake at this token, if it is one.
  std::optional<std::string> take(const Token& token) {
    if (token.kind == TokenKind::bad) {
      return describe_bad(token.text);
    }
    return value_due_ ? take_value(token) : take_after_value(token);
  }

 private:
  struct Level {
    bool call = false;
    bool compared = false;  // a comparison since the last && or ||
  };

  std::optional<std::string> take_value(const Token& token) {
    const bool prefix = token.kind == TokenKind::bang || token.text == "-";
    if (token.kind == TokenKind::open) {
      levels_.push_back({.call = after_function_});
    } else if (token.kind == TokenKind::number || token.kind == TokenKind::name) {
      value_due_ = false;
    } else if (token.kind == TokenKind::end) {
      return levels_.size() == 1 && first_ ? "the expression is empty" : "the expression ends where a value is due";
    } else if (prefix && after_prefix_) {
      return fmt::format("a second sign '{}'; put what follows into brackets", token.text);
    } else if (!prefix && token.kind != TokenKind::function) {
      return fmt::format("a value is due before '{}'", token.text);
    }
    after_prefix_ = prefix;
    after_function_ = token.kind == TokenKind::function;
    first_ = false;
    return std::nullopt;
  }

  std::optional<std::string> take_after_value(const Token& token) {
    switch (token.kind) {
      case TokenKind::comparison:
        if (levels_.back().compared) {
          return "comparisons cannot be chained; write 'a < b && b < c'";
        }
        levels_.back().compared = true;
        break;
      case TokenKind::logic:
        levels_.back().compared = false;
        break;
      case TokenKind::arithmetic:
        break;
      case TokenKind::comma:
        if (!levels_.back().call) {
          return "a ',' has its place between the arguments of min() and max() only";
        }
        levels_.back().compared = false;
        break;
      case TokenKind::close:
        if (levels_.size() == 1) {
          return "a ')' without its '('";
        }
        levels_.pop_back();
        return std::nullopt;
      case TokenKind::end:
        return levels_.size() == 1 ? std::nullopt : std::optional<std::string>("a ')' is missing");
      case TokenKind::number:
      case TokenKind::name:
      case TokenKind::function:
      case TokenKind::bang:
      case TokenKind::open:
      case TokenKind::bad:
        return fmt::format("an operator is due before '{}'", token.text);
    }
    value_due_ = true;
    return std::nullopt;
  }

  std::vector<Level> levels_{Level{}};
  bool value_due_ = true;
  bool after_prefix_ = false;
  bool after_function_ = false;
  bool first_ = true;
};

}  // namespace

std::vector<ExpressionProblem> check_expression(std::string_view text, const NameCheck& name_problem) {
  std::vector<ExpressionProblem> problems;
  Grammar grammar;
  bool broken = false;
  for (const auto& token : tokens_of(text)) {
    if (auto mistake = name_mistake(token, name_problem)) {
      problems.push_back({token.offset, *std::move(mistake)});
      broken = broken || token.kind == TokenKind::function || is_function(token.text);
    }
    auto mistake = broken ? std::nullopt : grammar.take(token);
    if (mistake) {
      problems.push_back({token.offset, *std::move(mistake)});
      broken = true;
    }
  }
  return problems;
}

std::vector<std::string> names_in_expression(std::string_view text) {
  std::vector<std::string> names;
  for (const auto& token : tokens_of(text)) {
    if (token.kind == TokenKind::name && std::find(names.begin(), names.end(), token.text) == names.end()) {
      names.emplace_back(token.text);
    }
  }
  return names;
}

}  // namespace stagegate
