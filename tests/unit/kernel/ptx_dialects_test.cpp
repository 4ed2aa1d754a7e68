// SPDX-License-Identifier: Apache-2.0
// PTX from older compilers, editors and programmers is accepted with its intended meaning or rejected at its line. The
// kernels in testbenches/corpus/styles test results.

#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/kernel/ptx.hpp"

using namespace reconverge;
using namespace reconverge::kernel;
using Catch::Contains;
using tests::load;
using tests::refusal;
using tests::refusal_of_text;

namespace {

std::string module_of(const std::string& version, const std::string& target, const std::string& body,
                      const std::string& before = "") {
  return ".version " + version + "\n.target " + target + "\n" + before +
         ".entry k()\n{\n.reg .f32 %f<8>; .reg .f64 %fd<8>; .reg .b32 %r<8>; .reg .pred %p<4>;\n" + body +
         "\nret;\n}\n";
}

Instruction first_of(const std::string& text) { return load_program_text(text, "t.ptx", "k").instructions.front(); }

}  // namespace

TEST_CASE("a prototype may end only at the start of the next declaration") {
  for (const std::string next : {".global .u32 g;\n", ".visible .func h();\n", "", ".extern .shared .u32 s[];\n"}) {
    INFO(next);
    CHECK(refusal_of_text(module_of("3.1", "sm_20", "", ".extern .func (.param .s32 r) f (.param .u64 a)\n" + next)) ==
          "accepted");
  }
  CHECK(refusal_of_text(module_of("3.1", "sm_20", "") + ".extern .func f (.param .u64 a)") == "accepted");
  CHECK(refusal_of_text(module_of("3.1", "sm_20", "", ".extern .func f (.param .u64 a)\nmov.u32 %r1, 1;\n")) ==
        "t.ptx:4:1: '{' expected before the body of a function, found 'mov'");
}

TEST_CASE("variables can be declared in ranges, like registers") {
  const auto kernel = [](const std::string& body) { return module_of("6.0", "sm_30", body); };
  CHECK(refusal_of_text(kernel(".param .u64 p<2>; .shared .v4 .u32 s<3>, t; .local .u32 l<1>;\n"
                               "ld.shared.u32 %r1, [s2+12]; st.local.u32 [l0], %r1; st.param.b32 [p1], %r1;")) ==
        "accepted");
  CHECK(refusal_of_text(kernel(".shared .u32 s<0>;")) == "t.ptx:6:16: a range has 1 to 65536 variables");
  CHECK_THAT(refusal_of_text(kernel(".shared .u32 s<2>;\nld.shared.u32 %r1, [s2];")), Contains("t.ptx:7:21: "));
  CHECK_THAT(refusal_of_text(kernel(".shared .u32 s<2>[4];")), Contains("';' expected after a declaration, found '['"));
}

TEST_CASE("a kernel of PTX 1.3 declares its parameters in its body") {
  const std::string body = ".param .u64 a;\n.param .u32 n;\nld.param.u32 %r1, [n];\n";
  const Program program = load_program_text(module_of("1.3", "sm_13", body), "t.ptx", "k");
  REQUIRE(program.parameters.size() == 2);
  CHECK(program.parameters[1].name == "n");
  CHECK(program.parameters[1].offset == 8);
  CHECK(load_program_text(module_of("1.4", "sm_13", body), "t.ptx", "k").parameters.empty());
}

TEST_CASE("a module with 32-bit addresses can use its variables by name") {
  const auto kernel = [](const std::string& body) {
    return module_of("2.3", "sm_20", body,
                     ".address_size 32\n.global .u32 g[2];\n.const .u32 c = 1;\n.shared .u32 s;\n");
  };
  const Instruction load = first_of(kernel("ld.global.u32 %r1, [g+4];"));
  CHECK(load.wide_address);
  CHECK(load.offset == 4);
  CHECK(refusal_of_text(kernel("ld.const.u32 %r1, [c]; mov.u32 %r2, s; ld.shared.u32 %r1, [%r2];")) == "accepted");
  const Program program = load_program_text(kernel("mov.u32 %r1, g+4; ld.global.u32 %r2, [%r1];"), "t.ptx", "k");
  REQUIRE(program.address_constants.size() == 1);
  CHECK(program.address_constants.front().addend == 4);
  CHECK_FALSE(program.constants[program.address_constants.front().constant].wide);
  CHECK_FALSE(program.instructions[1].wide_address);
  CHECK_FALSE(first_of(kernel("isspacep.shared %p1, %r1;")).wide_address);
  CHECK_THAT(refusal_of_text(module_of("2.3", "sm_20", "mov.u32 %r1, t;", ".address_size 32\n.global .texref t;\n")),
             Contains("t.ptx:8:14: the handle of the texture reference 't' has 64 bits"));
}

TEST_CASE("which parameters may be 32-bit pointers") {
  const auto address_bytes = [](const std::string& size, const std::string& parameter) {
    return load_program_text(".version 2.3 .target sm_20 " + size + " .entry k(.param " + parameter + ") { ret; }",
                             "t.ptx", "k")
        .parameters.front()
        .address_bytes;
  };
  CHECK(address_bytes(".address_size 32", ".u32 p") == 4);
  CHECK(address_bytes(".address_size 32", ".align 4 .b8 p[12]") == 4);
  CHECK(address_bytes("", ".b32 p") == 4);
  CHECK(address_bytes("", ".u64 p") == 8);
  CHECK(address_bytes(".address_size 64", ".u32 p") == 0);
  CHECK(address_bytes(".address_size 64", ".u64 p") == 8);
  CHECK(address_bytes(".address_size 32", ".f32 p") == 0);
  CHECK(address_bytes(".address_size 32", ".u16 p") == 0);
}

TEST_CASE("an index selects an element of an array") {
  const auto kernel = [](const std::string& body) {
    return module_of("7.0", "sm_70", body,
                     ".global .u16 g[8];\n.shared .u64 s[4];\n.const .u32 one = 1;\n.shared .v2 .u32 v[2];\n");
  };
  CHECK(first_of(kernel("ld.global.u16 %r1, g[2+1];")).offset == 6);
  CHECK(first_of(kernel("st.shared.u32 s[2], %r1;")).offset == 16);
  CHECK(refusal_of_text(kernel(".reg .u64 a; mov.u64 a, g[3]; ld.global.u16 %r1, [a];")) == "accepted");
  CHECK_THAT(refusal_of_text(kernel("ld.const.u32 %r1, one[0];")), Contains("t.ptx:10:22: only arrays have elements"));
  CHECK_THAT(refusal_of_text(kernel("ld.shared.u32 %r1, v[1];")), Contains("only arrays have elements"));
  CHECK_THAT(refusal_of_text(kernel("mov.u32 %r1, %r2[1];")), Contains("only arrays have elements"));
  CHECK_THAT(refusal_of_text(kernel("ld.global.u16 %r1, g[%r2];")), Contains("an index is a number here"));
}

TEST_CASE("defaults of first-generation PTX are filled in") {
  const Instruction fused = first_of(module_of("1.4", "sm_11", "mad.f32 %f1, %f2, %f3, %f4;"));
  CHECK(fused.opcode == Opcode::fma);
  CHECK(fused.rounding == Rounding::rn);
  CHECK(fused.flush_subnormals);
  CHECK_FALSE(fused.saturate);
  CHECK(first_of(module_of("1.4", "sm_11", "mad.sat.f32 %f1, %f2, %f3, %f4;")).saturate);
  CHECK(first_of(module_of("1.4", "sm_13", "add.f32 %f1, %f2, %f3;")).flush_subnormals);
  CHECK(first_of(module_of("1.4", "sm_13", "setp.lt.f32 %p1, %f2, %f3;")).flush_subnormals);
  CHECK_FALSE(first_of(module_of("1.4", "sm_13", "cvt.f64.f32 %fd1, %f3;")).flush_subnormals);
  CHECK_FALSE(first_of(module_of("2.0", "sm_20", "add.f32 %f1, %f2, %f3;")).flush_subnormals);
  CHECK_FALSE(first_of(module_of("8.0", "sm_100", "add.f32 %f1, %f2, %f3;")).flush_subnormals);
  CHECK_THAT(refusal_of_text(module_of("2.0", "sm_20", "mad.f32 %f1, %f2, %f3, %f4;")),
             Contains("t.ptx:6:1: instruction 'mad.f32' has modifiers that are not supported"));

  const Instruction quotient = first_of(module_of("1.3", "sm_13", "div.f32 %f1, %f2, %f3;"));
  CHECK(quotient.approximate);
  CHECK(quotient.flush_subnormals);
  CHECK(first_of(module_of("1.3", "sm_13", "div.f64 %fd1, %fd2, %fd3;")).rounding == Rounding::rn);
  CHECK(first_of(module_of("1.2", "sm_13", "mad.f64 %fd1, %fd2, %fd3, %fd4;")).rounding == Rounding::rn);
  CHECK(first_of(module_of("1.0", "sm_10", "sin.f32 %f1, %f2;")).approximate);
  CHECK_THAT(refusal_of_text(module_of("1.4", "sm_13", "div.f32 %f1, %f2, %f3;")), Contains("write div."));

  CHECK_THAT(refusal_of_text(module_of("1.4", "sm_10, map_f64_to_f32", "add.f64 %fd1, %fd2, %fd3;")),
             Contains("t.ptx:6:1: with map_f64_to_f32 an instruction on .f64 means one on .f32"));
}

TEST_CASE("registers and local memory of the module belong to the kernel") {
  const std::string module = ".reg .u32 own; .reg .pred %q<2>; .local .u32 cell;\n";
  CHECK(refusal_of_text(module_of("2.0", "sm_20", "mov.u32 own, 1;\nst.local.u32 [cell], own;\n@%q1 exit;", module)) ==
        "accepted");
  for (const std::string use : {"mov.u32 own, 1;", "st.local.u32 [cell], 1;", "@%q1 ret;", "ld.u32 %a, [cell];"}) {
    INFO(use);
    const std::string function = ".func f()\n{\n.reg .u32 %a;\n" + use + "\nret;\n}\n";
    CHECK_THAT(refusal_of_text(module_of("2.0", "sm_20", "call f;", module + function)),
               Contains("t.ptx:7:") && Contains("a function cannot use registers and .local variables of the module"));
  }
  CHECK_THAT(refusal_of_text(module_of("2.0", "sm_20", "", ".local .u32 cell;\n.global .u64 p = cell;\n") + ""),
             Contains("accepted"));
  CHECK_THAT(refusal_of_text(
                 module_of("2.0", "sm_20", "ld.global.u32 %r1, [p];", ".local .u32 cell;\n.global .u64 p = cell;\n")),
             Contains("'cell' is local to each thread"));
  CHECK_THAT(refusal_of_text(module_of("2.0", "sm_20", "", ".reg .u32 own;\n.reg .u32 own;\n")),
             Contains("'own' is declared twice"));
}

TEST_CASE("only global and constant variables have initial values") {
  CHECK(refusal("ret;", ".shared .u32 s = 5;") ==
        "t.ptx:4:16: 's' has an initial value; only .global and .const variables have one: store it when the kernel "
        "begins");
  CHECK_THAT(refusal(".local .u32 x = 5;"), Contains("'x' has an initial value"));
}

TEST_CASE("a constant predicate is 0 or 1") {
  CHECK(refusal("selp.b32 %r1, %r2, %r3, 1;\nvote.all.pred %p1, 0;\nmov.pred %p1, -1;") == "accepted");
  for (const std::string line : {"selp.b32 %r1, %r2, %r3, 2;", "mov.pred %p1, 2;", "and.pred %p1, %p2, 7;"}) {
    INFO(line);
    CHECK_THAT(refusal(line), Contains("is no truth value; a constant predicate is 0 or 1"));
  }
  CHECK_THAT(refusal("selp.b32 %r1, %r2, %r3, 1.0;"), Contains("t.ptx:9:25"));
}

TEST_CASE("moves and accesses of vector registers") {
  CHECK(refusal(".reg .v2 .f32 v<3>;\nmov.f32 v2.y, 0f00000000;\nmov.v2.f32 v0, v2;") == "accepted");
  CHECK_THAT(refusal(".reg .v2 .f32 v<3>;\nmov.f32 v3.y, 0f00000000;"), Contains("'v3.y' is not declared"));
  CHECK_THAT(refusal(".reg .v2 .u32 v;\nst.global.v2.u32 [%rd1], v+4;"),
             Contains("t.ptx:10:26: the vector register 'v' takes no offset; add to its elements"));
  CHECK_THAT(refusal("mov.v4.f32 {%f1, %f2}, {%f3, %f4};"), Contains("takes two of that width"));
  // The elements move one after the other, in an order that needs no third register.
  const Program shifted = load("mov.v2.f32 {%f1, %f2}, {%f2, %f3};");
  CHECK(shifted.instructions[0].destination[0] != shifted.instructions[1].source[0]);
  const Program back = load("mov.v2.f32 {%f2, %f3}, {%f1, %f2};\nst.global.v2.f32 [%rd1], {%f2, %f3};");
  CHECK(back.instructions[1].source[0] != back.instructions[0].destination[0]);
  // An exchange reads all elements before it writes. If two elements are the same register, the last takes effect.
  const Program exchange = load("mov.v2.f32 {%f1, %f2}, {%f2, %f1};\nst.global.v2.f32 [%rd1], {%f1, %f2};");
  CHECK(exchange.instructions[1].source[0] != exchange.instructions[0].destination[0]);
  CHECK(exchange.instructions[3].opcode == Opcode::mov);
  const Program twice = load("mov.v2.f32 {%f1, %f1}, {%f2, %f1};\nst.global.f32 [%rd1], %f1;");
  CHECK(twice.instructions[4].source[1] == twice.instructions[3].destination[0]);
  CHECK(twice.instructions[3].source[0] == twice.instructions[1].destination[0]);

  const Program wide = load("ld.global.v8.u32 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%rd1+64];");
  CHECK(wide.instructions[0].vector_width == 4);
  CHECK(wide.instructions[0].offset == 64);
  CHECK(wide.instructions[1].offset == 80);
  CHECK_THAT(refusal("ld.global.v8.u16 {%rs1,%rs2,%rs3,%rs4,%rs5,%rs6,%rs7,%rs8}, [%rd1];"),
             Contains("vectors of 8 have elements of 32 bits; write two vectors of 4"));
  CHECK_THAT(refusal("ld.global.v8.u32 {%r1,%r2,%r3,%r4}, [%rd1];"), Contains("8 registers in braces"));
}

TEST_CASE("vector registers are passed as a whole") {
  const std::string functions =
      ".func (.reg .v2 .u32 r) swap(.reg .v2 .u32 a) { mov.v2.u32 r, {a.y, a.x}; ret; }\n"
      ".func one(.reg .u32 a) { ret; }\n.func bytes(.param .align 4 .b8 a[8]) { ret; }\n";
  const std::string vectors = ".reg .v2 .u32 v; .reg .v4 .u32 w;\n";
  CHECK(refusal(vectors + "call (v), swap, (v);", functions) == "accepted");
  CHECK(refusal(vectors + "call (_), swap, (v);", functions) == "accepted");
  CHECK_THAT(
      refusal(vectors + "call (v), swap, (w);", functions),
      Contains("t.ptx:13:18: this does not fit the parameter 'a' that it is passed for; pass a vector register of 2 "
               "elements, of 8 bytes"));
  CHECK_THAT(refusal(vectors + "call (v), swap, (%rd1);", functions), Contains("pass a vector register of 2 elements"));
  CHECK_THAT(refusal(vectors + "call (%r1), swap, (v);", functions), Contains("t.ptx:13:7: this does not fit"));
  CHECK_THAT(refusal(vectors + "call one, (v);", functions), Contains("pass a register or a number, of 4 bytes"));
  CHECK_THAT(refusal("call bytes, (%r1);", functions), Contains("pass a .param variable, of 8 bytes"));
}

TEST_CASE("a predicate is passed only in a register") {
  CHECK_THAT(refusal("ret;", ".func f(.param .pred x) { ret; }"),
             Contains("a variable cannot be a predicate: only registers can; pass .reg .pred, or a .b32 that "
                      "selp makes of it"));
  CHECK(refusal("call f, (%p1);", ".func f(.reg .pred x) { ret; }") == "accepted");
  CHECK(refusal("call f, (1);", ".func f(.reg .pred x) { ret; }") == "accepted");
  CHECK_THAT(refusal("call f, (%r1);", ".func f(.reg .pred x) { ret; }"), Contains("declared .b32 but .pred"));
}

TEST_CASE("an error for an instruction with many forms names the closest forms") {
  CHECK(refusal("cvt.rn.relu.f16.u32 %rs1, %r1;") ==
        "t.ptx:9:1: instruction 'cvt.rn.relu.f16.u32' has modifiers that are not supported; models/kernel/README.md "
        "lists the forms of cvt");
  CHECK_THAT(refusal("cvt.rn.e4m3x2.f32 %rs1, %f1, %f2;"), Contains("write cvt.rn.satfinite.e4m3x2.f32"));
  CHECK(refusal("cvt.pack.s8.s32.b32 %r1, %r2, %r3, %r4;").size() < 250);
}
TEST_CASE("a texture instruction takes as many coordinates as the texture has dimensions") {
  CHECK(load("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}];").instructions[0].variant == 1);
  CHECK(load("tex.3d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1, %r2, %r3, %r3}];").instructions[0].variant == 2);
  CHECK(refusal("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6, %f7, %f8}];") == "accepted");
  CHECK_THAT(refusal("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6, %f7}];"), Contains("3 coordinates for"));
  CHECK(refusal("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5}];") ==
        "t.ptx:9:45: 1 coordinates for tex.2d; write [texture, {x, y}]");
  CHECK_THAT(refusal("tex.3d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6, %f7}];"), Contains("3 coordinates for"));
}
