// SPDX-License-Identifier: Apache-2.0
#include "testbenches/contract/kernels.hpp"

namespace reconverge::contract {

namespace {

struct MatrixCase {
  const char* name;
  const char* declarations;
  const char* body;
};

// %r30 is the address of the warp's words in shared memory.
constexpr MatrixCase matrices[] = {
    {"a product after a branch, through shared memory", ".shared .align 16 .b8 room[4096];",
     R"(
  mov.u32 %r30, room;
  shr.u32 %r29, %thread, 5;
  shl.b32 %r29, %r29, 10;
  add.u32 %r30, %r30, %r29;
  and.b32 %r0, %x, 7;
  cvt.rn.f16.u32 %h0, %r0;
  setp.lt.u32 %p0, %r0, 4;
  @%p0 bra SMALL;
  VISIT(0);
  neg.f16 %h0, %h0;
  bra JOIN;
SMALL:
  VISIT(1);
JOIN:
  mov.b32 %r1, {%h0, %h0};
  shl.b32 %r2, %lane, 4;
  add.u32 %r2, %r2, %r30;
  st.shared.v4.u32 [%r2], {%r1, %r1, %r1, %r1};
  st.shared.v4.u32 [%r2+512], {%r1, %r1, %r1, %r1};
  bar.warp.sync -1;
  ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%r2];
  ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r8, %r9}, [%r2+512];
  mov.f32 %f0, 0f3F800000;
  mov.f32 %f1, %f0;
  mov.f32 %f2, %f0;
  mov.f32 %f3, %f0;
  mov.u32 %r10, 0;
AGAIN:
  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r4, %r5, %r6, %r7}, {%r8, %r9}, {%f0, %f1, %f2, %f3};
  add.u32 %r10, %r10, 1;
  setp.lt.u32 %p1, %r10, 3;
  @%p1 bra AGAIN;
  st.global.v4.f32 [%slice+16], {%f0, %f1, %f2, %f3};)"},

    {"bytes from global memory, registers that come back in place", "",
     R"(
  wmma.load.a.sync.aligned.row.m16n16k16.global.s8 {%r0, %r1}, [%in], 16;
  mov.u32 %r20, 32;
  wmma.load.b.sync.aligned.row.m16n16k16.s8 {%r2, %r3}, [%in+512], %r20;
  wmma.load.c.sync.aligned.col.m16n16k16.global.s32 {%r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11}, [%in+1024];
  wmma.mma.sync.aligned.row.row.m16n16k16.s32.s8.s8.s32.satfinite {%r6, %r5, %r4, %r7, %r0, %r1, %r2, %r3}, {%r0, %r1}, {%r2, %r3}, {%r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11};
  st.global.v4.u32 [%slice+16], {%r6, %r5, %r4, %r7};
  st.global.v4.u32 [%slice+32], {%r0, %r1, %r2, %r3};
  movmatrix.sync.aligned.m8n8.trans.b16 %r12, %r0;
  st.global.u32 [%slice+48], %r12;)"},
};

}  // namespace

std::vector<Case> matrix_cases() {
  std::vector<Case> all;
  for (const MatrixCase& each : matrices) {
    all.push_back(make_case(each.name, std::string(each.body) + "\n  ret;", {3}, {64},
                            std::string(".reg .b16 %h<2>;\n") + each.declarations));
  }
  return all;
}

}  // namespace reconverge::contract
