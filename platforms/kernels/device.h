#pragma once
/* CUDA C++ without a CUDA toolkit. One kernel source, two meanings:
     clang -x cuda --cuda-device-only   PTX for the modelled machine and for any GPU
     any C++20 compiler                 the native twin: the same thread, run on the host
   Floating-point operations mean the same on both, bit for bit: all are single IEEE operations, rounded to nearest,
   and fused operations are written as `fma`. Both are compiled with -ffp-contract=off. */

/* NOLINTBEGIN(bugprone-reserved-identifier): CUDA's own words, which CUDA headers also define as macros. */
#if defined(__CUDA__)
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#else
#define __global__
#define __device__
/* A block's threads all run on one host thread, and one block ends before the next begins. */
#define __shared__ static thread_local
#endif
/* NOLINTEND(bugprone-reserved-identifier) */

namespace reconverge::kernels {

struct Index3 {
  unsigned x, y, z;
};

struct alignas(16) Float4 {
  float x, y, z, w;
};

struct alignas(16) Int4 {
  int x, y, z, w;
};

struct alignas(8) Word2 {
  unsigned x, y;
};

/* A texture object: a handle on the device, the address of a NativeVolume on the host. */
using TextureObject = unsigned long long;

}  // namespace reconverge::kernels

/* Each side defines
     thread_index() in the block, block_index() in the grid, block_size() in threads, grid_size() in blocks
     synchronise(), the block's barrier (CUDA's __syncthreads)
     load_float4(p, i), load_int4(p, i): the i-th 16 bytes from p, load_word2(p, i): the i-th 8 bytes, and load_int(p)
       and load_float(p), for memory that is not written during the launch (ld.global.nc)
     read_float4(p), write_float4(p, v), read_word2(p), write_word2(p, v): 16 or 8 bytes at once in memory that the
       launch writes
     fetch_volume(t, x, y, z): the result of tex.3d for a texture object whose elements are four bytes, read as 0..1,
       with linear filter, wrapped, for coordinates from 0 to 1
     atomic_add(p, v), atomic_max(p, v): they return the old value
     fma, reciprocal, quotient, square_root, minimum, maximum, absolute, round_down; minimum and maximum
       prefer a number to not-a-number and order -0 below +0
     float_bits, bits_float: the bits of a float and back
     population(w), first_set(w): the number of set bits in a word, and the lowest one (the word is not 0)
     lane(), lanes_below(): the thread's lane in its warp, and a bit for each lane below it
     ballot(p), any_lane(p), shuffle(v, from): among the lanes of the warp that get here together, a bit for each of
       them whose p holds, whether any p holds, and the v of lane `from`, which must be one of them. Which lanes are
       together depends on the machine; the twin runs every thread as if it were the only one. So a kernel's result
       must not depend on it: ask again whenever lanes may have diverged. */
#if defined(__CUDA__)
#include "platforms/kernels/device_ptx.h"
#else
#include "platforms/kernels/device_native.h"
#endif

namespace reconverge::kernels {

/* The thread's number in the grid, counted along x only. */
__device__ inline unsigned global_thread() { return block_index().x * block_size().x + thread_index().x; }

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
