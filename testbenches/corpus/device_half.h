#pragma once
/* Halves for both device compilers: one PTX instruction each. */

namespace reconverge::corpus {

__device__ inline unsigned short half_from(float a) {
  unsigned short d;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(d) : "f"(a));
  return d;
}
__device__ inline float float_from(unsigned short a) {
  float d;
  asm("cvt.f32.f16 %0, %1;" : "=f"(d) : "h"(a));
  return d;
}
__device__ inline unsigned short half_add(unsigned short a, unsigned short b) {
  unsigned short d;
  asm("{ add.f16 %0, %1, %2; }" : "=h"(d) : "h"(a), "h"(b));
  return d;
}
__device__ inline unsigned short half_multiply(unsigned short a, unsigned short b) {
  unsigned short d;
  asm("{ mul.rn.f16 %0, %1, %2; }" : "=h"(d) : "h"(a), "h"(b));
  return d;
}
__device__ inline unsigned short half_fused(unsigned short a, unsigned short b, unsigned short c) {
  unsigned short d;
  asm("{ fma.rn.f16 %0, %1, %2, %3; }" : "=h"(d) : "h"(a), "h"(b), "h"(c));
  return d;
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
