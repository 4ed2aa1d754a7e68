#pragma once
/* CUDA's intrinsic functions of floating point: with a rounding mode in the name, or of low accuracy ("Intrinsic
   Functions" of the programming guide). */

#define RECONVERGE_ONE(name, type, builtin) \
  __device__ inline type name(type a) { return builtin(a); }
RECONVERGE_ONE(__sinf, float, __nvvm_sin_approx_f)
RECONVERGE_ONE(__cosf, float, __nvvm_cos_approx_f)
RECONVERGE_ONE(__log2f, float, __nvvm_lg2_approx_f)
RECONVERGE_ONE(__exp2f, float, __nvvm_ex2_approx_f)
RECONVERGE_ONE(__frsqrt_rn, float, __nvvm_rsqrt_approx_f)
RECONVERGE_ONE(__saturatef, float, __nvvm_saturate_f)
#undef RECONVERGE_ONE
__device__ inline float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
__device__ inline float __tanf(float a) { return __nvvm_div_approx_f(__sinf(a), __cosf(a)); }
__device__ __forceinline__ void __sincosf(float a, float* sine, float* cosine) {
  *sine = __sinf(a), *cosine = __cosf(a);
}
/* With base 2. */
__device__ inline float __expf(float a) { return __nvvm_ex2_approx_f(a * 1.44269504F); }
__device__ inline float __exp10f(float a) { return __nvvm_ex2_approx_f(a * 3.32192809F); }
__device__ inline float __logf(float a) { return __nvvm_lg2_approx_f(a) * 0.69314718F; }
__device__ inline float __log10f(float a) { return __nvvm_lg2_approx_f(a) * 0.30103000F; }
__device__ inline float __powf(float a, float b) { return __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a)); }

/* Nearest. Sums and products are in assembly, because a compiler may fuse the builtins into multiply-adds, which CUDA
   excludes. PTX and its builtins say m and p where CUDA says d and u. */
#define RECONVERGE_ONE(name, type, letter, operation)           \
  __device__ inline type name(type a) {                         \
    type result;                                                \
    asm(operation " %0, %1;" : "=" letter(result) : letter(a)); \
    return result;                                              \
  }
#define RECONVERGE_TWO(name, type, letter, operation)                          \
  __device__ inline type name(type a, type b) {                                \
    type result;                                                               \
    asm(operation " %0, %1, %2;" : "=" letter(result) : letter(a), letter(b)); \
    return result;                                                             \
  }
#define RECONVERGE_THREE(name, type, letter, operation)                                       \
  __device__ inline type name(type a, type b, type c) {                                       \
    type result;                                                                              \
    asm(operation " %0, %1, %2, %3;" : "=" letter(result) : letter(a), letter(b), letter(c)); \
    return result;                                                                            \
  }
#define RECONVERGE_SUMS(mode, in_ptx)                              \
  RECONVERGE_TWO(__fadd_##mode, float, "f", "add." in_ptx ".f32")  \
  RECONVERGE_TWO(__fsub_##mode, float, "f", "sub." in_ptx ".f32")  \
  RECONVERGE_TWO(__fmul_##mode, float, "f", "mul." in_ptx ".f32")  \
  RECONVERGE_TWO(__dadd_##mode, double, "d", "add." in_ptx ".f64") \
  RECONVERGE_TWO(__dsub_##mode, double, "d", "sub." in_ptx ".f64") \
  RECONVERGE_TWO(__dmul_##mode, double, "d", "mul." in_ptx ".f64")
#define RECONVERGE_OTHERS(mode, in_ptx)                             \
  RECONVERGE_TWO(__fdiv_##mode, float, "f", "div." in_ptx ".f32")   \
  RECONVERGE_THREE(__fmaf_##mode, float, "f", "fma." in_ptx ".f32") \
  RECONVERGE_ONE(__frcp_##mode, float, "f", "rcp." in_ptx ".f32")   \
  RECONVERGE_ONE(__fsqrt_##mode, float, "f", "sqrt." in_ptx ".f32") \
  RECONVERGE_TWO(__ddiv_##mode, double, "d", "div." in_ptx ".f64")  \
  RECONVERGE_THREE(__fma_##mode, double, "d", "fma." in_ptx ".f64") \
  RECONVERGE_ONE(__drcp_##mode, double, "d", "rcp." in_ptx ".f64")  \
  RECONVERGE_ONE(__dsqrt_##mode, double, "d", "sqrt." in_ptx ".f64")
RECONVERGE_SUMS(rn, "rn")
RECONVERGE_SUMS(rz, "rz")
RECONVERGE_SUMS(ru, "rp")
RECONVERGE_SUMS(rd, "rm")
RECONVERGE_OTHERS(rz, "rz")
RECONVERGE_OTHERS(ru, "rp")
RECONVERGE_OTHERS(rd, "rm")
#undef RECONVERGE_OTHERS
#undef RECONVERGE_SUMS
#undef RECONVERGE_THREE
#undef RECONVERGE_TWO
#undef RECONVERGE_ONE
__device__ inline float __fdiv_rn(float a, float b) { return __nvvm_div_rn_f(a, b); }
__device__ inline float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__device__ inline float __frcp_rn(float a) { return __nvvm_rcp_rn_f(a); }
__device__ inline float __fsqrt_rn(float a) { return __nvvm_sqrt_rn_f(a); }
__device__ inline double __ddiv_rn(double a, double b) { return __nvvm_div_rn_d(a, b); }
__device__ inline double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
__device__ inline double __drcp_rn(double a) { return __nvvm_rcp_rn_d(a); }
__device__ inline double __dsqrt_rn(double a) { return __nvvm_sqrt_rn_d(a); }

#define RECONVERGE_CONVERSION(name, to, from, builtin) \
  __device__ inline to name(from a) { return static_cast<to>(builtin(a)); }
#define RECONVERGE_CONVERSIONS(mode, in_ptx)                                                    \
  RECONVERGE_CONVERSION(__float2int_##mode, int, float, __nvvm_f2i_##in_ptx)                    \
  RECONVERGE_CONVERSION(__float2uint_##mode, unsigned, float, __nvvm_f2ui_##in_ptx)             \
  RECONVERGE_CONVERSION(__float2ll_##mode, long long, float, __nvvm_f2ll_##in_ptx)              \
  RECONVERGE_CONVERSION(__float2ull_##mode, unsigned long long, float, __nvvm_f2ull_##in_ptx)   \
  RECONVERGE_CONVERSION(__int2float_##mode, float, int, __nvvm_i2f_##in_ptx)                    \
  RECONVERGE_CONVERSION(__uint2float_##mode, float, unsigned, __nvvm_ui2f_##in_ptx)             \
  RECONVERGE_CONVERSION(__ll2float_##mode, float, long long, __nvvm_ll2f_##in_ptx)              \
  RECONVERGE_CONVERSION(__ull2float_##mode, float, unsigned long long, __nvvm_ull2f_##in_ptx)   \
  RECONVERGE_CONVERSION(__double2float_##mode, float, double, __nvvm_d2f_##in_ptx)              \
  RECONVERGE_CONVERSION(__double2int_##mode, int, double, __nvvm_d2i_##in_ptx)                  \
  RECONVERGE_CONVERSION(__double2uint_##mode, unsigned, double, __nvvm_d2ui_##in_ptx)           \
  RECONVERGE_CONVERSION(__double2ll_##mode, long long, double, __nvvm_d2ll_##in_ptx)            \
  RECONVERGE_CONVERSION(__double2ull_##mode, unsigned long long, double, __nvvm_d2ull_##in_ptx) \
  RECONVERGE_CONVERSION(__ll2double_##mode, double, long long, __nvvm_ll2d_##in_ptx)            \
  RECONVERGE_CONVERSION(__ull2double_##mode, double, unsigned long long, __nvvm_ull2d_##in_ptx)
RECONVERGE_CONVERSIONS(rn, rn)
RECONVERGE_CONVERSIONS(rz, rz)
RECONVERGE_CONVERSIONS(ru, rp)
RECONVERGE_CONVERSIONS(rd, rm)
#undef RECONVERGE_CONVERSIONS
#undef RECONVERGE_CONVERSION
__device__ inline double __int2double_rn(int a) { return a; }
__device__ inline double __uint2double_rn(unsigned a) { return a; }
// SPDX-License-Identifier: Apache-2.0
