// SPDX-License-Identifier: Apache-2.0
// Constant expressions, rows of initialisers and vector registers, against values calculated by hand.

#include <fmt/format.h>

#include <bit>
#include <catch2/catch.hpp>
#include <cstring>

#include "models/kernel/decode/load_program.hpp"
#include "models/kernel/syntax/constant_expression.hpp"

namespace reconverge::kernel {
namespace {

SyntaxOperand value_of(std::string_view text) {
  TokenStream tokens(tokenize(text, "t.ptx"), "t.ptx");
  const SyntaxOperand value = parse_constant(tokens);
  CHECK(tokens.at_end());
  return value;
}

std::int64_t integer(std::string_view text) {
  INFO(text);
  const SyntaxOperand value = value_of(text);
  CHECK(value.kind == SyntaxOperand::Kind::integer);
  return value.integer;
}

double number(std::string_view text) {
  INFO(text);
  const SyntaxOperand value = value_of(text);
  CHECK(value.kind == SyntaxOperand::Kind::floating);
  return std::bit_cast<double>(value.integer);
}

std::string refusal(std::string_view text) {
  try {
    value_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

Program load(std::string_view declarations, std::string_view body) {
  return load_program_text(fmt::format(".version 7.0\n.target sm_70\n.address_size 64\n{}\n.entry k(.param .u64 p)\n"
                                       "{{\n.reg .u64 %rd<4>;\n.reg .u32 %r<8>;\n.reg .f32 %f<4>;\n{}\n}}\n",
                                       declarations, body),
                           "t.ptx", "k");
}

std::vector<std::uint32_t> words_of(const GlobalVariable& variable) {
  std::vector<std::uint32_t> words(variable.initial.size() / 4);
  std::memcpy(words.data(), variable.initial.data(), words.size() * 4);
  return words;
}

}  // namespace

TEST_CASE("operators have the precedence of C") {
  CHECK(integer("2 + 3 * 4") == 14);
  CHECK(integer("(2 + 3) * 4") == 20);
  CHECK(integer("20 - 5 - 3") == 12);
  CHECK(integer("1 << 4 | 3") == 19);
  CHECK(integer("1 | 6 ^ 2 & 3") == 5);
  CHECK(integer("1 + 1 << 1 + 1") == 8);
  CHECK(integer("5 > 3 ? 7 : 9") == 7);
  CHECK(integer("0 ? 1 : 0 ? 2 : 3") == 3);
  CHECK(integer("1 < 2 == 2 < 3 && 0 || 1") == 1);
  CHECK(integer("-2 * -3") == 6);
  CHECK(integer("- - ~0") == -1);
  CHECK(integer("!5 + !0") == 1);
  CHECK(integer("0x10 + 0b101 + 017") == 36);
  CHECK(integer("WARP_SZ - 1") == 31);
}

TEST_CASE("an operation on integers is signed unless an operand is unsigned") {
  CHECK(integer("-7 / 2") == -3);
  CHECK(integer("-7 % 3") == -1);
  CHECK(integer("-1 >> 1") == -1);
  CHECK(integer("(.u64) -1 >> 1") == 0x7fffffffffffffff);
  CHECK(integer("-1 < 0") == 1);
  CHECK(integer("-1 < 0U") == 0);
  CHECK(integer("0xffffffffffffffff > 1") == 1);
  CHECK(integer("(.s64) 0xffffffffffffffff > 1") == 0);
  CHECK(integer("0x8000000000000000U / 2") == 0x4000000000000000);
  CHECK(integer("1 << 64") == 0);
  CHECK(integer("-4 >> 70") == -1);
  CHECK(integer("(-0x7fffffffffffffff - 1) / -1") == std::numeric_limits<std::int64_t>::min());
}

TEST_CASE("arithmetic on floats uses doubles") {
  CHECK(number("1.5 + 2") == 3.5);
  CHECK(number("-1.5e1 * 2.0") == -30);
  CHECK(number("0f3F800000 / 4") == 0.25);
  CHECK(number("0d4000000000000000 - 0.5") == 1.5);
  CHECK(integer("1.5 > 1") == 1);
  CHECK(integer("0.5 ? 4 : 5") == 4);
  const SyntaxOperand single = value_of("-0f3F800000");
  CHECK(single.kind == SyntaxOperand::Kind::single);
  CHECK(single.integer == 0xbf800000);
}

TEST_CASE("an expression without a value is refused at its line and column") {
  CHECK_THAT(refusal("4 / (2 - 2)"), Catch::Contains("t.ptx:1:3: division by zero"));
  CHECK_THAT(refusal("4 % 0"), Catch::Contains("t.ptx:1:3: division by zero"));
  CHECK_THAT(refusal("1.5 << 2"), Catch::Contains("t.ptx:1:5: '<<' is for integers"));
  CHECK_THAT(refusal("~1.5"), Catch::Contains("'~' is for integers"));
  CHECK_THAT(refusal("(1 + 2"), Catch::Contains("')' expected"));
  CHECK_THAT(refusal("1 ? 2"), Catch::Contains("':' expected"));
  CHECK_THAT(refusal("1 +"), Catch::Contains("a number expected"));
  CHECK_THAT(refusal(std::string(100'000, '(')), Catch::Contains("nested too deeply"));
  CHECK_THAT(refusal(std::string(100'000, '-') + "1"), Catch::Contains("nested too deeply"));
}

TEST_CASE("sizes, initialisers, immediates and offsets may be expressions") {
  const Program program = load(".global .u32 x[2*3-1] = {1+2*3, (1<<4)|3, -1, ~0};",
                               "mov.u64 %rd1, x+4*2;\nld.global.u32 %r1, [x+(1+1)*4];\nadd.u32 %r2, %r1, 3*5;\n"
                               "ld.global.u32 %r3, [%rd1+8-4];\nret;");
  REQUIRE(program.globals.size() == 1);
  CHECK(program.globals[0].bytes == 20);
  CHECK(words_of(program.globals[0]) == std::vector<std::uint32_t>{7, 19, 0xffffffff, 0xffffffff, 0});
  CHECK(program.address_constants[0].addend == 8);
  CHECK(program.instructions[1].offset == 8);
  CHECK(program.instructions[3].offset == 4);
}

TEST_CASE("a row of initialisers in braces starts at its row of the array") {
  const auto words = [](std::string_view declaration) {
    return words_of(load(declaration, "mov.u64 %rd1, x;\nret;").globals.front());
  };
  using Words = std::vector<std::uint32_t>;
  CHECK(words(".global .u32 x[2][3] = {{1}, {2, 3}};") == Words{1, 0, 0, 2, 3, 0});
  CHECK(words(".global .u32 x[2][3] = {1, 2, 3, 4, 5};") == Words{1, 2, 3, 4, 5, 0});
  CHECK(words(".global .u32 x[2][2][2] = {{{1}, {2}}, {{3, 4}}};") == Words{1, 0, 2, 0, 3, 4, 0, 0});
  CHECK(words(".global .u32 x[][2] = {{1}, {2}, {}};") == Words{1, 0, 2, 0, 0, 0});
  CHECK(words(".global .v2 .u32 x[2] = {{1}, {2, 3}};") == Words{1, 0, 2, 3});
  CHECK(words(".global .v4 .u32 x = {1, 2, 3, 4};") == Words{1, 2, 3, 4});
  CHECK_THROWS_AS(words(".global .u32 x[2][2] = {{1, 2, 3}, {4}};"), InputError);
  CHECK_THROWS_AS(words(".global .u32 x[2][2] = {{1}, {2}, {3}};"), InputError);
  CHECK_THROWS_AS(words(".global .u32 x[1] = {1, 2};"), InputError);
}

TEST_CASE("a vector register denotes its elements") {
  const Program program = load(".global .f32 x[4];", R"(
.reg .v4 .f32 v;
.reg .v2 .u32 %w;
ld.global.v4.f32 v, [x];
add.f32 %f1, v.x, v.a;
mov.b64 %rd1, %w;
mov.f32 v.g, %f1;
st.global.v4.f32 [x], v;
ret;)");
  const auto& code = program.instructions;
  REQUIRE(code.size() == 6);
  const auto& parts = code[0].destination;
  for (unsigned i = 0; i < 4; ++i) CHECK(parts[i].present());
  CHECK(code[1].source[0].row() == parts[0].row());
  CHECK(code[1].source[1].row() == parts[3].row());
  CHECK(code[2].source[1].present());
  CHECK(code[4].source[2].row() == code[3].destination[0].row());
  CHECK_THROWS_AS(load("", ".reg .v2 .f32 v;\nmov.f32 %f1, v.z;\nret;"), InputError);
}

}  // namespace reconverge::kernel
