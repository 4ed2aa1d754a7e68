# SPDX-License-Identifier: Apache-2.0
"""Kernels of the tests, and NumPy oracles for them."""

import pathlib

TREE = pathlib.Path(__file__).resolve().parents[2]
SAXPY = (TREE / "platforms/kernels/saxpy.ptx").read_text()
REDUCE = (TREE / "platforms/kernels/reduce.ptx").read_text()

# block_sums[block] is the sum of its values, by shared memory and barriers. A literal: the tests must not depend on what
# a compiler makes.
BLOCK_SUM = """
.version 6.4
.target sm_70
.address_size 64

.visible .entry block_sum(.param .u64 values, .param .u64 sums, .param .u32 count)
{
  .reg .pred %p<4>;
  .reg .b32 %r<16>;
  .reg .b64 %rd<8>;
  .shared .align 4 .b8 part[1024];

  ld.param.u64 %rd1, [values];
  ld.param.u64 %rd2, [sums];
  ld.param.u32 %r1, [count];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mad.lo.u32 %r5, %r3, %r4, %r2;
  mov.u32 %r6, 0;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 bra STORE;
  mul.wide.u32 %rd3, %r5, 4;
  add.u64 %rd3, %rd1, %rd3;
  ld.global.u32 %r6, [%rd3];
STORE:
  mov.u32 %r7, part;
  shl.b32 %r8, %r2, 2;
  add.u32 %r7, %r7, %r8;
  st.shared.u32 [%r7], %r6;
  shr.u32 %r9, %r4, 1;
NEXT:
  bar.sync 0;
  setp.eq.u32 %p2, %r9, 0;
  @%p2 bra DONE;
  setp.ge.u32 %p3, %r2, %r9;
  @%p3 bra SKIP;
  shl.b32 %r10, %r9, 2;
  add.u32 %r11, %r7, %r10;
  ld.shared.u32 %r12, [%r11];
  ld.shared.u32 %r13, [%r7];
  add.u32 %r13, %r13, %r12;
  st.shared.u32 [%r7], %r13;
SKIP:
  shr.u32 %r9, %r9, 1;
  bra NEXT;
DONE:
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra END;
  mul.wide.u32 %rd4, %r3, 4;
  add.u64 %rd4, %rd2, %rd4;
  ld.shared.u32 %r14, [part];
  st.global.u32 [%rd4], %r14;
END:
  ret;
}
"""

# A loop of `count` rounds in one thread, whose result it stores: with 2^32 - 1 rounds it runs for hours.
ROUNDS = """
.version 6.4
.target sm_70
.address_size 64
.visible .entry rounds(.param .u64 result, .param .u32 count)
{
  .reg .pred %p1;
  .reg .b32 %r<4>;
  .reg .b64 %rd1;
  ld.param.u64 %rd1, [result];
  ld.param.u32 %r1, [count];
  mov.u32 %r2, 0;
LOOP:
  add.u32 %r2, %r2, 3;
  xor.b32 %r2, %r2, %r1;
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra LOOP;
  st.global.u32 [%rd1], %r2;
  ret;
}
"""
ENDLESS = 2**32 - 1

# Stores its arguments: one of each kind of type, and a struct by value.
ARGUMENTS = """
.version 6.4
.target sm_70
.address_size 64
.visible .entry types(.param .u64 out, .param .s32 i, .param .u16 h, .param .u64 l, .param .f32 f, .param .f64 d,
                      .param .align 8 .b8 s[16])
{
  .reg .b16 %h<2>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  .reg .f32 %f<2>;
  .reg .f64 %fd<2>;
  ld.param.u64 %rd1, [out];
  ld.param.s32 %r1, [i];
  cvt.s64.s32 %rd2, %r1;
  st.global.u64 [%rd1], %rd2;
  ld.param.u16 %h1, [h];
  cvt.u64.u16 %rd2, %h1;
  st.global.u64 [%rd1+8], %rd2;
  ld.param.u64 %rd2, [l];
  st.global.u64 [%rd1+16], %rd2;
  ld.param.f32 %f1, [f];
  cvt.f64.f32 %fd1, %f1;
  st.global.f64 [%rd1+24], %fd1;
  ld.param.f64 %fd1, [d];
  st.global.f64 [%rd1+32], %fd1;
  ld.param.s32 %r2, [s];
  cvt.s64.s32 %rd2, %r2;
  st.global.u64 [%rd1+40], %rd2;
  ld.param.f64 %fd1, [s+8];
  st.global.f64 [%rd1+48], %fd1;
  ret;
}
"""

# A variable of the module that counts launches, and a constant.
VARIABLES = """
.version 6.4
.target sm_70
.address_size 64
.visible .global .align 4 .u32 launches = 5;
.visible .const .align 4 .u32 step = 1;
.visible .entry count_launch()
{
  .reg .b32 %r<3>;
  ld.global.u32 %r1, [launches];
  ld.const.u32 %r2, [step];
  add.u32 %r1, %r1, %r2;
  st.global.u32 [launches], %r1;
  ret;
}
"""

CUDA = """
// Histogram of bytes, by atomics in shared memory.
#define BINS 256
extern "C" __global__ void histogram(const unsigned char* values, unsigned* bins, int count) {
  __shared__ unsigned local[BINS];
  for (int i = threadIdx.x; i < BINS; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    atomicAdd(&local[values[i]], SCALE);
  __syncthreads();
  for (int i = threadIdx.x; i < BINS; i += blockDim.x) atomicAdd(&bins[i], local[i]);
}
"""
PRINTING = """
#include <cstdio>
extern "C" __global__ void say(int n) { printf("thread %d of %d\\n", threadIdx.x, n); }
"""


def line_of(text, instruction):
    """The line, from 1, of the first line with the instruction."""
    return next(i for i, line in enumerate(text.splitlines(), 1) if instruction in line)
