// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/syntax/parser.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <random>
#include <string>

#include "models/core/error.hpp"
#include "tests/unit/kernel/ptx.hpp"

using namespace reconverge;
using namespace reconverge::kernel;
using tests::kernel_text;

namespace {

const std::string header = ".version 7.0\n.target sm_75\n.address_size 64\n";

std::string refusal(const std::string& text) {
  try {
    parse_module(text, "t.ptx");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// A module with every construct that the parser supports.
const std::string sample = header + R"(
.extern .func (.param .b32 func_retval0) vprintf (.param .b64 a, .param .b64 b);
.visible .global .align 8 .b8 table[4] = {1, 0x2, 3U, -4};
.const .f32 scale = 0f3F800000;
.global .u64 pointer = generic(table)+4;
.extern .shared .align 16 .b8 dynamic[];
.file 1 "x.cu"
.visible .entry first(
  .param .u64 .ptr .global .align 4 first_param_0,
  .param .align 4 .b8 first_param_1[12]
)
.maxntid 256, 1, 1
.minnctapersm 2
{
  .reg .pred %p<3>;
  .reg .b32 %r<10>, %x;
  .local .align 16 .b8 depot[32];
  .loc 1 5 3
  .pragma "nounroll";
  @!%p1 ld.global.v2.u32 {%r1, _}, [%rd1+-4];
  {
    .reg .b32 inner;
    mov.u32 inner, %tid.x;
  }
$L1:
  setp.lt.and.s32 %p1|%p2, %r1, -7, !%p2;
  call.uni (%r1), vprintf, (%r2, 5);
  bra.uni $L1;
targets: .branchtargets $L1, $L1;
}
.func helper { ret; }
.section .debug_info { .b8 1 { } }
)";

}  // namespace

TEST_CASE("all parts of a module are parsed") {
  const Module module = parse_module(sample, "t.ptx");
  CHECK(module.version == "7.0");
  CHECK(module.target == "sm_75");
  CHECK(module.address_size == 64);
  REQUIRE(module.variables.size() == 4);
  CHECK(module.variables[0].name == "table");
  CHECK(module.variables[0].elements == 4);
  CHECK(module.variables[0].alignment == 8);
  REQUIRE(module.variables[0].initial.size() == 4);
  CHECK(module.variables[0].initial[3].value.integer == -4);
  CHECK(module.variables[1].initial[0].value.integer == 0x3f800000);
  REQUIRE(module.variables[2].initial.size() == 1);
  CHECK(module.variables[3].external);
  CHECK(module.variables[3].array);
  CHECK(module.variables[3].elements == 0);

  REQUIRE(module.functions.size() == 3);
  CHECK_FALSE(module.functions[0].defined);
  CHECK(module.functions[0].prototype.results.size() == 1);
  const Function& first = module.functions[1];
  CHECK(first.entry);
  CHECK(first.prototype.parameters[1].bytes() == 12);
  REQUIRE(first.directives.size() == 2);
  CHECK(first.directives[0].name == "maxntid");
  CHECK(first.directives[0].values == std::vector<std::uint32_t>{256, 1, 1});
  REQUIRE(first.registers.size() == 4);
  CHECK(first.registers[1].count == 10);
  CHECK(first.registers[2].name == "%x");
  REQUIRE(first.instructions.size() == 5);

  const SyntaxInstruction& load = first.instructions[0];
  CHECK(load.text == "@!%p1 ld.global.v2.u32 {%r1, _}, [%rd1+-4]");
  CHECK(load.guard == "%p1");
  CHECK(load.guard_negated);
  CHECK(load.modifiers == std::vector<std::string_view>{"global", "v2", "u32"});
  CHECK(load.operands[0].kind == SyntaxOperand::Kind::vector);
  CHECK(load.operands[1].kind == SyntaxOperand::Kind::address);
  CHECK(load.operands[1].integer == -4);
  CHECK(load.position.line == 23);
  CHECK(load.position.column == 3);
  CHECK(first.instructions[1].operands[1].name == "%tid.x");
  const SyntaxInstruction& compare = first.instructions[2];
  CHECK(compare.operands[0].kind == SyntaxOperand::Kind::pair);
  CHECK(compare.operands[0].elements[1].name == "%p2");
  CHECK(compare.operands[2].integer == -7);
  CHECK(compare.operands[3].negated);
  CHECK(first.instructions[3].operands[2].kind == SyntaxOperand::Kind::list);
  CHECK(first.statements.back().targets.size() == 2);
}

TEST_CASE("syntax errors name line and column and the expected syntax") {
  CHECK(refusal("") ==
        "t.ptx: no .version directive: this is no PTX; give the text that `clang -S --cuda-device-only` or "
        "`nvcc -ptx` writes");
  CHECK(refusal("int main() {}") ==
        "t.ptx:1:1: a directive expected at module level, found 'int'; instructions stand inside .entry or .func");
  CHECK(refusal(header + ".surf .u32 t;").find("t.ptx:4:1: directive '.surf' is not supported") == 0);
  CHECK(refusal(header + ".entry k() { add.s32 %r1 %r2; }") == "t.ptx:4:26: ';' expected after 'add', found '%r2'");
  CHECK(refusal(header + ".entry k() { add.s32 %r1, ; }").find("t.ptx:4:27: an operand expected, found ';'") == 0);
  CHECK(refusal(header + ".entry k() { ret;") == "t.ptx:4:12: the body of 'k' is never closed");
  CHECK(refusal(header + ".entry k( { ret; }") == "t.ptx:4:11: .param expected, found '{'");
  CHECK(refusal(header + ".entry k() { .reg .b33 %r; }").find("t.ptx:4:19: a type expected after .reg, found '.b33'") ==
        0);
  CHECK(refusal(header + ".entry k() { .reg .b32 %r<0>; }").find("t.ptx:4:27: a range has 1") == 0);
  CHECK(refusal(header + ".global .align 3 .u32 x;") == "t.ptx:4:16: an alignment is a power of two of at most 4096");
  CHECK(refusal(header + ".global .u32 x = ;") == "t.ptx:4:18: a number expected, found ';'");
  CHECK(refusal(header + ".entry k() { ld.u32 %r1, [%r2, 4]; }").find("addresses with more than one part") !=
        std::string::npos);
  CHECK(refusal(header + ".entry k() { ld.u32 %r1, [%r2; }") == "t.ptx:4:30: ']' expected after an address, found ';'");
  CHECK(refusal(header + ".address_size 48").find("addresses have 32 or 64 bits") != std::string::npos);
  CHECK(refusal(header + ".section .x { ") == "t.ptx:4:13: '{' is never closed");
  CHECK(refusal(header + ".pragma \"x\" ") == "t.ptx:4:13: ';' expected after .pragma, found the end of the file");
  CHECK(refusal(header + ".entry k() {" + std::string(300, '{')).find("scopes are nested too deep") !=
        std::string::npos);
}

TEST_CASE("a damaged module is accepted or refused, and never crashes the parser") {
  const std::string alphabet = ".;,{}[]()<>@!|%$_:+-=\"/* \n0123456789abfdxU";
  std::mt19937 random(20240607);
  unsigned refused = 0;
  unsigned taken = 0;
  const auto attempt = [&](const std::string& text) {
    try {
      const Module module = parse_module(text, "t.ptx");
      for (const Function& function : module.functions) {
        if (function.entry && function.defined) load_program_text(text, "t.ptx", function.name);
      }
      ++taken;
    } catch (const InputError& error) {
      CHECK(std::string(error.what()).find("t.ptx") == 0);
      ++refused;
    }
  };
  const std::string body =
      "ld.param.u64 %rd1, [pa];\n@%p1 bra L;\nld.global.v2.f32 {%f1, %f2}, [%rd1+8];\n"
      "setp.gt.and.f32 %p1|%p2, %f1, 0f00000000, !%p3;\nL: st.global.u32 [%rd1], 7;\nret;";
  for (const std::string& original : {sample, kernel_text(body)}) {
    for (std::size_t end = 0; end < original.size(); ++end) attempt(original.substr(0, end));
    for (unsigned round = 0; round < 3000; ++round) {
      std::string text = original;
      for (unsigned edits = 1 + random() % 3; edits != 0; --edits) {
        const std::size_t at = random() % text.size();
        switch (random() % 3) {
          case 0:
            text[at] = alphabet[random() % alphabet.size()];
            break;
          case 1:
            text.erase(at, 1 + random() % 4);
            break;
          default:
            text.insert(at, 1, alphabet[random() % alphabet.size()]);
            break;
        }
      }
      attempt(text);
    }
  }
  CHECK(refused > 2000);
  CHECK(taken > 100);
}

TEST_CASE("parsing takes linear time") {
  std::string body;
  for (unsigned i = 0; i < 20000; ++i) body += "  fma.rn.f32 \t%f1, %f2, %f3, 0f3F800000;\n";
  body += "ret;";
  const auto start = std::chrono::steady_clock::now();
  const Module module = parse_module(kernel_text(body), "t.ptx");
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  CHECK(module.functions[0].instructions.size() == 20001);
  CHECK(taken.count() < 5.0);  // about 20 ms on an idle machine; allows for sanitizers and busy machines
}
