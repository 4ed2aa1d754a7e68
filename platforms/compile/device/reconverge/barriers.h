#pragma once
/* Barriers and fences. LLVM's GlobalsAA assumes that the builtins write no variable whose address stays within the
   module, and would keep values of shared memory in registers across a barrier (LLVM 14, GlobalsModRef.cpp). It assumes
   nothing about assembly, so that an empty one before and after each builtin keeps memory in order. */

namespace reconverge {

__device__ __forceinline__ void keep_order() { asm volatile("" : : : "memory"); }

#define RECONVERGE_BARRIER(name, builtin)  \
  __device__ __forceinline__ void name() { \
    keep_order();                          \
    builtin();                             \
    keep_order();                          \
  }
#define RECONVERGE_BARRIER_ONE(type, name, builtin, argument) \
  __device__ __forceinline__ type name(argument value) {      \
    keep_order();                                             \
    struct AtEnd {                                            \
      __device__ ~AtEnd() { keep_order(); }                   \
    } at_end;                                                 \
    return builtin(value);                                    \
  }
RECONVERGE_BARRIER(syncthreads, __syncthreads)
RECONVERGE_BARRIER(fence_block, __nvvm_membar_cta)
RECONVERGE_BARRIER(fence_device, __nvvm_membar_gl)
RECONVERGE_BARRIER(fence_system, __nvvm_membar_sys)
RECONVERGE_BARRIER_ONE(int, syncthreads_count, __nvvm_bar0_popc, int)
RECONVERGE_BARRIER_ONE(int, syncthreads_and, __nvvm_bar0_and, int)
RECONVERGE_BARRIER_ONE(int, syncthreads_or, __nvvm_bar0_or, int)
RECONVERGE_BARRIER_ONE(void, syncwarp, __nvvm_bar_warp_sync, unsigned)
RECONVERGE_BARRIER_ONE(void, sync_named, __nvvm_barrier_sync, unsigned)
#undef RECONVERGE_BARRIER_ONE
#undef RECONVERGE_BARRIER
__device__ __forceinline__ void sync_some(unsigned name, unsigned threads) {
  keep_order();
  __nvvm_barrier_sync_cnt(name, threads);
  keep_order();
}

}  // namespace reconverge

/* The first is a builtin, which cannot be defined; clang's header calls the others. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
#define __syncthreads reconverge::syncthreads
#define __nvvm_bar_warp_sync reconverge::syncwarp
#define __nvvm_barrier_sync reconverge::sync_named
#define __nvvm_barrier_sync_cnt reconverge::sync_some
/* NOLINTEND(bugprone-reserved-identifier) */
__device__ inline int __syncthreads_count(int predicate) { return reconverge::syncthreads_count(predicate); }
__device__ inline int __syncthreads_and(int predicate) { return reconverge::syncthreads_and(predicate); }
__device__ inline int __syncthreads_or(int predicate) { return reconverge::syncthreads_or(predicate); }
__device__ inline void __threadfence_block() { reconverge::fence_block(); }
__device__ inline void __threadfence() { reconverge::fence_device(); }
__device__ inline void __threadfence_system() { reconverge::fence_system(); }
// SPDX-License-Identifier: Apache-2.0
