#pragma once
/* Device words for the corpus: one source, three meanings.
     clang -x cuda   clang's builtins, no toolkit headers
     nvcc            CUDA's own words (nvcc includes its headers itself)
     any C++20       the native twin: the same thread, run on the host by block_fibres
   The sources stay within C++17, which is what nvcc 11.8 takes. All warp operations are called by whole warps. */

/* NOLINTBEGIN(bugprone-reserved-identifier): CUDA's own words. */
#if defined(__CUDACC__)
#include "testbenches/corpus/device_nvcc.h"
#elif defined(__CUDA__)
#define __noinline__ __attribute__((noinline))
#define __constant__ __attribute__((constant))
#include "testbenches/corpus/device_clang.h"
#else
#include "testbenches/corpus/device_native.h"
/* After the standard library, which uses this word as an attribute. */
#define __noinline__ __attribute__((noinline))
#define __constant__ static
#endif
/* NOLINTEND(bugprone-reserved-identifier) */

namespace reconverge::corpus {

/* Every program has these parameters: 1024 words that it reads, 4096 words that threads own a part of, and 256 words
   that many threads update. Output and sums begin as zeros. */
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
