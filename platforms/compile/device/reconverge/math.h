#pragma once
/* Mathematics: functions of one or a few PTX instructions, and combinations of functions of libclc. Exact if CUDA is
   exact, `.approx` if CUDA's function of that name is. math_names.h declares most of them. */

#define RECONVERGE_ONE(name, type, builtin) \
  __device__ inline type name(type a) { return builtin(a); }
#define RECONVERGE_TWO(name, type, builtin) \
  __device__ inline type name(type a, type b) { return builtin(a, b); }
#define RECONVERGE_THREE(name, type, builtin) \
  __device__ inline type name(type a, type b, type c) { return builtin(a, b, c); }

/* By the C name for each type, and overloaded as in C++. */
#define RECONVERGE_BOTH(shape, name, for_float, for_double)                                \
  RECONVERGE_##shape(name##f, float, for_float) RECONVERGE_##shape(name, float, for_float) \
      RECONVERGE_##shape(name, double, for_double)

RECONVERGE_BOTH(ONE, sqrt, __nvvm_sqrt_rn_f, __nvvm_sqrt_rn_d)
RECONVERGE_BOTH(ONE, fabs, __builtin_fabsf, __builtin_fabs)
RECONVERGE_BOTH(ONE, floor, __builtin_floorf, __builtin_floor)
RECONVERGE_BOTH(ONE, ceil, __builtin_ceilf, __builtin_ceil)
RECONVERGE_BOTH(ONE, trunc, __builtin_truncf, __builtin_trunc)
RECONVERGE_BOTH(ONE, rint, __builtin_rintf, __builtin_rint)
RECONVERGE_BOTH(ONE, nearbyint, __builtin_rintf, __builtin_rint)
RECONVERGE_BOTH(ONE, round, __builtin_roundf, __builtin_round)
RECONVERGE_BOTH(ONE, rsqrt, __nvvm_rsqrt_approx_f, __nvvm_rsqrt_approx_d)
RECONVERGE_BOTH(TWO, fmin, __nvvm_fmin_f, __nvvm_fmin_d)
RECONVERGE_BOTH(TWO, fmax, __nvvm_fmax_f, __nvvm_fmax_d)
RECONVERGE_BOTH(TWO, copysign, __builtin_copysignf, __builtin_copysign)
RECONVERGE_BOTH(THREE, fma, __builtin_fmaf, __builtin_fma)
RECONVERGE_ONE(exp2f, float, __nvvm_ex2_approx_f)
RECONVERGE_ONE(exp2, float, __nvvm_ex2_approx_f)

#define RECONVERGE_ROUNDED(result, name, round_float, round_double)                         \
  __device__ inline result name##f(float a) { return static_cast<result>(round_float(a)); } \
  __device__ inline result name(float a) { return static_cast<result>(round_float(a)); }    \
  __device__ inline result name(double a) { return static_cast<result>(round_double(a)); }
RECONVERGE_ROUNDED(long, lrint, __builtin_rintf, __builtin_rint)
RECONVERGE_ROUNDED(long, lround, __builtin_roundf, __builtin_round)
RECONVERGE_ROUNDED(long long, llrint, __builtin_rintf, __builtin_rint)
RECONVERGE_ROUNDED(long long, llround, __builtin_roundf, __builtin_round)
#undef RECONVERGE_ROUNDED

/* For mixed signedness, both become unsigned, as in C. */
#define RECONVERGE_ORDER(type, a_type, b_type)                                                        \
  __host__ __device__ inline constexpr type min(a_type a, b_type b) {                                 \
    return static_cast<type>(b) < static_cast<type>(a) ? static_cast<type>(b) : static_cast<type>(a); \
  }                                                                                                   \
  __host__ __device__ inline constexpr type max(a_type a, b_type b) {                                 \
    return static_cast<type>(a) < static_cast<type>(b) ? static_cast<type>(b) : static_cast<type>(a); \
  }
#define RECONVERGE_ORDERS(type)                                 \
  RECONVERGE_ORDER(type, type, type)                            \
  RECONVERGE_ORDER(unsigned type, unsigned type, unsigned type) \
  RECONVERGE_ORDER(unsigned type, type, unsigned type)          \
  RECONVERGE_ORDER(unsigned type, unsigned type, type)
RECONVERGE_ORDERS(int)
RECONVERGE_ORDERS(long)
RECONVERGE_ORDERS(long long)
#undef RECONVERGE_ORDERS
#undef RECONVERGE_ORDER
/* A number takes precedence over NaN. */
#define RECONVERGE_ORDER(type, a_type, b_type, minimum, maximum)                                \
  __host__ __device__ inline type min(a_type a, b_type b) { return __builtin_##minimum(a, b); } \
  __host__ __device__ inline type max(a_type a, b_type b) { return __builtin_##maximum(a, b); }
RECONVERGE_ORDER(float, float, float, fminf, fmaxf)
RECONVERGE_ORDER(double, double, double, fmin, fmax)
RECONVERGE_ORDER(double, float, double, fmin, fmax)
RECONVERGE_ORDER(double, double, float, fmin, fmax)
#undef RECONVERGE_ORDER

RECONVERGE_ONE(abs, int, __builtin_abs)
RECONVERGE_ONE(abs, long, __builtin_labs)
RECONVERGE_ONE(abs, long long, __builtin_llabs)
RECONVERGE_ONE(labs, long, __builtin_labs)
RECONVERGE_ONE(llabs, long long, __builtin_llabs)
RECONVERGE_ONE(abs, float, __builtin_fabsf)
RECONVERGE_ONE(abs, double, __builtin_fabs)
__device__ inline float nanf(const char*) { return __builtin_nanf(""); }
__device__ inline double nan(const char*) { return __builtin_nan(""); }
__device__ inline float fdividef(float a, float b) { return a / b; }

#ifdef RECONVERGE_HAS_LIBRARY
/* By the C name for float. */
#define RECONVERGE_FLOAT(name) \
  __device__ inline float name##f(float a) { return name(a); }
RECONVERGE_EACH_ONE(RECONVERGE_FLOAT)
RECONVERGE_EACH_EXTRA(RECONVERGE_FLOAT)
#undef RECONVERGE_FLOAT
#define RECONVERGE_FLOAT(name) \
  __device__ inline float name##f(float a, float b) { return name(a, b); }
RECONVERGE_EACH_TWO(RECONVERGE_FLOAT)
#undef RECONVERGE_FLOAT
__device__ inline float frexpf(float a, int* exponent) { return frexp(a, exponent); }
__device__ inline float modff(float a, float* whole) { return modf(a, whole); }
__device__ inline float remquof(float a, float b, int* quotient) { return remquo(a, b, quotient); }
__device__ inline int ilogbf(float a) { return ilogb(a); }
__device__ inline float ldexpf(float a, int exponent) { return ldexp(a, exponent); }
__device__ inline float scalbn(float a, int exponent) { return ldexp(a, exponent); }
__device__ inline double scalbn(double a, int exponent) { return ldexp(a, exponent); }
__device__ inline float scalbnf(float a, int exponent) { return ldexp(a, exponent); }
/* Beyond an int the result is zero or infinite anyway. */
__device__ inline int __reconverge_exponent(long a) {
  return static_cast<int>(a < -9999 ? -9999 : a > 9999 ? 9999 : a);
}
__device__ inline float scalbln(float a, long exponent) { return ldexp(a, __reconverge_exponent(exponent)); }
__device__ inline double scalbln(double a, long exponent) { return ldexp(a, __reconverge_exponent(exponent)); }
__device__ inline float scalblnf(float a, long exponent) { return ldexp(a, __reconverge_exponent(exponent)); }
__device__ inline float powif(float a, int exponent) { return pown(a, exponent); }
__device__ inline double powi(double a, int exponent) { return pown(a, exponent); }

__device__ __forceinline__ void sincosf(float a, float* sine, float* cosine) { *sine = sincos(a, cosine); }
__device__ __forceinline__ void sincos(float a, float* sine, float* cosine) { *sine = sincos(a, cosine); }
__device__ __forceinline__ void sincos(double a, double* sine, double* cosine) { *sine = sincos(a, cosine); }
#define RECONVERGE_FOR(type, f)                                                                                \
  __device__ __forceinline__ void sincospi##f(type a, type* sine, type* cosine) {                              \
    *sine = sinpi(a), *cosine = cospi(a);                                                                      \
  }                                                                                                            \
  __device__ inline type rcbrt##f(type a) { return 1 / cbrt(a); }                                              \
  __device__ inline type rhypot##f(type a, type b) { return 1 / hypot(a, b); }                                 \
  __device__ inline type norm3d##f(type a, type b, type c) { return hypot(hypot(a, b), c); }                   \
  __device__ inline type norm4d##f(type a, type b, type c, type d) { return hypot(hypot(a, b), hypot(c, d)); } \
  __device__ inline type rnorm3d##f(type a, type b, type c) { return 1 / norm3d##f(a, b, c); }                 \
  __device__ inline type rnorm4d##f(type a, type b, type c, type d) { return 1 / norm4d##f(a, b, c, d); }      \
  __device__ inline type normcdf##f(type a) { return erfc(a * static_cast<type>(-0.70710678118654752440)) / 2; }
RECONVERGE_FOR(float, f)
RECONVERGE_FOR(double, )
#undef RECONVERGE_FOR
#else
#define RECONVERGE_FOR(type, f)                                                       \
  RECONVERGE_LIBRARY(sincos##f) void sincos##f(type a, type* sine, type* cosine);     \
  RECONVERGE_LIBRARY(sincospi##f) void sincospi##f(type a, type* sine, type* cosine); \
  RECONVERGE_LIBRARY(rcbrt##f) type rcbrt##f(type a);                                 \
  RECONVERGE_LIBRARY(rhypot##f) type rhypot##f(type a, type b);                       \
  RECONVERGE_LIBRARY(norm3d##f) type norm3d##f(type a, type b, type c);               \
  RECONVERGE_LIBRARY(normcdf##f) type normcdf##f(type a);
RECONVERGE_FOR(float, f)
RECONVERGE_FOR(double, )
#undef RECONVERGE_FOR
RECONVERGE_LIBRARY(frexpf) float frexpf(float a, int* exponent);
RECONVERGE_LIBRARY(modff) float modff(float a, float* whole);
RECONVERGE_LIBRARY(remquof) float remquof(float a, float b, int* quotient);
RECONVERGE_LIBRARY(ilogbf) int ilogbf(float a);
RECONVERGE_LIBRARY(ldexpf) float ldexpf(float a, int exponent);
RECONVERGE_LIBRARY(scalbn) float scalbnf(float a, int exponent);
RECONVERGE_LIBRARY(scalbn) float scalbn(float a, int exponent);
RECONVERGE_LIBRARY(scalbn) double scalbn(double a, int exponent);
RECONVERGE_LIBRARY(scalbln) float scalbln(float a, long exponent);
RECONVERGE_LIBRARY(scalbln) double scalbln(double a, long exponent);
#endif

#undef RECONVERGE_BOTH
#undef RECONVERGE_THREE
#undef RECONVERGE_TWO
#undef RECONVERGE_ONE
#undef RECONVERGE_EACH_ROUNDED
#undef RECONVERGE_EACH_SHORT_TWO
#undef RECONVERGE_EACH_SHORT_ONE
#undef RECONVERGE_EACH_EXTRA
#undef RECONVERGE_EACH_TWO
#undef RECONVERGE_EACH_ONE
#undef RECONVERGE_LIBRARY_STORES
#undef RECONVERGE_LIBRARY
#undef RECONVERGE_HAS_LIBRARY
// SPDX-License-Identifier: Apache-2.0
