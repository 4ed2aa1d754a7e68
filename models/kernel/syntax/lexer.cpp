// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/syntax/lexer.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <string>
#include <system_error>

namespace reconverge::kernel {

namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool starts_identifier(char c) { return is_letter(c) || c == '_' || c == '$'; }
constexpr bool continues_identifier(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; }

// A prefix, for debuggers, that nvcc before 3.0 wrote on each line of debug sections.
constexpr std::string_view debug_line = "@@DWARF";

class Lexer {
 public:
  Lexer(std::string_view source, std::string_view file) : source_(source), file_(file) {
    // Some editors add a byte order mark.
    constexpr std::string_view mark = "\xef\xbb\xbf";
    if (source_.starts_with(mark)) at_ = line_start_ = mark.size();
  }

  std::vector<Token> run() {
    std::vector<Token> tokens;
    tokens.reserve(source_.size() / 4 + 1);
    for (;;) {
      skip_blank();
      tokens.push_back(next());
      if (tokens.back().kind == Token::Kind::end) return tokens;
    }
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }
  bool done() const { return at_ >= source_.size(); }
  Position here() const { return {line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)}; }

  [[noreturn]] void refuse(Position position, const std::string& message, std::string_view hint) const {
    throw InputError(locate(file_, position), message, hint);
  }

  void advance_over_newline() {
    ++at_;
    ++line_;
    line_start_ = at_;
  }

  void skip_blank() {
    while (!done()) {
      const char c = peek();
      if (c == '\n') {
        advance_over_newline();
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
        ++at_;
      } else if ((c == '/' && peek(1) == '/') || source_.substr(at_).starts_with(debug_line)) {
        while (!done() && peek() != '\n') ++at_;
      } else if (c == '/' && peek(1) == '*') {
        skip_block_comment();
      } else {
        return;
      }
    }
  }

  void skip_block_comment() {
    const Position start = here();
    at_ += 2;
    while (!(peek() == '*' && peek(1) == '/')) {
      if (done()) refuse(start, "comment without end", "close it with */");
      if (peek() == '\n') {
        advance_over_newline();
      } else {
        ++at_;
      }
    }
    at_ += 2;
  }

  Token token(Token::Kind kind, Position position, std::size_t first, std::size_t last) const {
    return {kind, position, source_.substr(first, last - first), 0};
  }

  Token next() {
    const Position position = here();
    const std::size_t first = at_;
    if (done()) return {Token::Kind::end, position, "end of file", 0};
    const char c = peek();
    if (starts_identifier(c) || (c == '%' && continues_identifier(peek(1)))) {
      ++at_;
      while (continues_identifier(peek())) ++at_;
      return token(Token::Kind::identifier, position, first, at_);
    }
    if (c == '.') return starts_fraction() ? decimal(position) : dotted(position);
    if (is_digit(c)) return number(position);
    if (c == '"') return quoted(position);
    if (std::string_view(",;:{}()[]<>@!|+-=*/%&^~?").find(c) != std::string_view::npos) {
      ++at_;
      return token(Token::Kind::symbol, position, first, at_);
    }
    const auto code = static_cast<unsigned char>(c);
    const std::string shown = code >= 0x20 && code < 0x7f ? fmt::format("'{}'", c) : fmt::format("{:#x}", code);
    refuse(position, fmt::format("character {} is no PTX", shown), "PTX is plain ASCII text, as `clang -S` writes it");
  }

  // `.5` is a number unless a word precedes it, as in tex.1d.
  bool starts_fraction() const { return is_digit(peek(1)) && (at_ == 0 || !continues_identifier(source_[at_ - 1])); }

  Token dotted(Position position) {
    const std::size_t first = ++at_;
    while (continues_identifier(peek()) || (peek() == ':' && peek(1) == ':' && continues_identifier(peek(2)))) {
      at_ += peek() == ':' ? 2 : 1;
    }
    if (at_ == first) refuse(position, "a dot with no word after it", "directives and modifiers read .word");
    return token(Token::Kind::dotted, position, first, at_);
  }

  Token quoted(Position position) {
    const std::size_t first = ++at_;
    while (peek() != '"') {
      if (done() || peek() == '\n') refuse(position, "string without end", "close it with \" on the same line");
      at_ += peek() == '\\' && peek(1) != '\n' && peek(1) != '\0' ? 2 : 1;
    }
    const Token result = token(Token::Kind::string, position, first, at_);
    ++at_;
    return result;
  }

  // 0f and 0d literals contain the bits of the number, in exactly 8 or 16 hex digits.
  Token number(Position position) {
    const std::size_t first = at_;
    const char mark = peek() == '0' ? peek(1) : '\0';
    if (mark == 'f' || mark == 'F') return bit_literal(position, 8, Token::Kind::single);
    if (mark == 'd' || mark == 'D') return bit_literal(position, 16, Token::Kind::floating);
    if (mark == 'x' || mark == 'X') return integer(position, 2, 16);
    if (mark == 'b' || mark == 'B') return integer(position, 2, 2);
    std::size_t end = at_;
    while (end < source_.size() && is_digit(source_[end])) ++end;
    const char after = end < source_.size() ? source_[end] : '\0';
    const char beyond = end + 1 < source_.size() ? source_[end + 1] : '\0';
    const char last = end + 2 < source_.size() ? source_[end + 2] : '\0';
    const bool has_exponent = (beyond == 'e' || beyond == 'E') && (is_digit(last) || last == '-' || last == '+');
    if ((after == '.' && (has_exponent || (!is_letter(beyond) && beyond != '_'))) || after == 'e' || after == 'E')
      return decimal(position);
    return integer(position, mark >= '0' && mark <= '9' ? 1 : 0, source_[first] == '0' ? 8 : 10);
  }

  Token bit_literal(Position position, std::size_t digits, Token::Kind kind) {
    const std::size_t first = at_;
    at_ += 2;
    const std::size_t start = at_;
    while (is_hex(peek())) ++at_;
    if (at_ - start != digits || continues_identifier(peek())) {
      refuse(position, fmt::format("float literal '{}' is malformed", source_.substr(first, at_ - first)),
             "0f takes 8 hex digits, 0d takes 16");
    }
    Token result = token(kind, position, first, at_);
    std::from_chars(source_.data() + start, source_.data() + at_, result.bits, 16);
    return result;
  }

  Token integer(Position position, std::size_t prefix, int base) {
    const std::size_t first = at_;
    at_ += prefix;
    const std::size_t start = at_ - (prefix == 1 ? 1 : 0);
    while (is_hex(peek())) {
      if (base != 16 && !is_digit(peek())) break;
      ++at_;
    }
    std::uint64_t value = 0;
    const auto parsed = std::from_chars(source_.data() + start, source_.data() + at_, value, base);
    const bool whole = parsed.ec == std::errc{} && parsed.ptr == source_.data() + at_;
    if (peek() == 'U') ++at_;
    if (!whole || continues_identifier(peek())) {
      while (continues_identifier(peek())) ++at_;
      refuse(position, fmt::format("integer '{}' is malformed", source_.substr(first, at_ - first)),
             "write decimal, 0x hex, 0b binary or 0 octal of at most 64 bits, with or without U");
    }
    Token result = token(Token::Kind::integer, position, first, at_);
    result.bits = value;
    return result;
  }

  Token decimal(Position position) {
    const std::size_t first = at_;
    double value = 0;
    const auto parsed = std::from_chars(source_.data() + at_, source_.data() + source_.size(), value);
    at_ = static_cast<std::size_t>(parsed.ptr - source_.data());
    if (parsed.ec != std::errc{} || continues_identifier(peek())) {
      refuse(position, "decimal number is malformed or out of range", "write 1.5, 1e-3 or the bits, 0f3FC00000");
    }
    Token result = token(Token::Kind::floating, position, first, at_);
    result.bits = std::bit_cast<std::uint64_t>(value);
    return result;
  }

  std::string_view source_;
  std::string_view file_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_start_ = 0;
};

}  // namespace

std::vector<Token> tokenize(std::string_view source, std::string_view file) { return Lexer(source, file).run(); }

}  // namespace reconverge::kernel
