#pragma once
/* Half precision between threads: shuffles, loads by the read-only cache, and atomic sums. __ldcg and similar functions
   are in words.h, for any type. */

#define RECONVERGE_SHUFFLE(name, type)                                                                     \
  __device__ inline __half name(unsigned mask, __half a, type lane, int width = warpSize) {                \
    return __ushort_as_half(                                                                               \
        static_cast<unsigned short>(name(mask, static_cast<unsigned>(__half_as_ushort(a)), lane, width))); \
  }                                                                                                        \
  __device__ inline __half2 name(unsigned mask, __half2 a, type lane, int width = warpSize) {              \
    return reconverge::pair_of(name(mask, reconverge::word_of(a), lane, width));                           \
  }
RECONVERGE_SHUFFLE(__shfl_sync, int)
RECONVERGE_SHUFFLE(__shfl_up_sync, unsigned)
RECONVERGE_SHUFFLE(__shfl_down_sync, unsigned)
RECONVERGE_SHUFFLE(__shfl_xor_sync, int)
#undef RECONVERGE_SHUFFLE

__device__ inline __half __ldg(const __half* p) {
  return __ushort_as_half(__ldg(reinterpret_cast<const unsigned short*>(p)));
}
__device__ inline __half2 __ldg(const __half2* p) {
  return reconverge::pair_of(__ldg(reinterpret_cast<const unsigned*>(p)));
}

/* The two sums of a pair are each atomic. */
__device__ inline __half atomicAdd(__half* p, __half a) {
  unsigned short result = 0;
  RECONVERGE_PTX(asm volatile("atom.add.noftz.f16 %0, [%1], %2;"
                              : "=h"(result)
                              : "l"(p), "h"(__half_as_ushort(a))
                              : "memory"), );
  return __ushort_as_half(result);
}
__device__ inline __half2 atomicAdd(__half2* p, __half2 a) {
  unsigned result = 0;
  RECONVERGE_PTX(asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
                              : "=r"(result)
                              : "l"(p), "r"(reconverge::word_of(a))
                              : "memory"), );
  return reconverge::pair_of(result);
}
// SPDX-License-Identifier: Apache-2.0
