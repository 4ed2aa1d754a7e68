#pragma once
/* Mathematics that is one PTX instruction, or a few: exact where CUDA is exact, `.approx` where CUDA's function of that
   name is. The others (sinf, expf, powf ...) are long programs of CUDA's library, which clang takes from a toolkit;
   they are refused by name. */

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
RECONVERGE_BOTH(ONE, rsqrt, __nvvm_rsqrt_approx_f, __nvvm_rsqrt_approx_d)
RECONVERGE_BOTH(TWO, fmin, __nvvm_fmin_f, __nvvm_fmin_d)
RECONVERGE_BOTH(TWO, fmax, __nvvm_fmax_f, __nvvm_fmax_d)
RECONVERGE_BOTH(TWO, copysign, __builtin_copysignf, __builtin_copysign)
RECONVERGE_BOTH(THREE, fma, __builtin_fmaf, __builtin_fma)

RECONVERGE_ONE(exp2f, float, __nvvm_ex2_approx_f)
RECONVERGE_ONE(__sinf, float, __nvvm_sin_approx_f)
RECONVERGE_ONE(__cosf, float, __nvvm_cos_approx_f)
RECONVERGE_ONE(__log2f, float, __nvvm_lg2_approx_f)
RECONVERGE_TWO(__fdividef, float, __nvvm_div_approx_f)
RECONVERGE_ONE(__frcp_rn, float, __nvvm_rcp_rn_f)
RECONVERGE_ONE(__fsqrt_rn, float, __nvvm_sqrt_rn_f)
RECONVERGE_ONE(__frsqrt_rn, float, __nvvm_rsqrt_approx_f)
RECONVERGE_TWO(__fadd_rn, float, __nvvm_add_rn_f)
RECONVERGE_TWO(__fmul_rn, float, __nvvm_mul_rn_f)
RECONVERGE_TWO(__fdiv_rn, float, __nvvm_div_rn_f)
RECONVERGE_THREE(__fmaf_rn, float, __builtin_fmaf)
RECONVERGE_ONE(__saturatef, float, __nvvm_saturate_f)
/* With base 2, as in the programming guide ("Intrinsic Functions"). */
__device__ inline float __expf(float a) { return __nvvm_ex2_approx_f(a * 1.44269504F); }
__device__ inline float __exp10f(float a) { return __nvvm_ex2_approx_f(a * 3.32192809F); }
__device__ inline float __logf(float a) { return __nvvm_lg2_approx_f(a) * 0.69314718F; }
__device__ inline float __log10f(float a) { return __nvvm_lg2_approx_f(a) * 0.30103000F; }
__device__ inline float __powf(float a, float b) { return __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a)); }

/* PTX and its builtins say m and p where CUDA says d and u. */
#define RECONVERGE_CONVERSIONS(mode, in_ptx)                                                                         \
  __device__ inline int __float2int_##mode(float a) { return __nvvm_f2i_##in_ptx(a); }                               \
  __device__ inline unsigned __float2uint_##mode(float a) { return static_cast<unsigned>(__nvvm_f2ui_##in_ptx(a)); } \
  __device__ inline float __int2float_##mode(int a) { return __nvvm_i2f_##in_ptx(a); }                               \
  __device__ inline float __uint2float_##mode(unsigned a) { return __nvvm_ui2f_##in_ptx(a); }
RECONVERGE_CONVERSIONS(rn, rn)
RECONVERGE_CONVERSIONS(rz, rz)
RECONVERGE_CONVERSIONS(ru, rp)
RECONVERGE_CONVERSIONS(rd, rm)
#undef RECONVERGE_CONVERSIONS

#define RECONVERGE_ORDER(type)                                                            \
  __host__ __device__ inline constexpr type min(type a, type b) { return b < a ? b : a; } \
  __host__ __device__ inline constexpr type max(type a, type b) { return a < b ? b : a; }
RECONVERGE_ORDER(int)
RECONVERGE_ORDER(unsigned)
RECONVERGE_ORDER(long)
RECONVERGE_ORDER(unsigned long)
RECONVERGE_ORDER(long long)
RECONVERGE_ORDER(unsigned long long)
#undef RECONVERGE_ORDER
RECONVERGE_TWO(min, float, __nvvm_fmin_f)
RECONVERGE_TWO(min, double, __nvvm_fmin_d)
RECONVERGE_TWO(max, float, __nvvm_fmax_f)
RECONVERGE_TWO(max, double, __nvvm_fmax_d)
RECONVERGE_ONE(abs, int, __builtin_abs)
RECONVERGE_ONE(abs, float, __builtin_fabsf)
RECONVERGE_ONE(abs, double, __builtin_fabs)

#define RECONVERGE_LACKS(name, type, ...)                                                                              \
  __attribute__((unavailable(#name " is of CUDA's own library: use an intrinsic such as __expf, or compile by nvcc"))) \
  __device__ type name(__VA_ARGS__);
#define RECONVERGE_LACKS_BOTH(name) \
  RECONVERGE_LACKS(name##f, float, float) RECONVERGE_LACKS(name, float, float) RECONVERGE_LACKS(name, double, double)
#define RECONVERGE_LACKS_BOTH_OF_TWO(name)       \
  RECONVERGE_LACKS(name##f, float, float, float) \
  RECONVERGE_LACKS(name, float, float, float) RECONVERGE_LACKS(name, double, double, double)
RECONVERGE_LACKS_BOTH(sin)
RECONVERGE_LACKS_BOTH(cos)
RECONVERGE_LACKS_BOTH(tan)
RECONVERGE_LACKS_BOTH(asin)
RECONVERGE_LACKS_BOTH(acos)
RECONVERGE_LACKS_BOTH(atan)
RECONVERGE_LACKS_BOTH(sinh)
RECONVERGE_LACKS_BOTH(cosh)
RECONVERGE_LACKS_BOTH(tanh)
RECONVERGE_LACKS_BOTH(exp)
RECONVERGE_LACKS_BOTH(log)
RECONVERGE_LACKS_BOTH(log2)
RECONVERGE_LACKS_BOTH(log10)
RECONVERGE_LACKS_BOTH(erf)
RECONVERGE_LACKS_BOTH(cbrt)
RECONVERGE_LACKS_BOTH(round)
RECONVERGE_LACKS_BOTH_OF_TWO(pow)
RECONVERGE_LACKS_BOTH_OF_TWO(fmod)
RECONVERGE_LACKS_BOTH_OF_TWO(atan2)
RECONVERGE_LACKS_BOTH_OF_TWO(hypot)
#undef RECONVERGE_LACKS_BOTH_OF_TWO
#undef RECONVERGE_LACKS_BOTH
#undef RECONVERGE_LACKS
#undef RECONVERGE_BOTH
#undef RECONVERGE_THREE
#undef RECONVERGE_TWO
#undef RECONVERGE_ONE
// SPDX-License-Identifier: Apache-2.0
