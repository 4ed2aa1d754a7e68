// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/syntax/operand_parser.hpp"

#include <fmt/format.h>

#include "models/kernel/syntax/constant_expression.hpp"

namespace reconverge::kernel {

namespace {

using Kind = SyntaxOperand::Kind;

// A register with its component, `%tid.x` or `%r1.h0`, is one name if the two tokens are adjacent in the text.
std::string_view parse_name(TokenStream& tokens) {
  const Token& first = tokens.take();
  const Token& second = tokens.peek();
  const bool component =
      second.kind == Token::Kind::dotted && second.text.data() == first.text.data() + first.text.size() + 1;
  if (!component) return first.text;
  tokens.take();
  return {first.text.data(), first.text.size() + 1 + second.text.size()};
}

SyntaxOperand parse_elements(TokenStream& tokens, Kind kind, char closing) {
  SyntaxOperand operand;
  operand.kind = kind;
  operand.position = tokens.previous().position;
  if (kind == Kind::list && tokens.accept(closing)) return operand;
  if (tokens.peek().text == "}") tokens.refuse(tokens.peek(), "the braces are empty", "write registers, as in {a, b}");
  do {
    if (starts_constant(tokens) || tokens.peek().kind != Token::Kind::identifier) {
      operand.elements.push_back(parse_constant(tokens));
    } else {
      SyntaxOperand element;
      element.position = tokens.peek().position;
      element.name = parse_name(tokens);
      operand.elements.push_back(element);
    }
  } while (tokens.accept(','));
  tokens.expect(closing, kind == Kind::vector ? "after a vector" : "after a list");
  return operand;
}

// The part after the texture in `[texture, {x}]`.
SyntaxOperand parse_coordinate(TokenStream& tokens) {
  if (tokens.accept('{')) return parse_elements(tokens, Kind::vector, '}');
  if (tokens.peek().kind != Token::Kind::identifier) {
    tokens.refuse(tokens.previous(), "addresses with more than one part are for textures, whose second is a register",
                  "write [texture, {register}] for tex, [register+offset] for others");
  }
  SyntaxOperand coordinate;
  coordinate.position = tokens.peek().position;
  coordinate.name = parse_name(tokens);
  return coordinate;
}

SyntaxOperand parse_address(TokenStream& tokens) {
  SyntaxOperand address;
  address.kind = Kind::address;
  address.position = tokens.previous().position;
  SyntaxOperand base;
  base.position = tokens.peek().position;
  if (tokens.peek().kind == Token::Kind::identifier && !starts_constant(tokens)) {
    base.name = parse_name(tokens);
    address.integer = parse_offset(tokens);
  } else if (starts_constant(tokens)) {
    base = parse_constant(tokens);
    if (base.kind != Kind::integer) tokens.refuse(tokens.previous(), "an address is an integer");
  } else {
    tokens.refuse(tokens.peek(), fmt::format("an address expected, found {}", shown(tokens.peek())),
                  "addresses read [register], [register+offset], [variable+offset] or [integer]");
  }
  address.elements.push_back(base);
  if (tokens.accept(',')) address.elements.push_back(parse_coordinate(tokens));
  tokens.expect(']', "after an address");
  return address;
}

}  // namespace

SyntaxOperand parse_list(TokenStream& tokens) { return parse_elements(tokens, Kind::list, ')'); }

SyntaxOperand parse_operand(TokenStream& tokens) {
  if (tokens.accept('[')) return parse_address(tokens);
  if (tokens.accept('{')) return parse_elements(tokens, Kind::vector, '}');
  if (starts_constant(tokens)) return parse_constant(tokens);

  SyntaxOperand operand;
  operand.position = tokens.peek().position;
  operand.minus = tokens.accept('-');
  operand.negated = tokens.accept('!');
  if (tokens.peek().kind != Token::Kind::identifier) {
    tokens.refuse(tokens.peek(), fmt::format("an operand expected, found {}", shown(tokens.peek())),
                  "operands are registers, numbers, variables, [addresses] and {vectors}");
  }
  operand.name = parse_name(tokens);
  operand.integer = parse_offset(tokens);
  if (!tokens.accept('|')) return operand;

  SyntaxOperand second;
  second.position = tokens.peek().position;
  second.name = tokens.expect_identifier("a second destination");
  SyntaxOperand pair;
  pair.kind = Kind::pair;
  pair.position = operand.position;
  pair.elements = {operand, second};
  return pair;
}

}  // namespace reconverge::kernel
