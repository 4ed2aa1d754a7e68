#pragma once
/* Arithmetic and comparisons of half precision. On the host, float is precise enough that rounding twice equals
   rounding once. */

namespace reconverge {

__host__ __device__ inline __half half_nan() { return __ushort_as_half(0x7fff); }
__host__ __device__ inline __half absolute(__half a) {
  return __ushort_as_half(static_cast<unsigned short>(__half_as_ushort(a) & 0x7fffU));
}
__host__ __device__ inline __half negative(__half a) {
  return __ushort_as_half(static_cast<unsigned short>(__half_as_ushort(a) ^ 0x8000U));
}
/* From zero to one; NaN becomes zero. */
inline float saturate(float a) { return a > 1 ? 1 : a > 0 ? a : 0; }

}  // namespace reconverge

__host__ __device__ inline __half __hneg(__half a) { return reconverge::negative(a); }
__host__ __device__ inline __half __habs(__half a) { return reconverge::absolute(a); }

#define RECONVERGE_TWO(name, instruction, on_host)                                          \
  __host__ __device__ inline __half name(__half a, __half b) {                              \
    unsigned short result;                                                                  \
    RECONVERGE_PTX(asm(instruction ".f16 %0, %1, %2;"                                       \
                       : "=h"(result)                                                       \
                       : "h"(__half_as_ushort(a)), "h"(__half_as_ushort(b))),               \
                   const float x = __half2float(a);                                         \
                   const float y = __half2float(b); result = reconverge::half_rn(on_host)); \
    return __ushort_as_half(result);                                                        \
  }
RECONVERGE_TWO(__hadd, "add", x + y)
RECONVERGE_TWO(__hsub, "sub", x - y)
RECONVERGE_TWO(__hmul, "mul", (x * y))
RECONVERGE_TWO(__hadd_rn, "add.rn", x + y)
RECONVERGE_TWO(__hsub_rn, "sub.rn", x - y)
RECONVERGE_TWO(__hmul_rn, "mul.rn", (x * y))
RECONVERGE_TWO(__hadd_sat, "add.sat", reconverge::saturate(x + y))
RECONVERGE_TWO(__hsub_sat, "sub.sat", reconverge::saturate(x - y))
RECONVERGE_TWO(__hmul_sat, "mul.sat", reconverge::saturate((x * y)))
#undef RECONVERGE_TWO
__host__ __device__ inline __half __hdiv(__half a, __half b) { return __float2half(__half2float(a) / __half2float(b)); }

/* False if an operand is NaN; with u in the name, true. */
#define RECONVERGE_COMPARE(name, in_ptx, relation)                                            \
  __host__ __device__ inline bool name(__half a, __half b) {                                  \
    unsigned short result;                                                                    \
    RECONVERGE_PTX(asm("{.reg .pred p; setp." in_ptx ".f16 p, %1, %2; selp.u16 %0, 1, 0, p;}" \
                       : "=h"(result)                                                         \
                       : "h"(__half_as_ushort(a)), "h"(__half_as_ushort(b))),                 \
                   const float x = __half2float(a);                                           \
                   const float y = __half2float(b); result = relation);                       \
    return result != 0;                                                                       \
  }
#define RECONVERGE_COMPARE_BOTH(name, relation, contrary) \
  RECONVERGE_COMPARE(__h##name, #name, x relation y)      \
  RECONVERGE_COMPARE(__h##name##u, #name "u", !(x contrary y))
RECONVERGE_COMPARE_BOTH(lt, <, >=)
RECONVERGE_COMPARE_BOTH(le, <=, >)
RECONVERGE_COMPARE_BOTH(gt, >, <=)
RECONVERGE_COMPARE_BOTH(ge, >=, <)
RECONVERGE_COMPARE(__heq, "eq", x == y)
RECONVERGE_COMPARE(__hequ, "equ", !(x < y || x > y))
RECONVERGE_COMPARE(__hne, "ne", (x < y || x > y))
RECONVERGE_COMPARE(__hneu, "neu", x != y)
#undef RECONVERGE_COMPARE_BOTH
#undef RECONVERGE_COMPARE
__host__ __device__ inline bool __hisnan(__half a) { return (__half_as_ushort(a) & 0x7fffU) > 0x7c00; }
/* -1 for minus infinity. */
__host__ __device__ inline int __hisinf(__half a) {
  return __half_as_ushort(a) == 0x7c00 ? 1 : __half_as_ushort(a) == 0xfc00 ? -1 : 0;
}

namespace reconverge {

inline __half extreme(__half a, __half b, bool greater) {
  const float x = __half2float(a);
  const float y = __half2float(b);
  if (x != x) return y != y ? half_nan() : b;
  const unsigned a_word = __half_as_ushort(a);
  const unsigned b_word = __half_as_ushort(b);
  if (x == y) return __ushort_as_half(static_cast<unsigned short>(greater ? a_word & b_word : a_word | b_word));
  return (greater ? y > x : y < x) ? b : a;
}

}  // namespace reconverge

/* A number takes precedence over NaN, and minus zero is less than zero. */
#define RECONVERGE_EXTREME(name, in_ptx, greater)                                           \
  __host__ __device__ inline __half name(__half a, __half b) {                              \
    RECONVERGE_PTX(float result; asm(in_ptx ".f32 %0, %1, %2;"                              \
                                     : "=f"(result)                                         \
                                     : "f"(__half2float(a)), "f"(__half2float(b)));         \
                   return __float2half(result), return reconverge::extreme(a, b, greater)); \
  }                                                                                         \
  __host__ __device__ inline __half name##_nan(__half a, __half b) {                        \
    return __hisnan(a) || __hisnan(b) ? reconverge::half_nan() : name(a, b);                \
  }
RECONVERGE_EXTREME(__hmin, "min", false)
RECONVERGE_EXTREME(__hmax, "max", true)
#undef RECONVERGE_EXTREME

#ifndef __CUDA_NO_HALF_OPERATORS__
#define RECONVERGE_OPERATOR(symbol, function)                                                                    \
  __host__ __device__ inline __half operator symbol(const __half& a, const __half& b) { return function(a, b); } \
  __host__ __device__ inline __half& operator symbol##=(__half& a, const __half& b) { return a = function(a, b); }
RECONVERGE_OPERATOR(+, __hadd)
RECONVERGE_OPERATOR(-, __hsub)
RECONVERGE_OPERATOR(*, __hmul)
RECONVERGE_OPERATOR(/, __hdiv)
#undef RECONVERGE_OPERATOR
#define RECONVERGE_OPERATOR(symbol, function)                                                                         \
  __host__ __device__ inline __half& operator symbol(__half& a) { return a = function(a, __ushort_as_half(0x3c00)); } \
  __host__ __device__ inline __half operator symbol(__half& a, int) {                                                 \
    const __half old = a;                                                                                             \
    symbol a;                                                                                                         \
    return old;                                                                                                       \
  }
RECONVERGE_OPERATOR(++, __hadd)
RECONVERGE_OPERATOR(--, __hsub)
#undef RECONVERGE_OPERATOR
__host__ __device__ inline __half operator+(const __half& a) { return a; }
__host__ __device__ inline __half operator-(const __half& a) { return __hneg(a); }
#define RECONVERGE_OPERATOR(symbol, function) \
  __host__ __device__ inline bool operator symbol(const __half& a, const __half& b) { return function(a, b); }
RECONVERGE_OPERATOR(==, __heq)
RECONVERGE_OPERATOR(!=, __hneu)
RECONVERGE_OPERATOR(<, __hlt)
RECONVERGE_OPERATOR(<=, __hle)
RECONVERGE_OPERATOR(>, __hgt)
RECONVERGE_OPERATOR(>=, __hge)
#undef RECONVERGE_OPERATOR
#endif
// SPDX-License-Identifier: Apache-2.0
