// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/syntax/token_stream.hpp"

#include <fmt/format.h>

namespace reconverge::kernel {

std::string shown(const Token& token) {
  switch (token.kind) {
    case Token::Kind::end:
      return "the end of the file";
    case Token::Kind::dotted:
      return fmt::format("'.{}'", token.text);
    case Token::Kind::string:
      return fmt::format("\"{}\"", token.text);
    default:
      return fmt::format("'{}'", token.text);
  }
}

void TokenStream::refuse(const Token& token, std::string_view message, std::string_view hint) const {
  throw InputError(locate(file_, token.position), message, hint);
}

void TokenStream::expect(char symbol, std::string_view where) {
  if (!accept(symbol)) refuse(peek(), fmt::format("'{}' expected {}, found {}", symbol, where, shown(peek())));
}

std::string_view TokenStream::expect_identifier(std::string_view what) {
  if (peek().kind != Token::Kind::identifier) refuse(peek(), fmt::format("{} expected, found {}", what, shown(peek())));
  return take().text;
}

std::uint64_t TokenStream::expect_integer(std::string_view what) {
  if (peek().kind != Token::Kind::integer) refuse(peek(), fmt::format("{} expected, found {}", what, shown(peek())));
  return take().bits;
}

void TokenStream::skip_block() {
  const Token opening = previous();
  for (unsigned depth = 1; depth != 0;) {
    if (at_end()) refuse(opening, "'{' is never closed");
    const Token& token = take();
    if (token.is('{')) ++depth;
    if (token.is('}')) --depth;
  }
}

void TokenStream::skip_parentheses() {
  expect('(', "here");
  const Token opening = previous();
  for (unsigned depth = 1; depth != 0;) {
    if (at_end()) refuse(opening, "'(' is never closed");
    const Token& token = take();
    if (token.is('(')) ++depth;
    if (token.is(')')) --depth;
  }
}

void TokenStream::skip_line() {
  const std::uint32_t line = previous().position.line;
  while (!at_end() && peek().position.line == line) take();
}

void TokenStream::skip_statement() {
  const Token opening = previous();
  while (!accept(';')) {
    if (at_end()) refuse(opening, fmt::format("no ';' after {}", shown(opening)));
    take();
  }
}

}  // namespace reconverge::kernel
