/* The Julia set as Popa (2004) runs it over a stream of points: listing 4.2, and the combination with a checkerboard of
   section 4.3.3, "two iteration loops nested inside a conditional".
   In clang's output, the two loops of checkerboard_julia remain separate, in the two sides of one branch. */

#include "platforms/kernels/julia_point.h"
#include "platforms/kernels/kernels.h"

namespace reconverge::kernels {

namespace {

/* The count of listing 4.2: one iteration precedes the first test. */
__device__ inline float julia_colour(Complex z, const Complex& c, unsigned limit) {
  unsigned n = 0;
  z = iterated(z, c);
  while (goes_on(z, n, limit)) {
    z = iterated(z, c);
    ++n;
  }
  return colour_of(n, limit);
}

}  // namespace

extern "C" {

__global__ void julia_colours(const Float4* points, float c_real, float c_imaginary, unsigned limit, float* colours,
                              unsigned count) {
  const unsigned index = global_thread();
  if (index >= count) return;
  const Float4 point = load_float4(points, index);
  colours[index] = julia_colour({point.x, point.y}, {c_real, c_imaginary}, limit);
}

__global__ void checkerboard_julia(const Float4* points, float c_real_even, float c_imaginary_even, unsigned limit_even,
                                   float c_real_odd, float c_imaginary_odd, unsigned limit_odd, float* colours,
                                   unsigned count) {
  const unsigned index = global_thread();
  if (index >= count) return;
  const Float4 point = load_float4(points, index);
  const unsigned square =
      static_cast<unsigned>((point.x + 2.0F) * 2.0F) + static_cast<unsigned>((point.y + 2.0F) * 2.0F);
  if ((square & 1U) == 0) {
    colours[index] = julia_colour({point.x, point.y}, {c_real_even, c_imaginary_even}, limit_even);
  } else {
    colours[index] = julia_colour({point.x, point.y}, {c_real_odd, c_imaginary_odd}, limit_odd);
  }
}

__global__ void picture_points(Float4* points, unsigned width, unsigned height, float scale) {
  const unsigned index = global_thread();
  if (index >= width * height) return;
  const float x = 2.0F * (static_cast<float>(index % width) + 0.5F) / static_cast<float>(width) - 1.0F;
  const float y = 2.0F * (static_cast<float>(index / width) + 0.5F) / static_cast<float>(height) - 1.0F;
  write_float4(points + index, {x * scale, y * scale, 0.0F, 0.0F});
}
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
