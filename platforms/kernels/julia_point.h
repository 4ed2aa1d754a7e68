#pragma once
/* The Julia set of listing 4.2 (Popa 2004), a step at a time. Products and sums are rounded one by one. */

#include "platforms/kernels/device.h"

namespace reconverge::kernels {

struct Complex {
  float real, imaginary;
};

__device__ inline Complex iterated(const Complex& z, const Complex& c) {
  return {z.real * z.real - z.imaginary * z.imaginary + c.real, 2.0F * z.real * z.imaginary + c.imaginary};
}

/* Whether z is iterated again, after n iterations. */
__device__ inline bool goes_on(const Complex& z, unsigned n, unsigned limit) {
  return n < limit && z.real * z.real + z.imaginary * z.imaginary <= 4.0F;
}

/* The colour of a point that has been iterated n times. */
__device__ inline float colour_of(unsigned n, unsigned limit) {
  return static_cast<float>(n) * (1.0F / (static_cast<float>(limit) + 1.0F));
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
