#pragma once
/* CUDA's atomic functions, each one instruction. All return the old value. */

#define RECONVERGE_ATOMICS(type)                                                                             \
  __device__ inline type atomicAdd(type* p, type v) { return __atomic_fetch_add(p, v, __ATOMIC_RELAXED); }   \
  __device__ inline type atomicExch(type* p, type v) { return __atomic_exchange_n(p, v, __ATOMIC_RELAXED); } \
  __device__ inline type atomicMin(type* p, type v) { return __atomic_fetch_min(p, v, __ATOMIC_RELAXED); }   \
  __device__ inline type atomicMax(type* p, type v) { return __atomic_fetch_max(p, v, __ATOMIC_RELAXED); }   \
  __device__ inline type atomicAnd(type* p, type v) { return __atomic_fetch_and(p, v, __ATOMIC_RELAXED); }   \
  __device__ inline type atomicOr(type* p, type v) { return __atomic_fetch_or(p, v, __ATOMIC_RELAXED); }     \
  __device__ inline type atomicXor(type* p, type v) { return __atomic_fetch_xor(p, v, __ATOMIC_RELAXED); }   \
  __device__ inline type atomicCAS(type* p, type expected, type v) {                                         \
    __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                 \
    return expected;                                                                                         \
  }
RECONVERGE_ATOMICS(int)
RECONVERGE_ATOMICS(unsigned)
RECONVERGE_ATOMICS(unsigned long long)
#undef RECONVERGE_ATOMICS

__device__ inline int atomicSub(int* p, int v) { return __atomic_fetch_sub(p, v, __ATOMIC_RELAXED); }
__device__ inline unsigned atomicSub(unsigned* p, unsigned v) { return __atomic_fetch_sub(p, v, __ATOMIC_RELAXED); }
__device__ inline long long atomicMin(long long* p, long long v) { return __atomic_fetch_min(p, v, __ATOMIC_RELAXED); }
__device__ inline long long atomicMax(long long* p, long long v) { return __atomic_fetch_max(p, v, __ATOMIC_RELAXED); }
__device__ inline float atomicAdd(float* p, float v) { return __nvvm_atom_add_gen_f(p, v); }
__device__ inline double atomicAdd(double* p, double v) { return __nvvm_atom_add_gen_d(p, v); }
__device__ inline float atomicExch(float* p, float v) {
  return __builtin_bit_cast(float, atomicExch(reinterpret_cast<unsigned*>(p), __builtin_bit_cast(unsigned, v)));
}
__device__ inline unsigned atomicInc(unsigned* p, unsigned limit) { return __nvvm_atom_inc_gen_ui(p, limit); }
__device__ inline unsigned atomicDec(unsigned* p, unsigned limit) { return __nvvm_atom_dec_gen_ui(p, limit); }

/* Of a block or of the whole system. An atomic of the device is atomic in a block; the host waits for kernels. */
#define RECONVERGE_SCOPED(name)                  \
  template <class T, class V>                    \
  __device__ inline T name##_block(T* p, V v) {  \
    return name(p, static_cast<T>(v));           \
  }                                              \
  template <class T, class V>                    \
  __device__ inline T name##_system(T* p, V v) { \
    return name(p, static_cast<T>(v));           \
  }
RECONVERGE_SCOPED(atomicAdd)
RECONVERGE_SCOPED(atomicSub)
RECONVERGE_SCOPED(atomicExch)
RECONVERGE_SCOPED(atomicMin)
RECONVERGE_SCOPED(atomicMax)
RECONVERGE_SCOPED(atomicInc)
RECONVERGE_SCOPED(atomicDec)
RECONVERGE_SCOPED(atomicAnd)
RECONVERGE_SCOPED(atomicOr)
RECONVERGE_SCOPED(atomicXor)
#undef RECONVERGE_SCOPED
template <class T, class V>
__device__ inline T atomicCAS_block(T* p, V expected, V v) {
  return atomicCAS(p, static_cast<T>(expected), static_cast<T>(v));
}
template <class T, class V>
__device__ inline T atomicCAS_system(T* p, V expected, V v) {
  return atomicCAS(p, static_cast<T>(expected), static_cast<T>(v));
}
// SPDX-License-Identifier: Apache-2.0
