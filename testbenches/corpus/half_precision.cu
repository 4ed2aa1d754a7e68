/* Arithmetic in halves, by instructions written as inline assembly. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

extern "C" __global__ void half_precision(Input input, unsigned* output, unsigned* sums) {
  const unsigned n = thread_number();
  unsigned short a = half_from(1.0F + static_cast<float>(input[n] % 4096) / 4096.0F);
  const unsigned short b = half_from(0.5F + static_cast<float>(input[n] / 4096 % 1024) / 2048.0F);
  unsigned short sum = half_from(0.25F);
  for (int i = 0; i < 6; ++i) {
    sum = half_fused(a, b, sum);
    a = half_add(a, half_multiply(b, half_from(-0.125F)));
  }
  output[2 * n] = sum | static_cast<unsigned>(a) << 16;
  output[2 * n + 1] = bits_of(float_from(sum) * float_from(half_multiply(a, b)));
  atomic_add(&sums[(sum >> 10) % 32], 1);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
