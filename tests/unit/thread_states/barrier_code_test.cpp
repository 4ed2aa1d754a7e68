// SPDX-License-Identifier: Apache-2.0
// The barrier operations of a program by pc, and the ends of loop iterations in which a thread may wait for another.

#include "models/schemes/thread_states/barrier_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "models/kernel/decode/load_program.hpp"

namespace reconverge {
namespace {

kernel::Program program_of(std::string_view body, std::string_view module = {}) {
  return kernel::load_program_text(fmt::format(R"(
.version 6.0
.target sm_60
.address_size 64
{}
.visible .entry kernel(.param .u64 data)
{{
  .reg .u32 %l, %r<8>;
  .reg .u64 %d;
  .reg .pred %p<4>;
  ld.param.u64 %d, [data];
  mov.u32 %l, %tid.x;
{}
}}
)",
                                               module, body),
                                   "kernel.ptx", "kernel");
}

/// The pcs of branches that end a waiting iteration.
std::vector<kernel::Pc> waiting_rounds(const kernel::Program& program) {
  const BarrierCode code(program, kernel::volta_barriers);
  std::vector<kernel::Pc> pcs;
  for (kernel::Pc pc = 0; pc < program.instructions.size(); ++pc) {
    if (code.ends_waiting_round(pc)) pcs.push_back(pc);
  }
  return pcs;
}

}  // namespace

TEST_CASE("barrier code: a warp stops before instructions with operations", "[thread_states]") {
  const kernel::Program program = program_of(R"(
  setp.lt.u32 %p0, %l, 8;
  @%p0 bra ELSE;
  add.u32 %r0, %l, 1;
  bra JOIN;
ELSE:
  add.u32 %r0, %l, 2;
JOIN:
  st.global.u32 [%d], %r0;
  ret;)");
  const BarrierCode code(program, kernel::volta_barriers);
  CHECK(code.barriers() == 1);
  // BSSY before the branch, BSYNC before the store.
  const auto operations = [&](kernel::Pc pc) {
    std::vector<BarrierCode::Kind> kinds;
    for (const BarrierCode::Operation& operation : code.at(pc)) kinds.push_back(operation.kind);
    return kinds;
  };
  CHECK(operations(3) == std::vector{BarrierCode::Kind::join});
  CHECK(operations(7) == std::vector{BarrierCode::Kind::wait});
  CHECK(operations(4).empty());
  CHECK(code.next_stop(0) == 3);
  CHECK(code.next_stop(3) == 7);
  CHECK(code.next_stop(6) == 7);
  CHECK(code.next_stop(7) == kernel::no_pc);
}

TEST_CASE("barrier code: loops that read values of other threads may wait for them", "[thread_states]") {
  const auto loop = [](std::string_view read) {
    return program_of(fmt::format("AGAIN:\n  {}\n  setp.ne.u32 %p0, %r0, 0;\n  @%p0 bra AGAIN;\n  ret;", read));
  };
  const std::vector<kernel::Pc> its_branch = {4};
  CHECK(waiting_rounds(loop("atom.global.cas.b32 %r0, [%d], 0, 1;")) == its_branch);
  CHECK(waiting_rounds(loop("ld.volatile.global.u32 %r0, [%d];")) == its_branch);
  CHECK(waiting_rounds(loop("ld.relaxed.gpu.global.u32 %r0, [%d];")) == its_branch);
  CHECK(waiting_rounds(loop("ld.acquire.gpu.global.u32 %r0, [%d];")) == its_branch);
  CHECK(waiting_rounds(loop("ld.mmio.relaxed.sys.global.u32 %r0, [%d];")) == its_branch);
  CHECK(waiting_rounds(loop("ld.global.u32 %r0, [%d];")).empty());
  CHECK(waiting_rounds(loop("ld.global.cg.u32 %r0, [%d];")).empty());
  // A thread gets no values of other threads from an atomic without a result.
  CHECK(waiting_rounds(loop("red.global.add.u32 [%d], 1;")).empty());
  CHECK(waiting_rounds(program_of("  atom.global.cas.b32 %r0, [%d], 0, 1;\n  ret;")).empty());
}

TEST_CASE("barrier code: of nested loops, only a loop that contains the read may wait", "[thread_states]") {
  const kernel::Program program = program_of(R"(
OUTER:
  atom.global.add.u32 %r0, [%d], 1;
INNER:
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p0, %r1, %l;
  @%p0 bra INNER;
  setp.lt.u32 %p1, %r0, 100;
  @%p1 bra OUTER;
  ret;)");
  CHECK(waiting_rounds(program) == std::vector<kernel::Pc>{7});
}

TEST_CASE("barrier code: the read may be in a called function", "[thread_states]") {
  const kernel::Program program = program_of(R"(
AGAIN:
  call (%r0), try_lock, (%d);
  setp.ne.u32 %p0, %r0, 0;
  @%p0 bra AGAIN;
  ret;)",
                                             R"(
.func (.reg .u32 %r) try_lock(.reg .u64 %a)
{ atom.global.cas.b32 %r, [%a], 0, 1; ret; })");
  CHECK(waiting_rounds(program).size() == 1);
}

TEST_CASE("barrier code: with one register, the inner region spills the barrier of the outer", "[thread_states]") {
  const kernel::Program program = program_of(R"(
  and.b32 %r0, %l, 1;
  setp.eq.u32 %p0, %r0, 0;
  setp.lt.u32 %p1, %l, 9;
  @%p0 bra OUTER;
  add.u32 %r1, %r1, 1;
  @%p1 bra INNER;
  add.u32 %r1, %r1, 2;
INNER:
  add.u32 %r1, %r1, 4;
OUTER:
  st.global.u32 [%d], %r1;
  ret;)");
  using Kind = BarrierCode::Kind;
  const auto kinds = [&](unsigned registers) {
    const BarrierCode code(program, registers);
    std::vector<Kind> all;
    for (kernel::Pc pc = 0; pc < program.instructions.size(); ++pc) {
      for (const BarrierCode::Operation& operation : code.at(pc)) all.push_back(operation.kind);
    }
    CHECK(code.moves_barriers() == (std::ranges::find(all, Kind::spill) != all.end()));
    return all;
  };
  CHECK(kinds(2) == std::vector{Kind::join, Kind::join, Kind::wait, Kind::wait});
  CHECK(kinds(1) == std::vector{Kind::join, Kind::spill, Kind::join, Kind::wait, Kind::fill, Kind::wait});
}

TEST_CASE("barrier code: reconvergence points before an exchange without named members", "[thread_states]") {
  // Each of two iterations has a vote at pc 5, an if whose lanes reconverge at pc 10, and in it another if, whose lanes
  // reconverge at pc 9 and then vote.
  const kernel::Program program = program_of(R"(
  setp.lt.u32 %p0, %l, 8;
  setp.lt.u32 %p1, %l, 4;
  mov.u32 %r1, 0;
ROUND:
  vote.ballot.b32 %r0, %p0;
  @%p0 bra NEXT;
  @%p1 bra INNER;
  add.u32 %r2, %r2, 1;
INNER:
  vote.ballot.b32 %r2, %p1;
NEXT:
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p2, %r1, 2;
  @%p2 bra ROUND;
  vote.ballot.b32 %r3, %p0;
  st.global.u32 [%d], %r0;
  @%p0 bra LAST;
  vote.ballot.b32 %r0, %p1;
LAST:
  st.global.u32 [%d], %r0;
  ret;)");
  const BarrierCode code(program, kernel::volta_barriers);
  // All threads of the warp execute the vote at pc 5 together in each iteration.
  CHECK(code.comes_before(9, 5));
  CHECK(code.comes_before(10, 5));
  CHECK(code.comes_before(10, 13));
  // The lanes that vote in the if reach the point at which the others wait, before these can reach the vote again.
  CHECK_FALSE(code.comes_before(10, 9));
  CHECK_FALSE(code.comes_before(17, 16));
  CHECK(code.comes_before(10, 16));
  // Pc 8 is not an exchange.
  CHECK_FALSE(code.comes_before(9, 8));
}

}  // namespace reconverge
