#pragma once
/* corpus/device.h in clang's builtins. Machines before sm_60 have no .sync forms of the warp operations. */

#include "platforms/kernels/device.h"

extern "C" __device__ int printf(const char* format, ...);

namespace reconverge::corpus {

using kernels::block_index;
using kernels::block_size;
using kernels::grid_size;
using kernels::synchronise;
using kernels::thread_index;

__device__ inline void memory_fence() { __nvvm_membar_gl(); }

struct alignas(16) DynamicUnit {
  unsigned words[4];
};
extern __shared__ DynamicUnit dynamic_memory[];
template <typename T>
__device__ inline T* dynamic_shared() {
  return reinterpret_cast<T*>(dynamic_memory);
}

#if __CUDA_ARCH__ >= 600
__device__ inline void synchronise_warp() { __nvvm_bar_warp_sync(~0U); }
__device__ inline unsigned shuffle(unsigned v, unsigned from) { return __nvvm_shfl_sync_idx_i32(~0U, v, from, 31); }
__device__ inline unsigned shuffle_xor(unsigned v, unsigned mask) {
  return __nvvm_shfl_sync_bfly_i32(~0U, v, mask, 31);
}
__device__ inline unsigned shuffle_up(unsigned v, unsigned by) { return __nvvm_shfl_sync_up_i32(~0U, v, by, 0); }
__device__ inline unsigned shuffle_down(unsigned v, unsigned by) { return __nvvm_shfl_sync_down_i32(~0U, v, by, 31); }
__device__ inline unsigned ballot(bool predicate) { return __nvvm_vote_ballot_sync(~0U, predicate); }
__device__ inline bool vote_all(bool predicate) { return __nvvm_vote_all_sync(~0U, predicate); }
__device__ inline bool vote_any(bool predicate) { return __nvvm_vote_any_sync(~0U, predicate); }
#else
__device__ inline void synchronise_warp() {}
__device__ inline unsigned shuffle(unsigned v, unsigned from) { return __nvvm_shfl_idx_i32(v, from, 31); }
__device__ inline unsigned shuffle_xor(unsigned v, unsigned mask) { return __nvvm_shfl_bfly_i32(v, mask, 31); }
__device__ inline unsigned shuffle_up(unsigned v, unsigned by) { return __nvvm_shfl_up_i32(v, by, 0); }
__device__ inline unsigned shuffle_down(unsigned v, unsigned by) { return __nvvm_shfl_down_i32(v, by, 31); }
/* clang 14 has builtins for these, but cannot generate their instructions. */
__device__ inline unsigned ballot(bool predicate) {
  unsigned d;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.ballot.b32 %0, p; }" : "=r"(d) : "r"(predicate ? 1 : 0));
  return d;
}
__device__ inline bool vote_all(bool predicate) { return ballot(!predicate) == 0; }
__device__ inline bool vote_any(bool predicate) { return ballot(predicate) != 0; }
#endif

__device__ inline unsigned match_any(unsigned value) {
#if __CUDA_ARCH__ >= 700
  return __nvvm_match_any_sync_i32(~0U, value);
#else
  unsigned same = 0;
  for (unsigned i = 0; i < 32; ++i) same |= shuffle(value, i) == value ? 1U << i : 0U;
  return same;
#endif
}

__device__ inline unsigned atomic_add(unsigned* p, unsigned v) { return __atomic_fetch_add(p, v, __ATOMIC_RELAXED); }
__device__ inline unsigned long long atomic_add(unsigned long long* p, unsigned long long v) {
  return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}
__device__ inline unsigned atomic_min(unsigned* p, unsigned v) { return __nvvm_atom_min_gen_ui(p, v); }
__device__ inline int atomic_max(int* p, int v) { return __nvvm_atom_max_gen_i(p, v); }
__device__ inline unsigned atomic_and(unsigned* p, unsigned v) { return __atomic_fetch_and(p, v, __ATOMIC_RELAXED); }
__device__ inline unsigned atomic_or(unsigned* p, unsigned v) { return __atomic_fetch_or(p, v, __ATOMIC_RELAXED); }
__device__ inline unsigned atomic_xor(unsigned* p, unsigned v) { return __atomic_fetch_xor(p, v, __ATOMIC_RELAXED); }
__device__ inline unsigned atomic_exchange(unsigned* p, unsigned v) {
  return __atomic_exchange_n(p, v, __ATOMIC_RELAXED);
}
__device__ inline unsigned atomic_compare_exchange(unsigned* p, unsigned expected, unsigned v) {
  __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}
__device__ inline unsigned atomic_increment(unsigned* p, unsigned limit) { return __nvvm_atom_inc_gen_ui(p, limit); }

__device__ inline unsigned population(unsigned a) { return static_cast<unsigned>(__builtin_popcount(a)); }
__device__ inline unsigned leading_zeros(unsigned a) { return a == 0 ? 32 : static_cast<unsigned>(__builtin_clz(a)); }
__device__ inline unsigned find_first_set(unsigned a) {
  return static_cast<unsigned>(__builtin_ffs(static_cast<int>(a)));
}
__device__ inline unsigned reverse_bits(unsigned a) { return __builtin_bitreverse32(a); }
__device__ inline unsigned permute_bytes(unsigned a, unsigned b, unsigned selector) {
  return __nvvm_prmt(a, b, selector);
}
__device__ inline unsigned funnel_left(unsigned low, unsigned high, unsigned by) {
  unsigned d;
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(low), "r"(high), "r"(by));
  return d;
}
__device__ inline unsigned funnel_right(unsigned low, unsigned high, unsigned by) {
  unsigned d;
  asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(low), "r"(high), "r"(by));
  return d;
}
__device__ inline unsigned multiply_high(unsigned a, unsigned b) { return __nvvm_mulhi_ui(a, b); }

__device__ inline float root(float a) { return __nvvm_sqrt_rn_f(a); }
__device__ inline double root(double a) { return __nvvm_sqrt_rn_d(a); }
__device__ inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__device__ inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

__device__ inline void complain(const char* what, unsigned value) { printf(what, value); }

}  // namespace reconverge::corpus

#include "testbenches/corpus/device_half.h"
// SPDX-License-Identifier: Apache-2.0
