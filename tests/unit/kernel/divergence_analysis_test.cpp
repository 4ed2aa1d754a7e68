// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/analysis/divergence_analysis.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/kernel/ptx.hpp"

using namespace reconverge;
using namespace reconverge::kernel;

namespace {

/// Whether the last guarded branch of a kernel with this body may split a warp.
bool last_branch_splits(const std::string& body, const std::string& module_variables = "") {
  const Program program = tests::load(body, module_variables);
  const Divergence divergence = analyse_divergence(program);
  bool splits = false;
  for (Pc pc = 0; pc < program.instructions.size(); ++pc) {
    const Instruction& instruction = program.instructions[pc];
    if (instruction.opcode == Opcode::bra && instruction.guard.present()) splits = divergence.branch[pc];
  }
  return splits;
}

/// The same for a branch on the value that `code` leaves in %r1.
bool differs(const std::string& code, const std::string& module_variables = "") {
  return last_branch_splits(code + "\nsetp.eq.u32 %p9, %r1, 0;\n@%p9 bra END;\nmov.u32 %r9, 1;\nEND: ret;",
                            module_variables);
}

}  // namespace

TEST_CASE("thread and lane numbers are divergent, but block numbers and parameters are uniform") {
  for (const char* name : {"%tid.x", "%tid.y", "%tid.z", "%laneid", "%lanemask_lt", "%clock"}) {
    INFO(name);
    CHECK(differs(std::string("mov.u32 %r1, ") + name + ";"));
  }
  for (const char* name : {"%ctaid.x", "%ntid.x", "%nctaid.z", "42"}) {
    INFO(name);
    CHECK_FALSE(differs(std::string("mov.u32 %r1, ") + name + ";"));
  }
  CHECK_FALSE(differs("ld.param.u32 %r1, [pb];"));
}

TEST_CASE("the result of arithmetic is divergent if an operand is") {
  CHECK_FALSE(differs("mov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r1, %r2, 3, %r2;"));
  CHECK(differs("mov.u32 %r2, %tid.x;\nmad.lo.u32 %r1, %r3, 3, %r2;"));
  CHECK(differs("add.u32 %r1, %r2, 1;"));  // an unwritten register may hold any value
}

TEST_CASE("a load is divergent if its address is or if it reads local memory") {
  const std::string uniform = "ld.param.u64 %rd1, [pa];\n";
  CHECK_FALSE(differs(uniform + "ld.global.u32 %r1, [%rd1];"));
  CHECK(differs(uniform + "mov.u32 %r2, %tid.x;\nmul.wide.u32 %rd2, %r2, 4;\nadd.u64 %rd1, %rd1, %rd2;\n"
                          "ld.global.u32 %r1, [%rd1];"));
  CHECK_FALSE(differs(uniform + "ld.u32 %r1, [%rd1];"));
  const std::string depot = ".local .align 4 .b8 depot[8];\n";
  CHECK(differs(depot + "ld.local.u32 %r1, [depot];"));
  CHECK(differs(depot + "mov.u64 %rd1, depot;\ncvta.local.u64 %rd1, %rd1;\nld.u32 %r1, [%rd1];"));
}

TEST_CASE("results of atomics, shuffles and matches are divergent, results of votes and reductions are uniform") {
  const std::string address = "ld.param.u64 %rd1, [pa];\nmov.u32 %r2, 7;\nsetp.eq.u32 %p1, %r2, 7;\n";
  CHECK(differs(address + "atom.global.add.u32 %r1, [%rd1], 1;"));
  CHECK(differs(address + "shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;"));
  CHECK(differs(address + "match.any.sync.b32 %r1, %r2, -1;"));
  CHECK_FALSE(differs("mov.u32 %r2, %tid.x;\nsetp.eq.u32 %p1, %r2, 7;\nvote.sync.ballot.b32 %r1, %p1, -1;"));
  CHECK_FALSE(differs("mov.u32 %r2, %tid.x;\nredux.sync.add.u32 %r1, %r2, -1;"));
}

TEST_CASE("a value written on one path of a divergent branch is divergent after reconvergence") {
  const auto chosen_by = [](const std::string& what) {
    return "mov.u32 %r2, " + what +
           ";\nsetp.lt.u32 %p1, %r2, 4;\nmov.u32 %r1, 0;\n@%p1 bra MEET;\nmov.u32 %r1, 1;\nMEET:";
  };
  CHECK(differs(chosen_by("%tid.x")));
  CHECK_FALSE(differs(chosen_by("%ctaid.x")));
  // On one path of the branch the value is uniform.
  CHECK_FALSE(
      last_branch_splits("mov.u32 %r2, %tid.x;\nsetp.lt.u32 %p1, %r2, 4;\n@%p1 bra MEET;\nmov.u32 %r1, 1;\n"
                         "setp.eq.u32 %p9, %r1, 0;\n@%p9 bra MEET;\nmov.u32 %r3, 1;\nMEET: ret;"));
  // A guard is a branch of one instruction.
  CHECK(differs("mov.u32 %r2, %tid.x;\nsetp.lt.u32 %p1, %r2, 4;\nmov.u32 %r1, 0;\n@%p1 mov.u32 %r1, 1;"));
  CHECK_FALSE(differs("mov.u32 %r2, %ctaid.x;\nsetp.lt.u32 %p1, %r2, 4;\nmov.u32 %r1, 0;\n@%p1 mov.u32 %r1, 1;"));
}

TEST_CASE("a loop counter is divergent after a divergent loop, but uniform in it") {
  const auto loop_until = [](const std::string& bound, const std::string& after) {
    return "mov.u32 %r1, 0;\nmov.u32 %r2, " + bound +
           ";\nL: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, %r2;\n@%p1 bra L;\n" + after;
  };
  CHECK(differs(loop_until("%tid.x", "")));
  CHECK_FALSE(differs(loop_until("%ctaid.x", "")));
  const Program program = tests::load(
      "mov.u32 %r1, 0;\nmov.u32 %r2, %tid.x;\nL: add.u32 %r1, %r1, 1;\nsetp.eq.u32 %p2, %r1, 5;\n@%p2 bra M;\n"
      "mov.u32 %r3, 1;\nM: setp.lt.u32 %p1, %r1, %r2;\n@%p1 bra L;\nret;");
  const Divergence divergence = analyse_divergence(program);
  CHECK_FALSE(divergence.branch[4]);
  CHECK(divergence.branch[7]);
}

TEST_CASE("spawned threads make values divergent at the instruction where they start") {
  const std::vector<ExtensionInstruction> extensions = {{.mnemonic = "spawn", .target = true}};
  // The loop is also a micro-kernel; it has an edge from its latch and one from the code before it.
  const Program program = tests::load(
      "mov.u32 %r1, 0;\nspawn CHILD;\nCHILD: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 9;\n@%p1 bra CHILD;\nret;", "",
      extensions);
  CHECK(analyse_divergence(program).branch[4]);
  const Program unspawned =
      tests::load("mov.u32 %r1, 0;\nCHILD: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 9;\n@%p1 bra CHILD;\nret;");
  CHECK_FALSE(analyse_divergence(unspawned).branch[3]);
}
