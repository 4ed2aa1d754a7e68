#pragma once
/* corpus/device.h in CUDA's own functions. */

#include <cstdio>

namespace reconverge::corpus {

__device__ inline uint3 thread_index() { return threadIdx; }
__device__ inline uint3 block_index() { return blockIdx; }
__device__ inline dim3 block_size() { return blockDim; }
__device__ inline dim3 grid_size() { return gridDim; }
__device__ inline void synchronise() { __syncthreads(); }
__device__ inline void synchronise_warp() { __syncwarp(); }
__device__ inline void memory_fence() { __threadfence(); }

extern __shared__ uint4 dynamic_memory[];
template <typename T>
__device__ inline T* dynamic_shared() {
  return reinterpret_cast<T*>(dynamic_memory);
}

__device__ inline unsigned shuffle(unsigned v, unsigned from) { return __shfl_sync(~0U, v, static_cast<int>(from)); }
__device__ inline unsigned shuffle_xor(unsigned v, unsigned mask) {
  return __shfl_xor_sync(~0U, v, static_cast<int>(mask));
}
__device__ inline unsigned shuffle_up(unsigned v, unsigned by) { return __shfl_up_sync(~0U, v, by); }
__device__ inline unsigned shuffle_down(unsigned v, unsigned by) { return __shfl_down_sync(~0U, v, by); }
__device__ inline unsigned ballot(bool predicate) { return __ballot_sync(~0U, predicate); }
__device__ inline bool vote_all(bool predicate) { return __all_sync(~0U, predicate) != 0; }
__device__ inline bool vote_any(bool predicate) { return __any_sync(~0U, predicate) != 0; }
__device__ inline unsigned match_any(unsigned value) {
#if __CUDA_ARCH__ >= 700
  return __match_any_sync(~0U, value);
#else
  unsigned same = 0;
  for (unsigned i = 0; i < 32; ++i) same |= shuffle(value, i) == value ? 1U << i : 0U;
  return same;
#endif
}

__device__ inline unsigned atomic_add(unsigned* p, unsigned v) { return atomicAdd(p, v); }
__device__ inline unsigned long long atomic_add(unsigned long long* p, unsigned long long v) { return atomicAdd(p, v); }
__device__ inline unsigned atomic_min(unsigned* p, unsigned v) { return atomicMin(p, v); }
__device__ inline int atomic_max(int* p, int v) { return atomicMax(p, v); }
__device__ inline unsigned atomic_and(unsigned* p, unsigned v) { return atomicAnd(p, v); }
__device__ inline unsigned atomic_or(unsigned* p, unsigned v) { return atomicOr(p, v); }
__device__ inline unsigned atomic_xor(unsigned* p, unsigned v) { return atomicXor(p, v); }
__device__ inline unsigned atomic_exchange(unsigned* p, unsigned v) { return atomicExch(p, v); }
__device__ inline unsigned atomic_compare_exchange(unsigned* p, unsigned expected, unsigned v) {
  return atomicCAS(p, expected, v);
}
__device__ inline unsigned atomic_increment(unsigned* p, unsigned limit) { return atomicInc(p, limit); }

__device__ inline unsigned population(unsigned a) { return static_cast<unsigned>(__popc(a)); }
__device__ inline unsigned leading_zeros(unsigned a) { return static_cast<unsigned>(__clz(static_cast<int>(a))); }
__device__ inline unsigned find_first_set(unsigned a) { return static_cast<unsigned>(__ffs(static_cast<int>(a))); }
__device__ inline unsigned reverse_bits(unsigned a) { return __brev(a); }
__device__ inline unsigned permute_bytes(unsigned a, unsigned b, unsigned s) { return __byte_perm(a, b, s); }
__device__ inline unsigned funnel_left(unsigned low, unsigned high, unsigned by) {
  return __funnelshift_l(low, high, by);
}
__device__ inline unsigned funnel_right(unsigned low, unsigned high, unsigned by) {
  return __funnelshift_r(low, high, by);
}
__device__ inline unsigned multiply_high(unsigned a, unsigned b) { return __umulhi(a, b); }

__device__ inline float root(float a) { return __fsqrt_rn(a); }
__device__ inline double root(double a) { return __dsqrt_rn(a); }
__device__ inline float fused(float a, float b, float c) { return __fmaf_rn(a, b, c); }
__device__ inline double fused(double a, double b, double c) { return __fma_rn(a, b, c); }

__device__ inline void complain(const char* what, unsigned value) { printf(what, value); }

}  // namespace reconverge::corpus

#include "testbenches/corpus/device_half.h"
// SPDX-License-Identifier: Apache-2.0
