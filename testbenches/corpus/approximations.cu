/* The functions that PTX only approximates. The twin computes the result nearest to the exact one, which our lanes
   guarantee; a GPU only comes close to it. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {

#if defined(__CUDA__) || defined(__CUDACC__)

__device__ inline float reciprocal(float a) {
  float d;
  asm("rcp.approx.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}
__device__ inline float square_root(float a) {
  float d;
  asm("sqrt.approx.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}
__device__ inline float reciprocal_root(float a) {
  float d;
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}
__device__ inline float sine(float a) {
  float d;
  asm("sin.approx.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}
__device__ inline float cosine(float a) {
  float d;
  asm("cos.approx.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}
__device__ inline float logarithm(float a) {
  float d;
  asm("lg2.approx.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}
__device__ inline float power(float a) {
  float d;
  asm("ex2.approx.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}
__device__ inline float quotient(float a, float b) {
  float d;
  asm("div.approx.f32 %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b));
  return d;
}
__device__ inline float full_quotient(float a, float b) {
  float d;
  asm("div.full.f32 %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b));
  return d;
}

#else

/* No result of these is so close to the middle between two floats that rounding twice matters. */
using Exact = long double;
inline float nearest(Exact exact) { return static_cast<float>(exact); }
inline float reciprocal(float a) { return nearest(1 / Exact(a)); }
inline float square_root(float a) { return nearest(std::sqrt(Exact(a))); }
inline float reciprocal_root(float a) { return nearest(1 / std::sqrt(Exact(a))); }
inline float sine(float a) { return nearest(std::sin(Exact(a))); }
inline float cosine(float a) { return nearest(std::cos(Exact(a))); }
inline float logarithm(float a) { return nearest(std::log2(Exact(a))); }
inline float power(float a) { return nearest(std::exp2(Exact(a))); }
inline float quotient(float a, float b) { return nearest(Exact(a) / Exact(b)); }
inline float full_quotient(float a, float b) { return quotient(a, b); }

#endif

/* 2^-4 to 2^4, every fraction. */
__device__ inline float operand(unsigned word) {
  const unsigned bits = (word & 0x7fffffU) | ((123 + (word >> 24) % 8) << 23);
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace

extern "C" __global__ void approximations(Input input, unsigned* output, unsigned* sums) {
  const unsigned n = thread_number();
  for (unsigned round = 0; round < 2; ++round) {
    const float a = operand(input[n + 256 * round]);
    const float b = operand(input[n + 512 + 128 * round]);
    unsigned* const own = output + 32 * n + 16 * round;
    own[0] = bits_of(a);
    own[1] = bits_of(b);
    own[2] = bits_of(reciprocal(a));
    own[3] = bits_of(square_root(a));
    own[4] = bits_of(reciprocal_root(a));
    own[5] = bits_of(sine(a));
    own[6] = bits_of(cosine(a));
    own[7] = bits_of(logarithm(a));
    own[8] = bits_of(power(a));
    own[9] = bits_of(quotient(a, b));
    own[10] = bits_of(full_quotient(a, b));
    atomic_add(&sums[n % 256], 1);
  }
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
