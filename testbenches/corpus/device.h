#pragma once
/* The device functions of the corpus: one source, three implementations.
     clang -x cuda   clang's builtins, no toolkit headers
     nvcc            CUDA's own functions (nvcc includes its headers itself)
     any C++20       the native twin: the same thread, run on the host by block_fibres
   The sources stay within C++17, the latest that nvcc 11.8 accepts. All warp operations are called by whole warps. */

/* NOLINTBEGIN(bugprone-reserved-identifier): CUDA's own names. */
#if defined(__CUDACC__)
#include "testbenches/corpus/device_nvcc.h"
#elif defined(__CUDA__)
#define __noinline__ __attribute__((noinline))
#define __constant__ __attribute__((constant))
#include "testbenches/corpus/device_clang.h"
#else
#include "testbenches/corpus/device_native.h"
/* Defined after the standard library, which uses this word as an attribute. */
#define __noinline__ __attribute__((noinline))
#define __constant__ static
#endif
/* NOLINTEND(bugprone-reserved-identifier) */

namespace reconverge::corpus {

/* Every program has these parameters: 1024 words that it reads, 4096 words of which each thread owns a part, and 256
   words that many threads update. Output and sums are initially zero. */
using Input = const unsigned*;

__device__ inline unsigned thread_in_block() {
  return (thread_index().z * block_size().y + thread_index().y) * block_size().x + thread_index().x;
}
/* Number of the thread in a grid that is counted along x only. */
__device__ inline unsigned thread_number() { return block_index().x * block_size().x + thread_index().x; }
__device__ inline unsigned lane() { return thread_in_block() % 32; }

/* A float of moderate size, 0 to 255 in steps of 2^-8, and the bits that a float is stored as. */
__device__ inline float moderate(unsigned word) { return static_cast<float>(word & 0xffffU) / 256.0F; }
__device__ inline unsigned bits_of(float value) {
  unsigned bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}
__device__ inline void store_double(unsigned* to, double value) {
  unsigned long long bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  to[0] = static_cast<unsigned>(bits);
  to[1] = static_cast<unsigned>(bits >> 32);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
