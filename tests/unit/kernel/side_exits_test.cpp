// SPDX-License-Identifier: Apache-2.0
// Reconvergence points of regions that some lanes leave by an exit. Each kernel is small enough to derive the answer by
// hand.

#include "models/kernel/analysis/side_exits.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "models/kernel/analysis/control_flow.hpp"
#include "models/kernel/analysis/postdominators.hpp"
#include "models/kernel/inspect/inspect_passes.hpp"
#include "tests/unit/kernel/ptx.hpp"

using namespace reconverge;
using namespace reconverge::kernel;
using tests::load;

namespace {

/// The reconvergence point of the branch at `pc`.
Pc reconvergence(const Program& program, Pc pc) { return program.instructions.at(pc).reconvergence; }

/// A persistent loop in which one lane fetches for all lanes that need a ray. Lanes with a ray branch to TRACE at pc 1.
/// `end` follows the test whether another ray exists, at pc 6; `tail` is the code at END.
std::string persistent(const std::string& end, const std::string& tail) {
  return "LOOP: vote.ballot.b32 %r1, %p1;\n"  // 0
         "@%p1 bra TRACE;\n"
         "setp.ne.u32 %p2, %r1, %r2;\n"
         "@%p2 bra TAKE;\n"
         "atom.global.add.u32 %r3, [%rd1], 1;\n"
         "TAKE: setp.ge.u32 %p3, %r3, %r4;\n" +
         end +
         "MORE: add.u32 %r5, %r5, 1;\n"
         "TRACE: sub.u32 %r5, %r5, 1;\n"
         "setp.ne.u32 %p1, %r5, 0;\n"
         "bra LOOP;\n"
         "END: " +
         tail;
}

/// The pc of the label.
Pc at(const Program& program, const std::string& label) {
  for (const BasicBlock& block : program.blocks) {
    if (block.label == label) return block.first;
  }
  return no_pc;
}

}  // namespace

TEST_CASE("lanes reconverge after a fetch that ends threads without a ray") {
  const std::string end = GENERATE("@!%p3 bra MORE;\nbra.uni END;\n", "@%p3 bra END;\n", "@%p3 ret;\n");
  const std::string tail = GENERATE("ret;", "exit;", "bra.uni LAST;\nLAST: ret;", "trap;");
  INFO(end << tail);
  const Program program = load(persistent(end, tail));
  CHECK(reconvergence(program, 1) == at(program, "TRACE"));
  CHECK(reconvergence(program, 3) == at(program, "TAKE"));
  if (program.instructions[6].opcode == Opcode::bra) {
    const Pc more = at(program, "MORE") == no_pc ? 7 : at(program, "MORE");
    CHECK(reconvergence(program, 6) == more);
  }
  CHECK(program.warnings.empty());
}

TEST_CASE("work after a loop counts as an exit if lanes of the loop depend on each other") {
  const std::string end = "@!%p3 bra MORE;\nbra.uni END;\n";
  const Program program = load(persistent(end, "st.global.u32 [%rd1], %r5;\nret;"));
  CHECK(reconvergence(program, 1) == at(program, "TRACE"));
  CHECK(program.warnings.empty());
  // The work may contain a branch.
  const Program choice = load(persistent(end, "@%p4 bra LAST;\nst.global.u32 [%rd1], %r5;\nLAST: ret;"));
  CHECK(reconvergence(choice, 1) == at(choice, "TRACE"));
  CHECK(choice.warnings.empty());
}

TEST_CASE("volatile accesses in any memory count as communication") {
  const std::string space = GENERATE(".shared", ".global", "");
  const std::string loop = "LOOP: ld.volatile" + space +
                           ".u32 %r1, [%rd1];\n@%p1 bra TRACE;\nadd.u32 %r5, %r5, 1;\n@%p3 bra END;\nadd.u32 %r5, "
                           "%r5, 1;\nTRACE: sub.u32 %r5, %r5, 1;\nsetp.ne.u32 %p1, %r5, 0;\nbra LOOP;\nEND: ";
  const Program quiet = load(loop + "st.global.u32 [%rd1], %r5;\nret;");
  CHECK(reconvergence(quiet, 1) == at(quiet, "TRACE"));
  const Program loud = load(loop + "st.volatile" + space + ".u32 [%rd1], %r5;\nret;");
  CHECK(reconvergence(loud, 1) == 2);
  CHECK(loud.warnings.size() == (space == ".global" ? 0 : 1));
}

TEST_CASE("an exit keeps its edge and is reported if lanes depend on each other after the loop") {
  const std::string end = "@!%p3 bra MORE;\nbra.uni END;\n";
  for (const std::string tail : {"bar.sync 0;\nret;", "vote.ballot.b32 %r1, %p1;\nst.global.u32 [%rd1], %r1;\nret;",
                                 "st.shared.u32 [%r1], %r5;\nret;",
                                 "AGAIN: sub.u32 %r5, %r5, 1;\nsetp.ne.u32 %p4, "
                                 "%r5, 0;\n@%p4 bra AGAIN;\nret;"}) {
    INFO(tail);
    const Program program = load(persistent(end, tail));
    CHECK(reconvergence(program, 1) == 2);
    REQUIRE(program.warnings.size() == 1);
    const std::string text = to_string(program, program.warnings.front());
    CHECK(
        text.find(
            "t.ptx:10: lanes that this branch splits reconverge only at line 11, since some leave the loop "
            "before line 18, where the others reconverge; so 'vote.ballot.b32 %r1, %p1' in line 9 may find fewer lanes "
            "together than on a GPU") == 0);
  }
}

TEST_CASE("without votes the lanes of a loop reconverge at the work after it") {
  // No lane can observe when other lanes leave the loop.
  const Program program = load(
      "LOOP: @%p1 bra TRACE;\nadd.u32 %r5, %r5, 1;\n@%p3 bra END;\nadd.u32 %r5, %r5, 1;\n"
      "TRACE: sub.u32 %r5, %r5, 1;\nsetp.ne.u32 %p1, %r5, 0;\nbra LOOP;\nEND: st.global.u32 [%rd1], %r5;\nret;");
  CHECK(reconvergence(program, 0) == 1);
  CHECK(program.warnings.empty());
}

TEST_CASE("a return that changes no other reconvergence point is the reconvergence point itself") {
  // Most kernels begin with such a test.
  const Program early = load("@%p1 bra END;\nadd.u32 %r1, %r1, 1;\nEND: ret;");
  CHECK(reconvergence(early, 0) == 2);
  // The header or the latch of a loop branches to the end. Without that edge the loop would not end.
  const Program head = load(
      "HEAD: @%p1 bra END;\n@%p2 bra SKIP;\nadd.u32 %r1, %r1, 1;\nSKIP: @%p3 bra HEAD;\nadd.u32 %r1, %r1, 1;\n"
      "bra HEAD;\nEND: ret;");
  CHECK(reconvergence(head, 0) == 6);
  CHECK(reconvergence(head, 1) == 3);
  CHECK(reconvergence(head, 3) == 0);
  const Program latch =
      load("LOOP: add.u32 %r1, %r1, 1;\n@%p1 bra END;\nadd.u32 %r1, %r1, 1;\n@%p2 bra LOOP;\nEND: ret;");
  CHECK(reconvergence(latch, 1) == 4);
  CHECK(reconvergence(latch, 3) == 4);
}

TEST_CASE("lanes of a loop with two ends reconverge after both") {
  // Lanes that remain in the loop may wait for the store of lanes that leave it.
  const Program program = load(
      "LOOP: @%p1 bra LEAVE;\nld.volatile.global.u32 %r1, [%rd1];\nsetp.eq.u32 %p2, %r1, 0;\n@%p2 bra LOOP;\n"
      "bra DONE;\nLEAVE: st.volatile.global.u32 [%rd1], 1;\nDONE: ret;");
  CHECK(reconvergence(program, 0) == 6);
  CHECK(reconvergence(program, 3) == 6);
}

TEST_CASE("a return in a condition or in an inner loop does not move the reconvergence point of other lanes") {
  const Program inside = load(
      "@%p1 bra JOIN;\nadd.u32 %r1, %r1, 1;\n@%p2 bra END;\nadd.u32 %r1, %r1, 1;\nJOIN: add.u32 %r1, %r1, 1;\nEND: "
      "ret;");
  CHECK(reconvergence(inside, 0) == 4);
  CHECK(reconvergence(inside, 2) == 3);
  const Program inner = load(
      "OUT: add.u32 %r1, %r1, 1;\nIN: @%p1 bra END;\nadd.u32 %r1, %r1, 1;\n@%p2 bra IN;\nadd.u32 %r1, %r1, 1;\n"
      "@%p3 bra OUT;\nEND: ret;");
  CHECK(reconvergence(inner, 3) == 4);
  CHECK(reconvergence(inner, 1) == 2);
  CHECK(reconvergence(inner, 5) == 6);
}

TEST_CASE("barriers and exchanges with a member mask do not wait for returned lanes") {
  for (const std::string wait : {"bar.sync 0;", "bar.warp.sync -1;", "vote.sync.ballot.b32 %r1, %p2, -1;"}) {
    INFO(wait);
    CHECK(reconvergence(load("@%p1 bra END;\n" + wait + "\nEND: ret;"), 0) == 1);
  }
  // A barrier before the branch has already completed.
  CHECK(reconvergence(load("bar.sync 0;\n@%p1 bra END;\nadd.u32 %r1, %r1, 1;\nEND: ret;"), 1) == 3);
  // A vote without a member mask includes only the lanes that are present.
  CHECK(reconvergence(load("@%p1 bra END;\nvote.ballot.b32 %r1, %p2;\nEND: ret;"), 0) == 2);
}

TEST_CASE("a jump table may have the end as a target") {
  const Program program = load(
      "T: .branchtargets A, B, END;\nbrx.idx %r1, T;\nA: add.u32 %r2, %r2, 1;\nbra JOIN;\nB: add.u32 %r2, %r2, 2;\n"
      "JOIN: st.global.u32 [%rd1], %r2;\nEND: ret;");
  CHECK(reconvergence(program, 0) == 4);
}

TEST_CASE("control flow does not continue after a failed assertion") {
  const Program program = load(
      "@%p1 bra JOIN;\n@%p2 bra FINE;\n{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;\n"
      "st.param.b64 [a], %rd1; st.param.b64 [b], %rd1; st.param.b32 [c], %r1; st.param.b64 [d], %rd1; st.param.b64 "
      "[e], 1;\ncall.uni __assertfail, (a, b, c, d, e);\n}\ntrap;\nFINE: add.u32 %r1, %r1, 1;\nJOIN: st.global.u32 "
      "[%rd1], %r1;\nret;",
      ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);");
  CHECK(reconvergence(program, 0) == at(program, "JOIN"));
}

TEST_CASE("a function's return and a thread's exit within it are both exits") {
  const std::string end = GENERATE("ret;", "exit;");
  const std::string module =
      ".func (.param .b32 result) f(.param .b32 x)\n{\n.reg .pred %p<4>; .reg .b32 %r<4>;\n"
      "ld.param.u32 %r1, [x];\nLOOP: vote.ballot.b32 %r2, %p1;\n@%p1 bra TRACE;\nadd.u32 %r1, %r1, 1;\n@%p2 bra END;\n"
      "add.u32 %r1, %r1, 1;\nTRACE: setp.eq.u32 %p1, %r1, %r2;\nbra LOOP;\nEND: st.param.b32 [result], %r1;\n" +
      end + "\n}\n";
  const Program program = load(
      "{ .param .b32 a; .param .b32 b;\nst.param.b32 [a], %r1;\ncall.uni (b), f, (a);\nld.param.b32 %r1, [b];\n}\n"
      "st.global.u32 [%rd1], %r1;\nret;",
      module);
  for (Pc pc = program.functions.at(1).first; pc < program.functions.at(1).end; ++pc) {
    if (program.text[pc] == "@%p1 bra TRACE") CHECK(reconvergence(program, pc) == at(program, "TRACE"));
  }
  CHECK(program.warnings.empty());
}

TEST_CASE("lanes of an endless loop reconverge at its header at the latest") {
  // Lanes that continue early wait at the header for lanes that execute the rest of the iteration.
  const Program program =
      load("LOOP: add.u32 %r1, %r1, 1;\n@%p1 bra LOOP;\nadd.u32 %r1, %r1, 2;\n@%p2 exit;\nbra LOOP;");
  CHECK(reconvergence(program, 1) == 0);
}

TEST_CASE("inspection shows the lanes that exit, and these lanes leave the barriers") {
  const Program program = load(persistent("@!%p3 bra MORE;\nbra.uni END;\n", "ret;"));
  CHECK(reconvergence_text(program).find("meets at pc 9, B6 TRACE\n") != std::string::npos);
  CHECK(reconvergence_text(program).find("lanes that go to B4 are gone\n") != std::string::npos);
  const std::string barriers = barriers_text(program);
  INFO(barriers);
  CHECK(barriers.find("     1  join   B0    before @%p1 bra TRACE\n") != std::string::npos);
  CHECK(barriers.find("     9  wait   B0    before sub.u32 %r5, %r5, 1\n") != std::string::npos);
  CHECK(barriers.find("     7  leave  B0    before bra.uni END\n") != std::string::npos);
}
