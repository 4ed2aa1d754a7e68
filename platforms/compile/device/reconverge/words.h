#pragma once
/* Clocks, bits of words, printf and assert. */

/* Functions of the runtime, by the names that PTX calls. */
extern "C" {
__device__ inline void* memcpy(void* to, const void* from, size_t bytes) { return __builtin_memcpy(to, from, bytes); }
__device__ inline void* memset(void* to, int byte, size_t bytes) { return __builtin_memset(to, byte, bytes); }
__device__ int printf(const char* format, ...);
__device__ void __assertfail(const char* what, const char* file, unsigned line, const char* function, size_t size);
/* NOLINTNEXTLINE(bugprone-reserved-identifier): called by the C library's assert. */
__device__ inline void __assert_fail(const char* what, const char* file, unsigned line, const char* function) {
  __assertfail(what, file, line, function, 1);
}
}

__device__ inline void __brkpt() { asm volatile("brkpt;"); }
__device__ inline void __trap() { asm volatile("trap;"); }
__device__ inline clock_t clock() { return __nvvm_read_ptx_sreg_clock(); }
__device__ inline long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
__device__ inline void __nanosleep(unsigned time) { asm volatile("nanosleep.u32 %0;" : : "r"(time)); }

__device__ inline int __popc(unsigned a) { return __builtin_popcount(a); }
__device__ inline int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
__device__ inline int __clz(int a) { return a == 0 ? 32 : __builtin_clz(static_cast<unsigned>(a)); }
__device__ inline int __clzll(long long a) { return a == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(a)); }
__device__ inline int __ffs(int a) { return __builtin_ffs(a); }
__device__ inline int __ffsll(long long a) { return __builtin_ffsll(a); }
__device__ inline unsigned __brev(unsigned a) { return __builtin_bitreverse32(a); }
__device__ inline unsigned long long __brevll(unsigned long long a) { return __builtin_bitreverse64(a); }
__device__ inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  return static_cast<unsigned>(__nvvm_prmt(a, b, selector));
}
__device__ inline int __mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
__device__ inline unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>(__nvvm_mulhi_ui(a, b)); }
__device__ inline long long __mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
__device__ inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(__nvvm_mulhi_ull(a, b));
}
__device__ inline int __mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
__device__ inline unsigned __umul24(unsigned a, unsigned b) { return static_cast<unsigned>(__nvvm_mul24_ui(a, b)); }

#define RECONVERGE_EXTREME(name, type, relation) \
  __host__ __device__ inline type name(type a, type b) { return b relation a ? b : a; }
RECONVERGE_EXTREME(umin, unsigned, <)
RECONVERGE_EXTREME(umax, unsigned, >)
RECONVERGE_EXTREME(llmin, long long, <)
RECONVERGE_EXTREME(llmax, long long, >)
RECONVERGE_EXTREME(ullmin, unsigned long long, <)
RECONVERGE_EXTREME(ullmax, unsigned long long, >)
#undef RECONVERGE_EXTREME

#define RECONVERGE_BITS(name, to, from) \
  __device__ inline to name(from a) { return __builtin_bit_cast(to, a); }
RECONVERGE_BITS(__float_as_int, int, float)
RECONVERGE_BITS(__float_as_uint, unsigned, float)
RECONVERGE_BITS(__int_as_float, float, int)
RECONVERGE_BITS(__uint_as_float, float, unsigned)
RECONVERGE_BITS(__double_as_longlong, long long, double)
RECONVERGE_BITS(__longlong_as_double, double, long long)
#undef RECONVERGE_BITS
__device__ inline int __double2hiint(double a) { return static_cast<int>(__double_as_longlong(a) >> 32); }
__device__ inline int __double2loint(double a) { return static_cast<int>(__double_as_longlong(a)); }
__device__ inline double __hiloint2double(int high, int low) {
  const unsigned long long upper = static_cast<unsigned>(high);
  return __longlong_as_double(static_cast<long long>((upper << 32) | static_cast<unsigned>(low)));
}

/* Averages, and sums of a difference. */
__device__ inline int __hadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b) >> 1); }
__device__ inline int __rhadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1); }
__device__ inline unsigned __uhadd(unsigned a, unsigned b) { return (a & b) + ((a ^ b) >> 1); }
__device__ inline unsigned __urhadd(unsigned a, unsigned b) { return (a | b) - ((a ^ b) >> 1); }
__device__ inline unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a < b ? b - a : a - b) + c; }
__device__ inline unsigned __sad(int a, int b, unsigned c) {
  const unsigned ua = static_cast<unsigned>(a);
  const unsigned ub = static_cast<unsigned>(b);
  return (a < b ? ub - ua : ua - ub) + c;
}

/* Loads and stores with a hint for the caches, which changes no result; cv and wt reach memory each time. The barrier
   to the compiler keeps them where they are in a loop that waits for another block. */
#define RECONVERGE_LOAD(name)                  \
  template <class T>                           \
  __device__ inline T name(const T* address) { \
    asm volatile("" : : : "memory");           \
    return *address;                           \
  }
#define RECONVERGE_STORE(name)                       \
  template <class T>                                 \
  __device__ inline void name(T* address, T value) { \
    *address = value;                                \
    asm volatile("" : : : "memory");                 \
  }
RECONVERGE_LOAD(__ldca)
RECONVERGE_LOAD(__ldcg)
RECONVERGE_LOAD(__ldcs)
RECONVERGE_LOAD(__ldcv)
RECONVERGE_LOAD(__ldlu)
RECONVERGE_STORE(__stcg)
RECONVERGE_STORE(__stcs)
RECONVERGE_STORE(__stwb)
RECONVERGE_STORE(__stwt)
#undef RECONVERGE_STORE
#undef RECONVERGE_LOAD
// SPDX-License-Identifier: Apache-2.0
