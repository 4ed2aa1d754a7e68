// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/spawn_cases.hpp"

#include <fmt/format.h>

#include "models/kernel/decode/load_program.hpp"
#include "platforms/machines/gpu/schemes.hpp"

namespace reconverge::contract {

Case spawn_case(std::string_view body, Dim3 grid, Dim3 block) {
  Case result;
  result.name = "spawn";
  result.ptx = kernel_text(body);
  result.program = kernel::load_program_text(result.ptx, "spawn.ptx", "kernel", extensions_of());
  result.grid = grid;
  result.block = block;
  result.output_bytes = result.threads() * slice_words * 4;
  return result;
}

Case collatz_case(Dim3 grid, Dim3 block) {
  // State: value, steps, number of the thread.
  return spawn_case(R"(
  rem.u32 %r1, %x, 200;
  add.u32 %r1, %r1, 1;
  mov.u32 %r0, %spawnMemAddr;
  st.spawnMem.v2.u32 [%r0], {%r1, 0};
  st.spawnMem.u32 [%r0+8], %gid;
  and.b32 %r2, %r1, 1;
  setp.eq.u32 %p0, %r2, 0;
  @%p0 spawn EVEN, %r0;
  @%p0 exit;
  spawn ODD, %r0;
  exit;
EVEN:
  mov.u32 %r0, %spawnMemAddr;
  ld.spawnMem.u32 %r0, [%r0];
  ld.spawnMem.v2.u32 {%r1, %r2}, [%r0];
  shr.u32 %r1, %r1, 1;
  bra.uni NEXT;
ODD:
  mov.u32 %r0, %spawnMemAddr;
  ld.spawnMem %r0, [%r0];
  ld.spawnMem.v2.u32 {%r1, %r2}, [%r0];
  setp.eq.u32 %p1, %r1, 1;
  @%p1 bra LAST;
  mad.lo.u32 %r1, %r1, 3, 1;
NEXT:
  add.u32 %r2, %r2, 1;
  st.spawnMem.v2.u32 [%r0], {%r1, %r2};
  and.b32 %r3, %r1, 1;
  setp.eq.u32 %p0, %r3, 0;
  @%p0 spawn EVEN, %r0;
  @!%p0 spawn ODD, %r0;
  exit;
LAST:
  ld.spawnMem.u32 %r4, [%r0+8];
  ld.param.u64 %rd0, [output];
  mul.wide.u32 %rd1, %r4, 4;
  add.u64 %rd0, %rd0, %rd1;
  red.global.add.u32 [%rd0], %r2;
  exit;)",
                    grid, block);
}

Case once_case(Dim3 grid, Dim3 block, unsigned lanes, unsigned rounds) {
  return spawn_case(fmt::format(R"(
  shr.u32 %r1, %gid, 5;
  mad.lo.u32 %r1, %r1, {0}, %lane;
  setp.ge.u32 %p0, %lane, {0};
  @%p0 exit;
  mov.u32 %r0, %spawnMemAddr;
  st.spawnMem.u32 [%r0+4], %r1;
  spawn ONCE, %r0;
  mov.u32 %r2, {1};
ROUND:
  sub.u32 %r2, %r2, 1;
  setp.ne.u32 %p0, %r2, 0;
  @%p0 bra ROUND;
  exit;
ONCE:
  mov.u32 %r0, %spawnMemAddr;
  ld.spawnMem.u32 %r0, [%r0];
  ld.spawnMem.u32 %r1, [%r0+4];
  ld.param.u64 %rd0, [output];
  mul.wide.u32 %rd1, %r1, 4;
  add.u64 %rd0, %rd0, %rd1;
  red.global.add.u32 [%rd0], 1;
  exit;)",
                                lanes, rounds),
                    grid, block);
}

}  // namespace reconverge::contract
