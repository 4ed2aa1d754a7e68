// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "models/block_generator/source_scan.hpp"

namespace reconverge::block_generator {

namespace {

/// Longest first, so that the first match is the token.
constexpr std::array<std::string_view, 24> operators{"<<=", ">>=", "<=>", "->*", "...", "->", "++", "--",
                                                     "+=",  "-=",  "*=",  "/=",  "%=",  "&=", "|=", "^=",
                                                     "==",  "!=",  "<=",  ">=",  "::",  "&&", "||", "<<"};

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c); }

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  std::vector<std::string_view> run() {
    while (position_ < text_.size()) step();
    return std::move(tokens_);
  }

 private:
  bool at(std::string_view word) const { return text_.substr(position_, word.size()) == word; }
  char ahead() const { return position_ + 1 < text_.size() ? text_[position_ + 1] : '\0'; }

  void step() {
    const char c = text_[position_];
    if (at("//")) return skip_past("\n");
    if (at("/*")) return skip_past("*/");
    if (c == '"') return take_literal('"');
    if (c == '\'') return take_literal('\'');
    if (is_digit(c) || (c == '.' && is_digit(ahead()))) return take_number();
    if (is_word(c)) return take_word();
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++position_;
      return;
    }
    const auto* const found = std::find_if(operators.begin(), operators.end(), [&](auto word) { return at(word); });
    take(found == operators.end() ? 1 : found->size());
  }

  void take(std::size_t length) {
    tokens_.push_back(text_.substr(position_, length));
    position_ += length;
  }

  void skip_past(std::string_view end) {
    // Two characters on, so that the star of "/*" does not close it.
    const std::size_t found = text_.find(end, position_ + 2);
    position_ = found == std::string_view::npos ? text_.size() : found + end.size();
  }

  void take_literal(char quote) {
    for (++position_; position_ < text_.size() && text_[position_] != quote; ++position_) {
      if (text_[position_] == '\\') ++position_;
    }
    ++position_;
    tokens_.emplace_back("\"\"");
  }

  void take_number() {
    std::size_t end = position_;
    const auto belongs = [&](char c) {
      const bool is_sign = (c == '+' || c == '-') && end > position_ && (text_[end - 1] | 0x20) == 'e';
      return is_word(c) || c == '.' || c == '\'' || (is_sign && !at("0x"));
    };
    while (end < text_.size() && belongs(text_[end])) ++end;
    take(end - position_);
  }

  void take_word() {
    std::size_t end = position_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    const std::string_view word = text_.substr(position_, end - position_);
    if (end < text_.size() && text_[end] == '"' && word.back() == 'R') {
      position_ = end;
      take_raw_literal();
    } else {
      take(word.size());
    }
  }

  void take_raw_literal() {
    const std::size_t open = text_.find('(', position_);
    if (open == std::string_view::npos) return skip_past("\n");
    const std::string close = ')' + std::string(text_.substr(position_ + 1, open - position_ - 1)) + '"';
    position_ = open;
    skip_past(close);
    tokens_.emplace_back("\"\"");
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::vector<std::string_view> tokens_;
};

}  // namespace

std::vector<std::string_view> tokenize(std::string_view text) { return Tokenizer(text).run(); }

}  // namespace reconverge::block_generator
