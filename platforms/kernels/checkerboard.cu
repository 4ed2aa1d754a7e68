/* The checkerboard of Popa (2004, listing 4.1): the smallest program with a branch in it. */

#include "platforms/kernels/kernels.h"

namespace reconverge::kernels {

namespace {

/* Prevents the compiler from turning a side into a conditional assignment: the thesis keeps both sides, "for
   illustration purposes". */
template <int side>
__device__ inline void stay_apart() {
#if defined(__CUDA__)
  asm volatile("// side %0" ::"n"(side));
#endif
}

}  // namespace

extern "C" __global__ void checkerboard(const Float4* points, float side, float* colours, unsigned count) {
  const unsigned index = global_thread();
  if (index >= count) return;
  const Float4 point = load_float4(points, index);
  const float squares = (round_down(quotient(point.x, side)) + round_down(quotient(point.y, side))) * 0.5F;
  float colour = 0.0F;
  if (squares - round_down(squares) > 0.25F) {
    stay_apart<0>();
  } else {
    stay_apart<1>();
    colour = 1.0F;
  }
  colours[index] = colour;
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
