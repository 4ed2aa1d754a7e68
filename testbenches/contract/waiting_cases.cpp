// SPDX-License-Identifier: Apache-2.0
#include "testbenches/contract/waiting_cases.hpp"

#include "testbenches/contract/kernels.hpp"

namespace reconverge::contract {

Case lock_in_loop() {
  return make_case("a lock in a loop", R"(
AGAIN:
  atom.global.cas.b32 %r0, [%sums], 0, 1;
  setp.ne.u32 %p0, %r0, 0;
  @%p0 bra AGAIN;
  ld.volatile.global.u32 %r1, [%sums+4];
  add.u32 %r1, %r1, 1;
  st.volatile.global.u32 [%sums+4], %r1;
  membar.gl;
  atom.global.exch.b32 %r0, [%sums], 0;
  ret;)",
                   {2}, {64});
}

Case flag_after_loop() {
  return make_case("a flag that a lane sets after the loop of others", R"(
  setp.ne.u32 %p0, %lane, 0;
  @%p0 bra WRITER;
AGAIN:
  ld.volatile.global.u32 %r0, [%sums];
  setp.eq.u32 %p1, %r0, 0;
  @%p1 bra AGAIN;
WRITER:
  setp.ne.u32 %p2, %lane, 5;
  @%p2 bra END;
  mov.u32 %r1, 7;
  st.volatile.global.u32 [%sums], %r1;
END:
  st.global.u32 [%slice], %lane;
  ret;)",
                   {1}, {32});
}

Case lost_flag(std::uint32_t blocks) {
  return make_case("a flag that is never set", R"(
AGAIN:
  ld.volatile.global.u32 %r0, [%sums];
  setp.eq.u32 %p1, %r0, 0;
  @%p1 bra AGAIN;
  ret;)",
                   {blocks}, {32});
}

Case barrier_on_two_sides() {
  return make_case("a barrier on two sides of a branch", R"(
  setp.lt.u32 %p0, %lane, 12;
  @%p0 bra LEFT;
  st.global.u32 [%slice], %lane;
  bar.sync 0;
  bra JOIN;
LEFT:
  bar.sync 0;
  st.global.u32 [%slice+4], %lane;
JOIN:
  bar.sync 0;
  ret;)",
                   {1}, {64});
}

Case vote_after_loop() {
  return make_case("a vote of lanes that leave a loop in different rounds", R"(
  mov.u32 %r0, 0;
AGAIN:
  setp.lt.u32 %p0, %r0, %lane;
  @!%p0 bra LAST;
  add.u32 %r0, %r0, 1;
  bra AGAIN;
LAST:
  vote.sync.ballot.b32 %r2, %p0, -1;
  st.global.u32 [%slice], %r2;
  ret;)",
                   {1}, {32});
}

Case chain_of_blocks(std::uint32_t blocks, std::uint32_t threads) {
  return make_case("blocks that wait for later ones", R"(
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %nctaid.x;
  mul.wide.u32 %rd1, %r1, 4;
  add.u64 %rd1, %rd1, %sums;
  sub.u32 %r2, %r2, 1;
  setp.eq.u32 %p1, %r1, %r2;
  @%p1 bra GO;
WAIT:
  ld.volatile.global.u32 %r3, [%rd1+4];
  setp.eq.u32 %p2, %r3, 0;
  @%p2 bra WAIT;
GO:
  st.volatile.global.u32 [%rd1], 1;
  st.global.u32 [%slice], %r1;
  ret;)",
                   {blocks}, {threads});
}

}  // namespace reconverge::contract
