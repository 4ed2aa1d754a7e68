#pragma once
/* CUDA's complex numbers: vectors of two, and functions for them. */

#include <math.h>

#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* The letter f in a name means float; names for double have no letter. */
#define RECONVERGE_COMPLEX(scalar, complex, f, C, make, root)                                           \
  __host__ __device__ inline complex make(scalar x, scalar y) { return {x, y}; }                        \
  __host__ __device__ inline scalar cuCreal##f(complex a) { return a.x; }                               \
  __host__ __device__ inline scalar cuCimag##f(complex a) { return a.y; }                               \
  __host__ __device__ inline complex cuConj##f(complex a) { return {a.x, -a.y}; }                       \
  __host__ __device__ inline complex cuCadd##f(complex a, complex b) { return {a.x + b.x, a.y + b.y}; } \
  __host__ __device__ inline complex cuCsub##f(complex a, complex b) { return {a.x - b.x, a.y - b.y}; } \
  __host__ __device__ inline complex cuCmul##f(complex a, complex b) {                                  \
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                              \
  }                                                                                                     \
  __host__ __device__ inline complex cuCfma##f(complex a, complex b, complex c) {                       \
    return cuCadd##f(cuCmul##f(a, b), c);                                                               \
  }                                                                                                     \
  /* Scaled, so that squares neither overflow nor vanish. */                                            \
  __host__ __device__ inline complex cuCdiv##f(complex a, complex b) {                                  \
    const scalar scale = 1 / ((b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y));                         \
    const complex s = {a.x * scale, a.y * scale};                                                       \
    const complex t = {b.x * scale, b.y * scale};                                                       \
    const scalar one = 1 / (t.x * t.x + t.y * t.y);                                                     \
    return {(s.x * t.x + s.y * t.y) * one, (s.y * t.x - s.x * t.y) * one};                              \
  }                                                                                                     \
  __host__ __device__ inline scalar cuCabs##f(complex a) {                                              \
    const scalar x = a.x < 0 ? -a.x : a.x;                                                              \
    const scalar y = a.y < 0 ? -a.y : a.y;                                                              \
    const scalar large = x < y ? y : x;                                                                 \
    const scalar small = x < y ? x : y;                                                                 \
    if (large == 0 || large > C) return x + y;                                                          \
    return large * root(1 + (small / large) * (small / large));                                         \
  }
RECONVERGE_COMPLEX(float, cuFloatComplex, f, 3.402823466e38F, make_cuFloatComplex, sqrtf)
RECONVERGE_COMPLEX(double, cuDoubleComplex, , 1.79769313486231570e+308, make_cuDoubleComplex, sqrt)
#undef RECONVERGE_COMPLEX
__host__ __device__ inline cuComplex make_cuComplex(float x, float y) { return {x, y}; }
__host__ __device__ inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
__host__ __device__ inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y)};
}
// SPDX-License-Identifier: Apache-2.0
