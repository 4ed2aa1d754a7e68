// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A cursor over tokens, with the error checks that all parts of the parser share.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "models/kernel/syntax/lexer.hpp"

namespace reconverge::kernel {

class TokenStream {
 public:
  TokenStream(std::vector<Token> tokens, std::string_view file) : tokens_(std::move(tokens)), file_(file) {}

  const Token& peek(std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead] : tokens_.back();
  }
  const Token& take() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  /// The last token that was taken.
  const Token& previous() const { return tokens_[at_ == 0 ? 0 : at_ - 1]; }
  bool at_end() const { return peek().kind == Token::Kind::end; }

  bool accept(char symbol) {
    if (!peek().is(symbol)) return false;
    take();
    return true;
  }
  bool accept_dotted(std::string_view word) {
    if (!peek().is_dotted(word)) return false;
    take();
    return true;
  }
  /// Whether the next token is on the line of the last token that was taken.
  bool in_line() const { return !at_end() && peek().position.line == previous().position.line; }
  void expect(char symbol, std::string_view where);
  std::string_view expect_identifier(std::string_view what);
  std::uint64_t expect_integer(std::string_view what);

  /// Takes tokens up to and including the `}` that closes a `{`, which has already been taken.
  void skip_block();
  /// Takes `(`, which must be next, and all tokens up to and including the `)` that closes it.
  void skip_parentheses();
  /// Takes the rest of the last token's line.
  void skip_line();
  /// Takes tokens up to and including the next `;`.
  void skip_statement();

  [[noreturn]] void refuse(const Token& token, std::string_view message, std::string_view hint = {}) const;

 private:
  std::vector<Token> tokens_;
  std::string_view file_;
  std::size_t at_ = 0;
};

/// The token in the form for messages.
std::string shown(const Token& token);

}  // namespace reconverge::kernel
