// SPDX-License-Identifier: Apache-2.0
// Functions of a program: the layout of arguments, the registers that a call saves, and the local memory that it takes.

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "models/kernel/decode/call_frame.hpp"
#include "models/kernel/syntax/parser.hpp"
#include "tests/unit/kernel/ptx.hpp"

using namespace reconverge;
using namespace reconverge::kernel;
using tests::load;

namespace {

using Offsets = std::vector<std::uint32_t>;

const std::string leaf =
    ".func (.param .b32 r) leaf(.param .b32 a)\n"
    "{ .reg .u32 %a<3>; ld.param.u32 %a0, [a]; add.u32 %a1, %a0, 1; st.param.b32 [r], %a1; ret; }\n";

const std::string call_leaf = "call (%r1), leaf, (%r1);\n";

/// Calls itself n times.
const std::string down =
    ".func down(.reg .u32 %n)\n{ .reg .pred %q; setp.eq.u32 %q, %n, 0; @%q ret; sub.u32 %n, %n, 1;\n"
    "call down, (%n); ret; }\n";

CallLayout layout_of(const std::string& results, const std::string& parameters) {
  const std::string text =
      ".version 7.0 .target sm_75 .address_size 64\n.func (" + results + ") f(" + parameters + ");";
  return lay_out(parse_module(text, "t.ptx").functions.front().prototype);
}

/// The number of instructions with this text, such as `(save)` or `(take back)` around calls.
std::size_t count(const Program& program, std::string_view text) {
  return static_cast<std::size_t>(std::count(program.text.begin(), program.text.end(), text));
}

const Instruction& first(const Program& program, Opcode opcode) {
  return *std::find_if(program.instructions.begin(), program.instructions.end(),
                       [&](const Instruction& instruction) { return instruction.opcode == opcode; });
}

}  // namespace

TEST_CASE("a frame begins with arguments, then results, each at its alignment") {
  const CallLayout layout =
      layout_of(".param .b64 r, .param .b8 q", ".param .b8 a, .param .b32 b, .param .align 8 .b8 s[12]");
  CHECK(layout.parameters == Offsets{0, 4, 8});
  CHECK(layout.results == Offsets{24, 32});
  CHECK(layout.bytes == 33);
}

TEST_CASE("the frame of a kernel without calls consists of its local variables") {
  const Program program = load(".local .align 8 .b8 depot[20];\nmov.u64 %rd1, depot;\nst.u64 [%rd1], %rd1;\nret;");
  REQUIRE(program.functions.size() == 1);
  CHECK(program.functions[0].name == "k");
  CHECK(program.functions[0].first == 0);
  CHECK(program.functions[0].end == program.instructions.size());
  CHECK(program.functions[0].frame_bytes == 20);
  CHECK(program.local_bytes == 20);
  CHECK_FALSE(program.deep_stack);
  CHECK(load("ret;").local_bytes == 0);
}

TEST_CASE("stack frames: sizes are multiples of 16, and nested frames add up") {
  // leaf: a at 0, r at 4. middle: a at 0, s at 8, r at 24, depot at 32, return address and %a0 saved at 72. k: only the
  // saved %rd1 and %r2.
  const Program program = load(
      "ld.param.u64 %rd1, [pa];\nmov.u32 %r2, %tid.x;\n"
      "{ .param .b32 p0; .param .align 8 .b8 p1[12]; .param .b64 r0;\n"
      "st.param.b32 [p0], %r2; st.param.b64 [p1], %rd1; st.param.b32 [p1+8], %r2;\n"
      "call (r0), middle, (p0, p1);\nld.param.b64 %rd2, [r0]; }\nst.global.u64 [%rd1], %rd2;\n"
      "st.global.u32 [%rd1+8], %r2;",
      leaf +
          ".func (.param .b64 r) middle(.param .b32 a, .param .align 8 .b8 s[12])\n"
          "{ .local .align 8 .b8 depot[40]; .reg .u32 %a<4>; .reg .u64 %b<3>;\n"
          "ld.param.u32 %a0, [a]; mov.u64 %b1, depot; st.local.u32 [%b1], %a0;\n"
          "call (%a1), leaf, (%a0);\nadd.u32 %a2, %a0, %a1; cvt.u64.u32 %b2, %a2; st.param.b64 [r], %b2; ret; }\n");
  REQUIRE(program.functions.size() == 3);
  CHECK(program.functions[1].name == "middle");
  CHECK(program.functions[2].name == "leaf");
  CHECK(program.functions[0].frame_bytes == 16);
  CHECK(program.functions[1].frame_bytes == 80);
  CHECK(program.functions[2].frame_bytes == 16);
  CHECK(program.local_bytes == 16 + 80 + 16);
  CHECK_FALSE(program.deep_stack);
  CHECK(count(program, "(save)") == 2 + 2);
  CHECK(count(program, "(take back)") == 2 + 2);
  // Each call adds the caller's frame size to the stack pointer, and subtracts it after the return.
  CHECK(count(program, "(stack pointer)") == 2 * 2);
  const Instruction& call = first(program, Opcode::call);
  CHECK(call.target == program.functions[1].first);
  const Instruction& up = *(&call - 1);
  const Instruction& back = *(&call + 1);
  CHECK(tests::constant_bits(program, up.source[1]) == 16);
  CHECK(static_cast<std::uint32_t>(tests::constant_bits(program, back.source[1])) == 0U - 16U);
}

TEST_CASE("the deeper of two consecutive calls sets the stack depth, and both save a value at the same address") {
  const std::string two = "mov.u32 %r2, %tid.x;\n" + call_leaf + "add.u32 %r1, %r1, %r2;\n" + call_leaf +
                          "add.u32 %r1, %r1, %r2;\nst.global.u32 [%rd1], %r1;";
  const Program program = load("ld.param.u64 %rd1, [pa];\n" + two, leaf);
  // %rd1 and %r2 are saved twice, in the same 12 bytes.
  CHECK(program.functions[0].frame_bytes == 16);
  CHECK(count(program, "(save)") == 4);
  CHECK(program.local_bytes == 32);
}

TEST_CASE("a predicate is saved as a word") {
  const Program program = load("setp.eq.u32 %p1, %r3, 5;\n" + call_leaf + "@%p1 st.global.u32 [0], %r1;", leaf);
  CHECK(program.functions[0].frame_bytes == 16);
  const auto at = static_cast<std::size_t>(&first(program, Opcode::call) - program.instructions.data());
  // The sequence is: selp, st, stack pointer, call, stack pointer, ld, setp.
  CHECK(program.instructions[at - 3].opcode == Opcode::selp);
  CHECK(program.instructions[at - 2].opcode == Opcode::st);
  CHECK(program.text[at + 2] == "(take back)");
  CHECK(program.instructions[at + 2].opcode == Opcode::ld);
  CHECK(program.instructions[at + 3].opcode == Opcode::setp);
  CHECK(program.instructions[at + 3].destination[0].bank() == Bank::predicate);
}

TEST_CASE("recursion and calls through pointers take stack of a size that the launch sets") {
  const Program recursive = load("call down, (%r1);", down);
  CHECK(recursive.deep_stack);
  // The recursive call saves n and the return address: 8 bytes. k saves nothing.
  CHECK(recursive.functions[0].frame_bytes == 0);
  CHECK(recursive.functions[1].frame_bytes == 16);
  CHECK(recursive.local_bytes == 16);

  const std::string mutual = ".func b();\n.func a()\n{ call b; ret; }\n.func b()\n{ call a; ret; }\n";
  CHECK(load("call a;", mutual).deep_stack);

  const Program pointers = load(
      "mov.u64 %rd1, leaf;\np: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
      "call (%r1), %rd1, (%r1), p;",
      leaf);
  CHECK(pointers.deep_stack);
  CHECK(pointers.functions.size() == 2);
  CHECK(pointers.local_bytes == pointers.functions[0].frame_bytes + 16);
}

TEST_CASE("a label after the last instruction of a function belongs to that function") {
  const Program program = load("call (%r1), leaf, (%r1);\nret;\nEND_OF_KERNEL:", leaf);
  CHECK(program.functions[0].end == 6);  // st, add, call, add, ld, exit
  CHECK(program.blocks[1].first == 6);
  CHECK(program.blocks[1].label.empty());
  const Program branch = load("@%p1 bra END;\nmov.u32 %r1, 1;\nret;\nEND:");
  CHECK(branch.blocks.back().label == "END");
  CHECK(branch.instructions.back().opcode == Opcode::exit);
}

TEST_CASE("functions without callers are left out unless a pointer may hold them") {
  CHECK(load("ret;", leaf + down).functions.size() == 1);
  CHECK(load("mov.u64 %rd1, leaf;\nst.global.u64 [%rd2], %rd1;", leaf).functions.size() == 1);
}

TEST_CASE("a function is found by its address, and the kernel has no address") {
  const Program program = load(
      "mov.u64 %rd1, leaf;\nmov.u64 %rd2, down;\n"
      "p: .callprototype _ (.param .b32 _);\ncall %rd2, (%r1), p;",
      leaf + down);
  REQUIRE(program.functions.size() == 3);
  for (const FunctionRange& function : program.functions) {
    INFO(function.name);
    CHECK(function_at(program, function.address) == (function.name == "k" ? nullptr : &function));
    CHECK(function_at(program, function.address + 1) == nullptr);
  }
  const auto leaf_address = tests::constant_bits(program, program.instructions[0].source[0]);
  REQUIRE(function_at(program, leaf_address) != nullptr);
  CHECK(function_at(program, leaf_address)->name == "leaf");
  CHECK(function_at(program, 0) == nullptr);
  CHECK(function_at(Program{}, 0) == nullptr);
}

TEST_CASE("the location of an instruction consists of its PTX line and the source line of the last .loc") {
  const Program program =
      load("mov.u32 %r1, 1;\n.loc 2 40 3\nmov.u32 %r2, 2;\nmov.u32 %r3, 3;\n.loc 1 7 0\nst.global.u32 [%rd1], %r1;",
           ".file 1 \"a.cu\"\n.file 2 \"b.h\"\n" + leaf);
  // In ptx.hpp the body starts in line 9 of a module without variables; the declarations here add 5 lines.
  const auto at = [&](Pc pc) { return place_of(program, pc); };
  const std::uint32_t line = program.instructions[0].line;
  CHECK(at(0) == "t.ptx:" + std::to_string(line));
  CHECK(at(1) == "t.ptx:" + std::to_string(line + 2) + " (b.h:40)");
  CHECK(at(2) == "t.ptx:" + std::to_string(line + 3) + " (b.h:40)");
  CHECK(at(3) == "t.ptx:" + std::to_string(line + 5) + " (a.cu:7)");
  CHECK(place_of(program, program.instructions[3]) == at(3));
}

TEST_CASE("an instruction of an inlined function has the source lines of all enclosing calls") {
  const std::string inlined =
      ".loc 1 7 3\nmov.u32 %r1, 1;\n"
      ".loc 2 40 5, function_name $L__info_string0, inlined_at 1 7 3\nmov.u32 %r2, 2;\n"
      ".loc 2 50 1, function_name .debug_str + 4, inlined_at 2 40 5\nmov.u32 %r3, 3;\n"
      ".loc 2 50 1, function_name .debug_str, inlined_at 1 99 9\nmov.u32 %r3, 4;\n"
      ".loc 1 8 3\nst.global.u32 [%rd1], %r1;";
  const Program program = load(inlined, ".file 1 \"a.cu\"\n.file 2 \"b.h\"\n" + leaf);
  const auto places = [&](Pc pc) {
    std::string text;
    for (SourceLine place = program.source_lines[pc];; place = program.inlined_at[place.inlined_at]) {
      text += program.source_files[place.file] + ':' + std::to_string(place.line) + ' ';
      if (place.inlined_at == not_inlined) return text;
    }
  };
  CHECK(places(0) == "a.cu:7 ");
  CHECK(places(1) == "b.h:40 a.cu:7 ");
  CHECK(places(2) == "b.h:50 b.h:40 a.cu:7 ");
  CHECK(places(3) == "b.h:50 ");  // no earlier .loc has that position
  CHECK(places(4) == "a.cu:8 ");
}

TEST_CASE("chains of inlined calls have a limited length") {
  std::string body = ".loc 1 1 1\nmov.u32 %r1, 1;\n";
  for (int i = 0; i < 1000; ++i) body += ".loc 1 1 1, function_name x, inlined_at 1 1 1\n";
  const Program program = load(body + "mov.u32 %r2, 2;", ".file 1 \"a.cu\"\n" + leaf);
  CHECK(program.inlined_at.size() <= 32);
  CHECK(load(".loc 1 1 1, function_name x, inlined_at 1 1 1\nmov.u32 %r2, 2;", ".file 1 \"a.cu\"\n" + leaf)
            .inlined_at.empty());
}

TEST_CASE("instructions that save registers have the location of the call") {
  const Program program = load("mov.u32 %r2, 9;\n.loc 1 5 0\n" + call_leaf + ".loc 1 6 0\nst.global.u32 [%rd1], %r2;",
                               ".file 1 \"a.cu\"\n" + leaf);
  std::size_t found = 0;
  for (Pc pc = 0; pc < program.functions[0].end; ++pc) {
    if (program.text[pc] != "(save)" && program.text[pc] != "(take back)") continue;
    ++found;
    CHECK_THAT(place_of(program, pc), Catch::Contains("(a.cu:5)"));
  }
  CHECK(found == 4);  // %r2 and %rd1, each saved and restored
}
