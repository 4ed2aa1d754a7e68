// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/syntax/constant_expression.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <optional>

#include "models/core/lane_mask.hpp"

namespace reconverge::kernel {

namespace {

using Kind = SyntaxOperand::Kind;

constexpr std::uint64_t single_sign = std::uint64_t{1} << 31;
constexpr std::uint64_t double_sign = std::uint64_t{1} << 63;
constexpr std::string_view warp_size_name = "WARP_SZ";

struct Value {
  Kind kind = Kind::integer;  // integer, single or floating
  std::uint64_t bits = 0;
  bool is_unsigned = false;

  bool is_integer() const { return kind == Kind::integer; }
  double number() const {
    if (kind == Kind::single) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    if (kind == Kind::floating) return std::bit_cast<double>(bits);
    return is_unsigned ? static_cast<double>(bits) : static_cast<double>(static_cast<std::int64_t>(bits));
  }
  bool holds() const { return is_integer() ? bits != 0 : number() != 0; }
};

Value truth(bool value) { return {Kind::integer, value ? 1U : 0U, false}; }
Value floating(double value) { return {Kind::floating, std::bit_cast<std::uint64_t>(value), false}; }

struct Operator {
  std::string_view text;
  unsigned level;  // a higher level has higher precedence
};

// Operators of two characters precede those of one.
constexpr std::array<Operator, 18> operators{{{"||", 1},
                                              {"&&", 2},
                                              {"==", 6},
                                              {"!=", 6},
                                              {"<=", 7},
                                              {">=", 7},
                                              {"<<", 8},
                                              {">>", 8},
                                              {"|", 3},
                                              {"^", 4},
                                              {"&", 5},
                                              {"<", 7},
                                              {">", 7},
                                              {"+", 9},
                                              {"-", 9},
                                              {"*", 10},
                                              {"/", 10},
                                              {"%", 10}}};
constexpr unsigned product_level = 10;

class Expression {
 public:
  explicit Expression(TokenStream& tokens) : tokens_(tokens) {}

  Value conditional() {
    const Value condition = binary(0);
    if (!tokens_.accept('?')) return condition;
    const Value yes = nested([&] { return conditional(); });
    tokens_.expect(':', "between the values of ?:");
    const Value no = nested([&] { return conditional(); });
    return condition.holds() ? yes : no;
  }

  /// Operators of `level` and above.
  Value binary(unsigned level) {
    Value left = unary();
    for (auto next = peek_operator(); next && next->level >= level; next = peek_operator()) {
      const Token at = tokens_.peek();
      for (std::size_t i = 0; i < next->text.size(); ++i) tokens_.take();
      const Value right = nested([&] { return binary(next->level + 1); });
      left = apply(*next, left, right, at);
    }
    return left;
  }

 private:
  // Limits the nesting depth, so that no text can exhaust the stack.
  template <typename Parse>
  Value nested(Parse&& parse) {
    constexpr unsigned most = 200;
    if (++depth_ > most) tokens_.refuse(tokens_.peek(), "an expression nested too deeply", "write its value");
    const Value value = parse();
    --depth_;
    return value;
  }

  Value unary() {
    if (tokens_.accept('-')) {
      Value value = nested([&] { return unary(); });
      if (value.is_integer()) {
        value.bits = 0 - value.bits;
      } else {
        value.bits ^= value.kind == Kind::single ? single_sign : double_sign;
      }
      return value;
    }
    if (tokens_.accept('+')) return nested([&] { return unary(); });
    if (tokens_.accept('!')) return truth(!nested([&] { return unary(); }).holds());
    if (tokens_.accept('~')) {
      const Token at = tokens_.previous();
      Value value = nested([&] { return unary(); });
      if (!value.is_integer()) tokens_.refuse(at, "'~' is for integers");
      value.bits = ~value.bits;
      return value;
    }
    if (tokens_.accept('(')) return parenthesis();
    return literal();
  }

  // A value, or a cast: (.s64) and (.u64).
  Value parenthesis() {
    const bool to_unsigned = tokens_.peek().is_dotted("u64");
    if (!to_unsigned && !tokens_.peek().is_dotted("s64")) {
      const Value value = nested([&] { return conditional(); });
      tokens_.expect(')', "after an expression");
      return value;
    }
    const Token at = tokens_.take();
    tokens_.expect(')', "after a cast");
    Value value = nested([&] { return unary(); });
    if (!value.is_integer()) tokens_.refuse(at, "casts are for integers");
    value.is_unsigned = to_unsigned;
    return value;
  }

  Value literal() {
    const Token& token = tokens_.peek();
    switch (token.kind) {
      case Token::Kind::integer:
        tokens_.take();
        return {Kind::integer, token.bits, token.text.back() == 'U' || (token.bits & double_sign) != 0};
      case Token::Kind::single:
        tokens_.take();
        return {Kind::single, token.bits, false};
      case Token::Kind::floating:
        tokens_.take();
        return {Kind::floating, token.bits, false};
      default:
        break;
    }
    if (token.kind == Token::Kind::identifier && token.text == warp_size_name) {
      tokens_.take();
      return {Kind::integer, warp_size, false};
    }
    tokens_.refuse(token, fmt::format("a number expected, found {}", shown(token)));
  }

  std::optional<Operator> peek_operator() const {
    const Token& first = tokens_.peek();
    if (first.kind != Token::Kind::symbol) return std::nullopt;
    const Token& second = tokens_.peek(1);
    const bool touch = second.kind == Token::Kind::symbol && second.text.data() == first.text.data() + 1;
    for (const Operator& one : operators) {
      const bool here =
          one.text.size() == 1 ? first.is(one.text[0]) : touch && first.is(one.text[0]) && second.is(one.text[1]);
      if (here) return one;
    }
    return std::nullopt;
  }

  Value apply(const Operator& by, const Value& a, const Value& b, const Token& at) const {
    const std::string_view text = by.text;
    if (text == "||") return truth(a.holds() || b.holds());
    if (text == "&&") return truth(a.holds() && b.holds());
    return a.is_integer() && b.is_integer() ? integers(text, a, b, at) : floats(text, a.number(), b.number(), at);
  }

  Value integers(std::string_view text, const Value& a, const Value& b, const Token& at) const {
    const bool is_unsigned = a.is_unsigned || b.is_unsigned;
    const auto x = static_cast<std::int64_t>(a.bits);
    const auto y = static_cast<std::int64_t>(b.bits);
    const auto compare = [&](auto relation) { return truth(is_unsigned ? relation(a.bits, b.bits) : relation(x, y)); };
    const auto result = [&](std::uint64_t bits) { return Value{Kind::integer, bits, is_unsigned}; };
    if (text == "==") return truth(a.bits == b.bits);
    if (text == "!=") return truth(a.bits != b.bits);
    if (text == "<") return compare([](auto l, auto r) { return l < r; });
    if (text == "<=") return compare([](auto l, auto r) { return l <= r; });
    if (text == ">") return compare([](auto l, auto r) { return l > r; });
    if (text == ">=") return compare([](auto l, auto r) { return l >= r; });
    if (text == "|") return result(a.bits | b.bits);
    if (text == "^") return result(a.bits ^ b.bits);
    if (text == "&") return result(a.bits & b.bits);
    if (text == "+") return result(a.bits + b.bits);
    if (text == "-") return result(a.bits - b.bits);
    if (text == "*") return result(a.bits * b.bits);
    if (text == "<<" || text == ">>") return {Kind::integer, shifted(text == "<<", a, b.bits), a.is_unsigned};
    if (b.bits == 0) tokens_.refuse(at, "division by zero");
    if (is_unsigned) return result(text == "/" ? a.bits / b.bits : a.bits % b.bits);
    // The only quotient without a representation wraps around, like additions.
    if (y == -1) return result(text == "/" ? 0 - a.bits : 0);
    return result(static_cast<std::uint64_t>(text == "/" ? x / y : x % y));
  }

  static std::uint64_t shifted(bool left, const Value& a, std::uint64_t by) {
    constexpr std::uint64_t width = 64;
    const auto x = static_cast<std::int64_t>(a.bits);
    if (left) return by < width ? a.bits << by : 0;
    if (a.is_unsigned) return by < width ? a.bits >> by : 0;
    return static_cast<std::uint64_t>(x >> (by < width ? by : width - 1));
  }

  Value floats(std::string_view text, double a, double b, const Token& at) const {
    if (text == "==") return truth(a == b);
    if (text == "!=") return truth(a != b);
    if (text == "<") return truth(a < b);
    if (text == "<=") return truth(a <= b);
    if (text == ">") return truth(a > b);
    if (text == ">=") return truth(a >= b);
    if (text == "+") return floating(a + b);
    if (text == "-") return floating(a - b);
    if (text == "*") return floating(a * b);
    if (text == "/") return floating(a / b);
    tokens_.refuse(at, fmt::format("'{}' is for integers", text));
  }

  TokenStream& tokens_;
  unsigned depth_ = 0;
};

}  // namespace

bool starts_constant(const TokenStream& tokens) {
  const Token& token = tokens.peek();
  switch (token.kind) {
    case Token::Kind::integer:
    case Token::Kind::single:
    case Token::Kind::floating:
      return true;
    case Token::Kind::identifier:
      return token.text == warp_size_name;
    case Token::Kind::symbol: {
      // `-%r1` and `!%p` are registers with a sign.
      const bool sign = token.is('-') || token.is('+') || token.is('!') || token.is('~');
      const Token& next = tokens.peek(1);
      return token.is('(') || (sign && (next.kind != Token::Kind::identifier || next.text == warp_size_name));
    }
    default:
      return false;
  }
}

SyntaxOperand parse_constant(TokenStream& tokens) {
  SyntaxOperand operand;
  operand.position = tokens.peek().position;
  const Value value = Expression(tokens).conditional();
  operand.kind = value.kind;
  operand.integer = static_cast<std::int64_t>(value.bits);
  return operand;
}

std::uint64_t parse_constant_integer(TokenStream& tokens, std::string_view what) {
  const Token first = tokens.peek();
  if (!starts_constant(tokens)) tokens.refuse(first, fmt::format("{} expected, found {}", what, shown(first)));
  const SyntaxOperand value = parse_constant(tokens);
  if (value.kind != Kind::integer) tokens.refuse(first, fmt::format("{} is an integer", what));
  return static_cast<std::uint64_t>(value.integer);
}

std::int64_t parse_offset(TokenStream& tokens) {
  std::uint64_t sum = 0;
  while (tokens.peek().is('+') || tokens.peek().is('-')) {
    const bool negative = tokens.take().is('-');
    const Token first = tokens.peek();
    const Value term = Expression(tokens).binary(product_level);
    if (!term.is_integer()) tokens.refuse(first, "an offset is an integer");
    sum += negative ? 0 - term.bits : term.bits;
  }
  return static_cast<std::int64_t>(sum);
}

}  // namespace reconverge::kernel
