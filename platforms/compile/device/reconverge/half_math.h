#pragma once
/* Mathematics of half precision, of device code: multiply-adds, and functions, which are computed in float. Square
   roots are rounded correctly; the other functions are off by at most one unit of the last place. */

#define RECONVERGE_THREE(name, name2, instruction)                                                                  \
  __device__ inline __half name(__half a, __half b, __half c) {                                                     \
    unsigned short result = 0;                                                                                      \
    RECONVERGE_PTX(asm(instruction ".f16 %0, %1, %2, %3;"                                                           \
                       : "=h"(result)                                                                               \
                       : "h"(__half_as_ushort(a)), "h"(__half_as_ushort(b)), "h"(__half_as_ushort(c))), );          \
    return __ushort_as_half(result);                                                                                \
  }                                                                                                                 \
  __device__ inline __half2 name2(__half2 a, __half2 b, __half2 c) {                                                \
    unsigned result = 0;                                                                                            \
    RECONVERGE_PTX(asm(instruction ".f16x2 %0, %1, %2, %3;"                                                         \
                       : "=r"(result)                                                                               \
                       : "r"(reconverge::word_of(a)), "r"(reconverge::word_of(b)), "r"(reconverge::word_of(c))), ); \
    return reconverge::pair_of(result);                                                                             \
  }
RECONVERGE_THREE(__hfma, __hfma2, "fma.rn")
RECONVERGE_THREE(__hfma_sat, __hfma2_sat, "fma.rn.sat")
#undef RECONVERGE_THREE
/* Negative results become zero. */
__device__ inline __half __hfma_relu(__half a, __half b, __half c) {
  return __hmax_nan(__hfma(a, b, c), __ushort_as_half(0));
}
__device__ inline __half2 __hfma2_relu(__half2 a, __half2 b, __half2 c) {
  return __hmax2_nan(__hfma2(a, b, c), reconverge::pair_of(0));
}
/* Operations on complex numbers, whose real part is x. */
__device__ inline __half2 __hcmadd(__half2 a, __half2 b, __half2 c) {
  return {__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}

namespace reconverge {

__device__ inline float half_rcp(float a) {
  float result = 0;
  RECONVERGE_PTX(asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(a)), );
  return result;
}
__device__ inline float half_exp2(float a) { return __nvvm_ex2_approx_f(a); }
__device__ inline float half_exp(float a) { return half_exp2(a * 1.44269504F); }
__device__ inline float half_exp10(float a) { return half_exp2(a * 3.32192809F); }
__device__ inline float half_log2(float a) { return __nvvm_lg2_approx_f(a); }
__device__ inline float half_log(float a) { return half_log2(a) * 0.69314718F; }
__device__ inline float half_log10(float a) { return half_log2(a) * 0.30103000F; }

/* sin(a + quarters * pi / 2). The quarters of a half fit 16 bits, so that two parts of pi / 2 are enough; then Taylor's
   series, up to pi / 4. */
__device__ inline float half_sin(float a, int quarters) {
  const float whole = __builtin_rintf(a * 0.63661977F);
  const float rest = __builtin_fmaf(whole, 4.37113883e-8F, __builtin_fmaf(whole, -1.57079637F, a));
  const int quarter = static_cast<int>(whole) + quarters;
  const float square = rest * rest;
  const float sine = __builtin_fmaf(__builtin_fmaf(-1.98412698e-4F, square, 8.33333333e-3F), square, -0.166666667F);
  const float cosine = __builtin_fmaf(__builtin_fmaf(2.48015873e-5F, square, -1.38888889e-3F), square, 4.16666667e-2F);
  const float result = quarter % 2 == 0 ? __builtin_fmaf(sine * square, rest, rest)
                                        : __builtin_fmaf(__builtin_fmaf(cosine, square, -0.5F), square, 1.0F);
  return (quarter & 2) == 0 ? result : -result;
}

__device__ inline float half_tanh(float a) {
  const float square = a * a;
  const float series = __builtin_fmaf(__builtin_fmaf(-5.39682540e-2F, square, 0.133333333F), square, -0.333333333F);
  if (square < 0.0625F) return __builtin_fmaf(series * square, a, a);
  return 1.0F - __nvvm_div_approx_f(2.0F, 1.0F + half_exp2(a * 2.88539008F));
}

}  // namespace reconverge

/* Functions of a half, and of both halves of a pair. */
#define RECONVERGE_PAIR(name) \
  __device__ inline __half2 h2##name(__half2 a) { return {h##name(a.x), h##name(a.y)}; }
#define RECONVERGE_ONE(name, expression)       \
  __device__ inline __half h##name(__half a) { \
    const float x = __half2float(a);           \
    return __float2half(expression);           \
  }                                            \
  RECONVERGE_PAIR(name)
RECONVERGE_ONE(sqrt, __nvvm_sqrt_approx_f(x))
RECONVERGE_ONE(rsqrt, __nvvm_rsqrt_approx_f(x))
RECONVERGE_ONE(rcp, reconverge::half_rcp(x))
RECONVERGE_ONE(exp, reconverge::half_exp(x))
RECONVERGE_ONE(exp2, reconverge::half_exp2(x))
RECONVERGE_ONE(exp10, reconverge::half_exp10(x))
RECONVERGE_ONE(log, reconverge::half_log(x))
RECONVERGE_ONE(log2, reconverge::half_log2(x))
RECONVERGE_ONE(log10, reconverge::half_log10(x))
RECONVERGE_ONE(sin, reconverge::half_sin(x, 0))
RECONVERGE_ONE(cos, reconverge::half_sin(x, 1))
RECONVERGE_ONE(tanh, reconverge::half_tanh(x))
RECONVERGE_ONE(tanh_approx, reconverge::half_tanh(x))
#undef RECONVERGE_ONE

#define RECONVERGE_ROUND(name, mode)                                                                 \
  __device__ inline __half h##name(__half a) {                                                       \
    unsigned short result = 0;                                                                       \
    RECONVERGE_PTX(asm("cvt." mode ".f16.f16 %0, %1;" : "=h"(result) : "h"(__half_as_ushort(a))), ); \
    return __ushort_as_half(result);                                                                 \
  }                                                                                                  \
  RECONVERGE_PAIR(name)
RECONVERGE_ROUND(rint, "rni")
RECONVERGE_ROUND(trunc, "rzi")
RECONVERGE_ROUND(floor, "rmi")
RECONVERGE_ROUND(ceil, "rpi")
#undef RECONVERGE_ROUND
#undef RECONVERGE_PAIR
// SPDX-License-Identifier: Apache-2.0
