#pragma once
/* OpenCL C 1.2 for clang without a library: work items, barriers, atomics, vectors, and mathematics that is one PTX
   instruction. `reconverge compile` includes this header before a source. docs/launch.md says what is supported. */

/* NOLINTBEGIN(bugprone-reserved-identifier): OpenCL's own words. */
#define RECONVERGE_FUNCTION static inline __attribute__((overloadable, always_inline, unused))

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned long size_t;
typedef long ptrdiff_t;
#define RECONVERGE_VECTORS(type)                            \
  typedef type type##2 __attribute__((ext_vector_type(2))); \
  typedef type type##3 __attribute__((ext_vector_type(3))); \
  typedef type type##4 __attribute__((ext_vector_type(4))); \
  typedef type type##8 __attribute__((ext_vector_type(8))); \
  typedef type type##16 __attribute__((ext_vector_type(16)));
RECONVERGE_VECTORS(char)
RECONVERGE_VECTORS(uchar)
RECONVERGE_VECTORS(short)
RECONVERGE_VECTORS(ushort)
RECONVERGE_VECTORS(int)
RECONVERGE_VECTORS(uint)
RECONVERGE_VECTORS(long)
RECONVERGE_VECTORS(ulong)
RECONVERGE_VECTORS(float)
RECONVERGE_VECTORS(double)
#undef RECONVERGE_VECTORS

#define RECONVERGE_PLACE(name, special)                                   \
  RECONVERGE_FUNCTION size_t name(uint dimension) {                       \
    return dimension == 0   ? (uint)__nvvm_read_ptx_sreg_##special##_x()  \
           : dimension == 1 ? (uint)__nvvm_read_ptx_sreg_##special##_y()  \
                            : (uint)__nvvm_read_ptx_sreg_##special##_z(); \
  }
RECONVERGE_PLACE(get_local_id, tid)
RECONVERGE_PLACE(get_group_id, ctaid)
RECONVERGE_PLACE(get_local_size, ntid)
RECONVERGE_PLACE(get_num_groups, nctaid)
#undef RECONVERGE_PLACE
RECONVERGE_FUNCTION size_t get_global_id(uint d) { return get_group_id(d) * get_local_size(d) + get_local_id(d); }
RECONVERGE_FUNCTION size_t get_global_size(uint d) { return get_num_groups(d) * get_local_size(d); }
RECONVERGE_FUNCTION size_t get_global_offset(uint d) { return 0; }

typedef uint cl_mem_fence_flags;
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
/* The empty assembly keeps memory in order: reconverge/barriers.h says why. */
RECONVERGE_FUNCTION void barrier(cl_mem_fence_flags fence) {
  __asm__ volatile("" : : : "memory");
  __syncthreads();
  __asm__ volatile("" : : : "memory");
}
RECONVERGE_FUNCTION void mem_fence(cl_mem_fence_flags fence) {
  __asm__ volatile("" : : : "memory");
  __nvvm_membar_gl();
  __asm__ volatile("" : : : "memory");
}

#define RECONVERGE_ATOMIC(name, space, type, builtin) \
  RECONVERGE_FUNCTION type name(volatile space type* p, type v) { return builtin(p, v); }
#define RECONVERGE_ATOMICS(space, type, minimum, maximum)                                            \
  RECONVERGE_ATOMIC(atomic_add, space, type, __sync_fetch_and_add)                                   \
  RECONVERGE_ATOMIC(atomic_sub, space, type, __sync_fetch_and_sub)                                   \
  RECONVERGE_ATOMIC(atomic_and, space, type, __sync_fetch_and_and)                                   \
  RECONVERGE_ATOMIC(atomic_or, space, type, __sync_fetch_and_or)                                     \
  RECONVERGE_ATOMIC(atomic_xor, space, type, __sync_fetch_and_xor)                                   \
  RECONVERGE_ATOMIC(atomic_xchg, space, type, __sync_swap)                                           \
  RECONVERGE_ATOMIC(atomic_min, space, type, minimum)                                                \
  RECONVERGE_ATOMIC(atomic_max, space, type, maximum)                                                \
  RECONVERGE_FUNCTION type atomic_inc(volatile space type* p) { return __sync_fetch_and_add(p, 1); } \
  RECONVERGE_FUNCTION type atomic_dec(volatile space type* p) { return __sync_fetch_and_sub(p, 1); } \
  RECONVERGE_FUNCTION type atomic_cmpxchg(volatile space type* p, type expected, type v) {           \
    return __sync_val_compare_and_swap(p, expected, v);                                              \
  }
RECONVERGE_ATOMICS(__global, int, __sync_fetch_and_min, __sync_fetch_and_max)
RECONVERGE_ATOMICS(__local, int, __sync_fetch_and_min, __sync_fetch_and_max)
RECONVERGE_ATOMICS(__global, uint, __sync_fetch_and_umin, __sync_fetch_and_umax)
RECONVERGE_ATOMICS(__local, uint, __sync_fetch_and_umin, __sync_fetch_and_umax)
#undef RECONVERGE_ATOMICS
#undef RECONVERGE_ATOMIC

RECONVERGE_FUNCTION uint popcount(uint a) { return __builtin_popcount(a); }
RECONVERGE_FUNCTION uint clz(uint a) { return a == 0 ? 32 : __builtin_clz(a); }
RECONVERGE_FUNCTION int as_int(float a) { return __builtin_astype(a, int); }
RECONVERGE_FUNCTION uint as_uint(float a) { return __builtin_astype(a, uint); }
RECONVERGE_FUNCTION float as_float(int a) { return __builtin_astype(a, float); }
RECONVERGE_FUNCTION float as_float(uint a) { return __builtin_astype(a, float); }

#define RECONVERGE_ORDER(type)                                           \
  RECONVERGE_FUNCTION type min(type a, type b) { return b < a ? b : a; } \
  RECONVERGE_FUNCTION type max(type a, type b) { return a < b ? b : a; } \
  RECONVERGE_FUNCTION type clamp(type a, type low, type high) { return min(max(a, low), high); }
RECONVERGE_ORDER(int)
RECONVERGE_ORDER(uint)
RECONVERGE_ORDER(long)
RECONVERGE_ORDER(ulong)
RECONVERGE_ORDER(float)
#undef RECONVERGE_ORDER
RECONVERGE_FUNCTION float fmin(float a, float b) { return __nvvm_fmin_f(a, b); }
RECONVERGE_FUNCTION float fmax(float a, float b) { return __nvvm_fmax_f(a, b); }
RECONVERGE_FUNCTION float fabs(float a) { return __builtin_fabsf(a); }
RECONVERGE_FUNCTION float floor(float a) { return __builtin_floorf(a); }
RECONVERGE_FUNCTION float ceil(float a) { return __builtin_ceilf(a); }
RECONVERGE_FUNCTION float sqrt(float a) { return __nvvm_sqrt_rn_f(a); }
RECONVERGE_FUNCTION float rsqrt(float a) { return __nvvm_rsqrt_approx_f(a); }
RECONVERGE_FUNCTION float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
RECONVERGE_FUNCTION float mad(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
RECONVERGE_FUNCTION float native_sin(float a) { return __nvvm_sin_approx_f(a); }
RECONVERGE_FUNCTION float native_cos(float a) { return __nvvm_cos_approx_f(a); }
RECONVERGE_FUNCTION float native_exp2(float a) { return __nvvm_ex2_approx_f(a); }
RECONVERGE_FUNCTION float native_log2(float a) { return __nvvm_lg2_approx_f(a); }
RECONVERGE_FUNCTION float native_exp(float a) { return __nvvm_ex2_approx_f(a * 1.44269504f); }
RECONVERGE_FUNCTION float native_log(float a) { return __nvvm_lg2_approx_f(a) * 0.69314718f; }
RECONVERGE_FUNCTION float native_divide(float a, float b) { return __nvvm_div_approx_f(a, b); }
/* NOLINTEND(bugprone-reserved-identifier) */
// SPDX-License-Identifier: Apache-2.0
