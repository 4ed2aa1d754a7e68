/* Neighbouring pixels iterate nearly, but not quite, the same number of times. */

#include "platforms/kernels/kernels.h"

namespace reconverge::kernels {

extern "C" __global__ void julia(float c_real, float c_imaginary, unsigned width, unsigned height, unsigned limit,
                                 unsigned* iterations) {
  const unsigned x = block_index().x * block_size().x + thread_index().x;
  const unsigned y = block_index().y * block_size().y + thread_index().y;
  if (x >= width || y >= height) return;
  float real = 3.0F * (static_cast<float>(x) + 0.5F) / static_cast<float>(width) - 1.5F;
  float imaginary = 3.0F * (static_cast<float>(y) + 0.5F) / static_cast<float>(height) - 1.5F;
  unsigned n = 0;
  while (n < limit && fma(real, real, imaginary * imaginary) <= 4.0F) {
    const float next = fma(real, real, fma(-imaginary, imaginary, c_real));
    imaginary = fma(2.0F * real, imaginary, c_imaginary);
    real = next;
    ++n;
  }
  iterations[y * width + x] = n;
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
