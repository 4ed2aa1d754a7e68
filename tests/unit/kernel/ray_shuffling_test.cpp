// SPDX-License-Identifier: Apache-2.0
// rdctrl and the ray state register: syntax, accesses, and errors.

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "models/kernel/analysis/divergence_analysis.hpp"
#include "models/kernel/analysis/liveness.hpp"
#include "models/kernel/analysis/scoreboard_allocation.hpp"
#include "models/kernel/inspect/inspect.hpp"
#include "tests/unit/kernel/ptx.hpp"

using namespace reconverge;
using namespace reconverge::kernel;
using tests::load;
using tests::refusal;

namespace {

constexpr Operand own_state(Bank::special, static_cast<unsigned>(SpecialRow::extension_1));

std::multiset<ValueId> sorted(const boost::container::small_vector_base<ValueId>& values) {
  return {values.begin(), values.end()};
}

/// Checks that the error for `body` begins with `start` and contains `part`.
void refused(std::string_view body, std::string_view start, std::string_view part) {
  const std::string message = refusal(body);
  INFO(body << "\n" << message);
  CHECK(message.starts_with(start));
  CHECK(message.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("rdctrl returns a control value and lists the ray registers") {
  const Program program = load("rdctrl.b32 %r1, {%f1, %r2, %f3};\nst.global.f32 [%rd1], %f1;\nexit;");
  const Instruction& instruction = program.instructions[0];
  CHECK(instruction.opcode == Opcode::extension);
  CHECK(instruction.operation_class == OperationClass::extension);
  CHECK(uses_registers(program, instruction));
  CHECK_FALSE(uses_registers(program, program.instructions[1]));
  CHECK(instruction.source[0] == own_state);
  CHECK(instruction.destination[0].bank() == Bank::reg);
  REQUIRE(program.extensions.size() == 1);
  CHECK(program.extensions[0].mnemonic == "rdctrl.b32");
  CHECK(initial_state(program) == static_cast<std::uint32_t>(RayState::fetch));
  CHECK(initial_state(load("exit;")) == 0);
  REQUIRE(program.extension_registers.size() == 3);
  CHECK(program.extension_registers[0] == program.instructions[1].source[1].row());
  // All ray registers and the control value have separate rows.
  std::set<unsigned> rows(program.extension_registers.begin(), program.extension_registers.end());
  rows.insert(instruction.destination[0].row());
  CHECK(rows.size() == 4);
  CHECK(load("exit;").extension_registers.empty());
}

TEST_CASE("rdctrl takes up to 32 ray registers, of any 32-bit type") {
  std::string list = "%r1";
  for (int i = 2; i <= 32; ++i) list += ", %r" + std::to_string(i);
  CHECK(load("rdctrl.b32 %r40, {" + list + "};").extension_registers.size() == 32);
  refused("rdctrl.b32 %r40, {" + list + ", %r33};", "t.ptx:9:18: 33 registers", "at most 32");
  CHECK(load(".reg .u32 %u; .reg .s32 %s; rdctrl.b32 %r40, {%u, %s, %f1, %r1};").extension_registers.size() == 4);
}

TEST_CASE("the state of a ray is written like a special register") {
  for (const std::string type : {"u32", "b32"}) {
    const Program program = load("mov." + type + " %ray_state, 2;\n@%p1 mov." + type + " %ray_state, %r1;");
    for (std::size_t pc = 0; pc < 2; ++pc) {
      const Instruction& instruction = program.instructions[pc];
      CHECK(instruction.opcode == Opcode::extension);
      CHECK(program.extensions[instruction.extension].writes_state == "%ray_state");
      CHECK_FALSE(uses_registers(program, instruction));
      CHECK(instruction.destination[0] == own_state);
      CHECK(instruction.guard.present() == (pc == 1));
    }
    CHECK(tests::constant_bits(program, program.instructions[0].source[0]) == 2);
    CHECK(program.instructions[1].source[0].bank() == Bank::reg);
    // Other uses of mov are unchanged.
    CHECK(load("mov." + type + " %r1, 2;").instructions[0].opcode == Opcode::mov);
  }
  // A declared register may have the same name.
  CHECK(load(".reg .u32 %ray_state; mov.u32 %ray_state, 2;").instructions[0].opcode == Opcode::mov);
}

TEST_CASE("errors in an rdctrl are reported at its line") {
  refused("mov.u32 %r1, 0;\nrdctrl.b32 %r1;", "t.ptx:10:1: 'rdctrl.b32' has 1 operands", "registers in braces");
  refused("rdctrl.b32 %r1, %r2;", "t.ptx:9:17: registers are needed here", "write {%f1, %r2, ...}");
  refused("rdctrl.b32 %r1, {};", "t.ptx:9:18: the braces are empty", "{a, b}");
  refused("rdctrl.b32 %r1, {%r2, %f1, %r2};", "t.ptx:9:28: register '%r2' stands in this rdctrl twice", "once");
  refused("rdctrl.b32 %r1, {%r2, %r1};", "t.ptx:9:23: register '%r1' stands in this rdctrl twice", "destination");
  refused("rdctrl.b32 %r1, {%rd2};", "t.ptx:9:18: register '%rd2' is declared .b64 but .b32", "of that size");
  refused("rdctrl.b32 %r1, {%rs2};", "t.ptx:9:18: register '%rs2' is declared .b16 but .b32", "of that size");
  refused("rdctrl.b32 %r1, {%p2};", "t.ptx:9:18: register '%p2' is declared .pred but .b32", "of that size");
  refused("rdctrl.b32 %r1, {%r2, _};", "t.ptx:9:23: a register is needed here", "'_'");
  refused("rdctrl.b32 %r1, {7};", "t.ptx:9:18: a destination must be a register", "");
  refused("rdctrl.b32 %r1, {%ray};", "t.ptx:9:18: '%ray' is not declared", "");
  refused("rdctrl.b32 %rd1, {%r2};", "t.ptx:9:12: register '%rd1' is declared .b64", "");
  refused("@%p1 rdctrl.b32 %r1, {%r2};", "t.ptx:9:2: rdctrl takes no guard", "together");
  refused("rdctrl.b32 %r1, {%r2};\nrdctrl.b32 %r1, {%r2};", "t.ptx:10:1: the kernel has an rdctrl already",
          "at the head of the loop");
  refused("rdctrl.u32 %r1, {%r2};", "t.ptx:9:1: instruction 'rdctrl.u32' is not supported", "");
  refused("mov.u32 %r1, %ray_state;", "t.ptx:9:14: '%ray_state' is not declared", "");
  refused("mov.f32 %ray_state, 0f00000000;", "t.ptx:9:9: '%ray_state' is not declared", "");
  refused("mov.u32 %ray_state, {%r1, %r2};", "t.ptx:9:21: a register or constant of type .u32", "");
  const std::string called =
      tests::kernel_text("call f;", ".func f() {\n.reg .b32 %r<3>; rdctrl.b32 %r1, {%r2};\nret;\n}\n");
  CHECK(tests::refusal_of_text(called).starts_with("t.ptx:5:18: rdctrl stands in a function that is called"));
}

TEST_CASE("rdctrl reads and writes the ray registers") {
  const Program program =
      load("mov.u32 %r2, 0;\nmov.f32 %f1, 0f00000000;\nrdctrl.b32 %r1, {%f1, %r2};\nst.global.u32 [%rd1], %r1;\nexit;");
  const std::vector<Accesses> accesses = accesses_of(program);
  const std::multiset<ValueId> rays(program.extension_registers.begin(), program.extension_registers.end());
  std::multiset<ValueId> written = rays;
  written.insert(program.instructions[2].destination[0].row());
  CHECK(sorted(accesses[2].uses) == rays);
  CHECK(sorted(accesses[2].definitions) == written);

  // Ray registers are live before rdctrl, because a ray may return to this thread. Other values are not.
  ValueSet live(program.register_rows + program.predicates);
  step_back(accesses[2], live);
  CHECK(live.count() == 2);
  for (const ValueId row : rays) CHECK(live[row]);
}

TEST_CASE("values that are live across rdctrl do not share rows with ray registers") {
  const Program program = load(
      "mov.u32 %r5, %tid.x;\nmov.u32 %r2, 0;\nL: rdctrl.b32 %r1, {%r2};\nadd.u32 %r2, %r2, %r5;\n"
      "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra L;\nexit;");
  CHECK(program.register_rows == 3);
  CHECK(program.instructions[0].destination[0].row() != program.extension_registers[0]);
  CHECK(program.instructions[3].destination[0].row() == program.extension_registers[0]);
}

TEST_CASE("rdctrl waits for loads into ray registers, and readers of its registers wait for rdctrl") {
  const Program program =
      load("ld.global.u32 %r2, [%rd1];\nmov.u32 %r4, 1;\nrdctrl.b32 %r1, {%r2};\nadd.u32 %r3, %r2, 1;\nexit;");
  const std::vector<ScoreboardUse> use = allocate_scoreboards(program);
  REQUIRE(use[0].reports_to);
  CHECK(use[1].waits_for == 0);
  CHECK((use[2].waits_for >> *use[0].reports_to & 1U) == 1);
  REQUIRE(use[2].reports_to);
  CHECK((use[3].waits_for >> *use[2].reports_to & 1U) == 1);
}

TEST_CASE("after rdctrl exactly the values of rays are divergent") {
  const Program program = load(
      "mov.u32 %r2, 0;\nmov.u32 %r3, 0;\nbra L;\nL: rdctrl.b32 %r1, {%r2};\nbra M;\nM: add.u32 %r4, %r2, %r3;\n"
      "add.u32 %r4, %r4, %r1;\nexit;");
  const Divergence divergence = analyse_divergence(program);
  const ValueId ray = program.extension_registers[0];
  const ValueId other = program.instructions[1].destination[0].row();
  CHECK_FALSE(divergence.at_entry[1][ray]);
  CHECK(divergence.at_entry[2][ray]);
  CHECK(divergence.at_entry[2][program.instructions[3].destination[0].row()]);
  CHECK_FALSE(divergence.at_entry[2][other]);
}
