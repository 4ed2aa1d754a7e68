/* Popa (2004, section 4.5.2) measures the benefit of packing with this program: listing 4.2 with dummy instructions in
   its loop, "so the kernel has almost the maximum number of instructions allowed by the GPU (1024)", each of which
   depends on the one before. Points and colours are those of julia_colours. clang's output has the form of Fig. 4.14:
   LBB0_1 is the test of the loop, the body follows, and LBB0_3 is the code after the loop. */

#include "platforms/kernels/kernels.h"

namespace reconverge::kernels {

namespace {

/* 2^levels times a product and a sum, which map [0, 1] to [0, 1]. Compilers cannot derive this. */
template <unsigned levels>
[[gnu::always_inline]] __device__ inline float spend(float value) {
  if constexpr (levels == 0)
    return value * 0.5F + 0.25F;
  else
    return spend<levels - 1>(spend<levels - 1>(value));
}

/* Both comparisons, as in the listing: one branch. */
__device__ inline bool goes_on(float real, float imaginary, unsigned n, unsigned limit) {
  /* Without this, which is not an instruction, clang moves the test after the body, and both become one node. */
  asm volatile("");
  return (static_cast<unsigned>(n < limit) & static_cast<unsigned>(real * real + imaginary * imaginary <= 4.0F)) != 0;
}

}  // namespace

extern "C" {

__global__ void julia_padded(const Float4* points, float c_real, float c_imaginary, unsigned limit, float* colours) {
  const unsigned index = global_thread();
  const Float4 point = load_float4(points, index);
  float real = point.x * point.x - point.y * point.y + c_real;
  float imaginary = 2.0F * point.x * point.y + c_imaginary;
  unsigned n = 0;
  while (goes_on(real, imaginary, n, limit)) {
    const float spent = spend<8>(spend<7>(spend<6>(spend<5>(spend<3>((real * real + imaginary * imaginary) * 0.25F)))));
    const float next = real * real - imaginary * imaginary + c_real;
    imaginary = 2.0F * real * imaginary + c_imaginary;
    /* It is never above 1. */
    real = spent > 1.0F ? spent : next;
    ++n;
  }
  colours[index] = static_cast<float>(n) * (1.0F / (static_cast<float>(limit) + 1.0F));
}
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
