// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/syntax/lexer.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <string>

#include "models/core/error.hpp"

using namespace reconverge;
using namespace reconverge::kernel;

namespace {

std::string refusal(std::string_view text) {
  try {
    tokenize(text, "t.ptx");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

Token only(std::string_view text) {
  const auto tokens = tokenize(text, "t.ptx");
  REQUIRE(tokens.size() == 2);
  return tokens.front();
}

}  // namespace

TEST_CASE("tokens carry kind, text and position") {
  const auto tokens = tokenize("@%p1 bra\n\t$L_0;// x\n/* two\nlines */ .v4 .L2::128B %tid.x", "t.ptx");
  std::string seen;
  for (const Token& token : tokens) {
    seen += std::to_string(token.position.line) + ":" + std::to_string(token.position.column) + " " +
            std::string(token.text) + "|";
  }
  CHECK(seen == "1:1 @|1:2 %p1|1:6 bra|2:2 $L_0|2:6 ;|4:10 v4|4:14 L2::128B|4:24 %tid|4:28 x|4:30 end of file|");
  CHECK(tokens[5].kind == Token::Kind::dotted);
  CHECK(tokens[1].kind == Token::Kind::identifier);
}

TEST_CASE("all forms of numbers are read") {
  CHECK(only("42").bits == 42);
  CHECK(only("42U").bits == 42);
  CHECK(only("0").bits == 0);
  CHECK(only("0x7fffFFFF").bits == 0x7fffffff);
  CHECK(only("0xFFFFFFFFFFFFFFFFU").bits == ~std::uint64_t{0});
  CHECK(only("017").bits == 15);
  CHECK(only("0b101").bits == 5);
  CHECK(only("18446744073709551615").bits == ~std::uint64_t{0});
  CHECK(only("0f3F800000").kind == Token::Kind::single);
  CHECK(only("0f3F800000").bits == 0x3f800000);
  CHECK(only("0dBFF0000000000000").bits == std::bit_cast<std::uint64_t>(-1.0));
  CHECK(only("1.5").bits == std::bit_cast<std::uint64_t>(1.5));
  CHECK(only("25e-1").bits == std::bit_cast<std::uint64_t>(2.5));
  CHECK(only("1.5").kind == Token::Kind::floating);
  CHECK(only("1.e-1").bits == std::bit_cast<std::uint64_t>(0.1));
  CHECK(only(".5e1").bits == std::bit_cast<std::uint64_t>(5.0));
  CHECK(tokenize("tex.1d", "t.ptx")[1].kind == Token::Kind::dotted);
}

TEST_CASE("text that is not PTX is refused at its line and column") {
  CHECK(refusal("a\n  #") == "t.ptx:2:3: character '#' is no PTX; PTX is plain ASCII text, as `clang -S` writes it");
  CHECK(refusal("\x01") == "t.ptx:1:1: character 0x1 is no PTX; PTX is plain ASCII text, as `clang -S` writes it");
  CHECK(refusal("/* ") == "t.ptx:1:1: comment without end; close it with */");
  CHECK(refusal("\"abc\n\"") == "t.ptx:1:1: string without end; close it with \" on the same line");
  CHECK(refusal("0f3F80") == "t.ptx:1:1: float literal '0f3F80' is malformed; 0f takes 8 hex digits, 0d takes 16");
  CHECK(refusal("0f3F8000001") ==
        "t.ptx:1:1: float literal '0f3F8000001' is malformed; 0f takes 8 hex digits, 0d takes 16");
  CHECK(refusal("08").find("integer '08' is malformed") != std::string::npos);
  CHECK(refusal("0x").find("integer '0x' is malformed") != std::string::npos);
  CHECK(refusal("12ab").find("integer '12ab' is malformed") != std::string::npos);
  CHECK(refusal("18446744073709551616").find("is malformed") != std::string::npos);
  CHECK(refusal("1e999999").find("decimal number is malformed or out of range") != std::string::npos);
  CHECK(refusal(". x") == "t.ptx:1:1: a dot with no word after it; directives and modifiers read .word");
}
