#pragma once
/* Two halves in a word: the low one is x. Device code computes both by one instruction. */

struct alignas(4) __half2_raw {
  unsigned short x, y;
};

struct alignas(4) __half2 {
  __half x, y;

  __half2() = default;
#ifdef __CUDA_ARCH__
  /* One instruction; the compiler's own code would be four. */
  __host__ __device__ __half2(const __half& a, const __half& b) {
    unsigned word;
    asm("mov.b32 %0, {%1, %2};" : "=r"(word) : "h"(__half_as_ushort(a)), "h"(__half_as_ushort(b)));
    *this = __builtin_bit_cast(__half2, word);
  }
#else
  __host__ __device__ constexpr __half2(const __half& a, const __half& b) : x(a), y(b) {}
#endif
  /* NOLINTBEGIN(google-explicit-constructor,hicpp-explicit-conversions): CUDA's conversions are implicit. */
  __host__ __device__ __half2(const __half2_raw& a) : __half2(__ushort_as_half(a.x), __ushort_as_half(a.y)) {}
  __host__ __device__ operator __half2_raw() const { return {__half_as_ushort(x), __half_as_ushort(y)}; }
  /* NOLINTEND(google-explicit-constructor,hicpp-explicit-conversions) */
};

#ifndef CUDA_NO_HALF
typedef __half2 half2;
typedef __half2 nv_half2;
#endif
typedef __half2 __nv_half2;
typedef __half2_raw __nv_half2_raw;

__host__ __device__ inline __half2 make_half2(__half a, __half b) { return {a, b}; }
__host__ __device__ inline __half2 __halves2half2(__half a, __half b) { return {a, b}; }
__host__ __device__ inline __half2 __half2half2(__half a) { return {a, a}; }
__host__ __device__ inline __half __low2half(__half2 a) { return a.x; }
__host__ __device__ inline __half __high2half(__half2 a) { return a.y; }
__host__ __device__ inline __half2 __low2half2(__half2 a) { return {a.x, a.x}; }
__host__ __device__ inline __half2 __high2half2(__half2 a) { return {a.y, a.y}; }
__host__ __device__ inline __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
__host__ __device__ inline __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
__host__ __device__ inline __half2 __lowhigh2highlow(__half2 a) { return {a.y, a.x}; }
__host__ __device__ inline float __low2float(__half2 a) { return __half2float(a.x); }
__host__ __device__ inline float __high2float(__half2 a) { return __half2float(a.y); }
__host__ __device__ inline float2 __half22float2(__half2 a) { return {__low2float(a), __high2float(a)}; }
__host__ __device__ inline __half2 __floats2half2_rn(float a, float b) { return {__float2half(a), __float2half(b)}; }
__host__ __device__ inline __half2 __float22half2_rn(float2 a) { return __floats2half2_rn(a.x, a.y); }
__host__ __device__ inline __half2 __float2half2_rn(float a) { return __half2half2(__float2half(a)); }

namespace reconverge {

__host__ __device__ inline unsigned word_of(__half2 a) { return __builtin_bit_cast(unsigned, a); }
__host__ __device__ inline __half2 pair_of(unsigned a) { return __builtin_bit_cast(__half2, a); }

}  // namespace reconverge

__host__ __device__ inline __half2 __hneg2(__half2 a) {
  return reconverge::pair_of(reconverge::word_of(a) ^ 0x80008000U);
}
__host__ __device__ inline __half2 __habs2(__half2 a) {
  return reconverge::pair_of(reconverge::word_of(a) & 0x7fff7fffU);
}

#define RECONVERGE_TWO(name, instruction, on_host)                                                            \
  __host__ __device__ inline __half2 name(__half2 a, __half2 b) {                                             \
    RECONVERGE_PTX(unsigned result; asm(instruction ".f16x2 %0, %1, %2;"                                      \
                                        : "=r"(result)                                                        \
                                        : "r"(reconverge::word_of(a)), "r"(reconverge::word_of(b)));          \
                   return reconverge::pair_of(result), return __half2(on_host(a.x, b.x), on_host(a.y, b.y))); \
  }
RECONVERGE_TWO(__hadd2, "add", __hadd)
RECONVERGE_TWO(__hsub2, "sub", __hsub)
RECONVERGE_TWO(__hmul2, "mul", __hmul)
RECONVERGE_TWO(__hadd2_rn, "add.rn", __hadd)
RECONVERGE_TWO(__hsub2_rn, "sub.rn", __hsub)
RECONVERGE_TWO(__hmul2_rn, "mul.rn", __hmul)
RECONVERGE_TWO(__hadd2_sat, "add.sat", __hadd_sat)
RECONVERGE_TWO(__hsub2_sat, "sub.sat", __hsub_sat)
RECONVERGE_TWO(__hmul2_sat, "mul.sat", __hmul_sat)
#undef RECONVERGE_TWO

#define RECONVERGE_TWO(name, function) \
  __host__ __device__ inline __half2 name(__half2 a, __half2 b) { return {function(a.x, b.x), function(a.y, b.y)}; }
RECONVERGE_TWO(__h2div, __hdiv)
RECONVERGE_TWO(__hmin2, __hmin)
RECONVERGE_TWO(__hmax2, __hmax)
RECONVERGE_TWO(__hmin2_nan, __hmin_nan)
RECONVERGE_TWO(__hmax2_nan, __hmax_nan)
#undef RECONVERGE_TWO

/* 1 or 0 for each half; all bits or none for each half; and whether the comparison holds for both. 1 is 0x3c00. */
#define RECONVERGE_COMPARE(name)                                                                     \
  __host__ __device__ inline __half2 __h##name##2(__half2 a, __half2 b) {                            \
    RECONVERGE_PTX(unsigned result; asm("set." #name ".f16x2.f16x2 %0, %1, %2;"                      \
                                        : "=r"(result)                                               \
                                        : "r"(reconverge::word_of(a)), "r"(reconverge::word_of(b))); \
                   return reconverge::pair_of(result),                                               \
                          return __half2(__ushort_as_half(__h##name(a.x, b.x) ? 0x3c00 : 0),         \
                                         __ushort_as_half(__h##name(a.y, b.y) ? 0x3c00 : 0)));       \
  }                                                                                                  \
  __host__ __device__ inline unsigned __h##name##2_mask(__half2 a, __half2 b) {                      \
    return (reconverge::word_of(__h##name##2(a, b)) >> 10 & 0x10001U) * 0xffffU;                     \
  }                                                                                                  \
  __host__ __device__ inline bool __hb##name##2(__half2 a, __half2 b) {                              \
    return reconverge::word_of(__h##name##2(a, b)) == 0x3c003c00U;                                   \
  }
RECONVERGE_COMPARE(eq)
RECONVERGE_COMPARE(ne)
RECONVERGE_COMPARE(lt)
RECONVERGE_COMPARE(le)
RECONVERGE_COMPARE(gt)
RECONVERGE_COMPARE(ge)
RECONVERGE_COMPARE(equ)
RECONVERGE_COMPARE(neu)
RECONVERGE_COMPARE(ltu)
RECONVERGE_COMPARE(leu)
RECONVERGE_COMPARE(gtu)
RECONVERGE_COMPARE(geu)
#undef RECONVERGE_COMPARE
__host__ __device__ inline __half2 __hisnan2(__half2 a) { return __hneu2(a, a); }

#ifndef __CUDA_NO_HALF2_OPERATORS__
#define RECONVERGE_OPERATOR(symbol, function)                                                                       \
  __host__ __device__ inline __half2 operator symbol(const __half2& a, const __half2& b) { return function(a, b); } \
  __host__ __device__ inline __half2& operator symbol##=(__half2& a, const __half2& b) { return a = function(a, b); }
RECONVERGE_OPERATOR(+, __hadd2)
RECONVERGE_OPERATOR(-, __hsub2)
RECONVERGE_OPERATOR(*, __hmul2)
RECONVERGE_OPERATOR(/, __h2div)
#undef RECONVERGE_OPERATOR
#define RECONVERGE_OPERATOR(symbol, function)                           \
  __host__ __device__ inline __half2& operator symbol(__half2& a) {     \
    return a = function(a, reconverge::pair_of(0x3c003c00U));           \
  }                                                                     \
  __host__ __device__ inline __half2 operator symbol(__half2& a, int) { \
    const __half2 old = a;                                              \
    symbol a;                                                           \
    return old;                                                         \
  }
RECONVERGE_OPERATOR(++, __hadd2)
RECONVERGE_OPERATOR(--, __hsub2)
#undef RECONVERGE_OPERATOR
__host__ __device__ inline __half2 operator+(const __half2& a) { return a; }
__host__ __device__ inline __half2 operator-(const __half2& a) { return __hneg2(a); }
/* True if the comparison holds for both halves, also for !=. */
#define RECONVERGE_OPERATOR(symbol, function) \
  __host__ __device__ inline bool operator symbol(const __half2& a, const __half2& b) { return function(a, b); }
RECONVERGE_OPERATOR(==, __hbeq2)
RECONVERGE_OPERATOR(!=, __hbneu2)
RECONVERGE_OPERATOR(<, __hblt2)
RECONVERGE_OPERATOR(<=, __hble2)
RECONVERGE_OPERATOR(>, __hbgt2)
RECONVERGE_OPERATOR(>=, __hbge2)
#undef RECONVERGE_OPERATOR
#endif
// SPDX-License-Identifier: Apache-2.0
