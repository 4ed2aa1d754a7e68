/* Bitonic sort of 128 words in shared memory by 64 threads. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
__device__ void order(unsigned& a, unsigned& b, bool ascending) {
  if ((a > b) == ascending) {
    const unsigned other = a;
    a = b;
    b = other;
  }
}
}  // namespace

extern "C" __global__ void bitonic_sort(Input input, unsigned* output, unsigned* sums) {
  __shared__ unsigned values[128];
  const unsigned i = thread_index().x;
  const unsigned first = block_index().x * 128;
  values[i] = input[first + i];
  values[i + 64] = input[first + i + 64];
  for (unsigned size = 2; size <= 128; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      synchronise();
      const unsigned at = 2 * i - (i & (stride - 1));
      order(values[at], values[at + stride], (at & size) == 0);
    }
  }
  synchronise();
  output[first + i] = values[i];
  output[first + i + 64] = values[i + 64];
  if (i == 0) sums[block_index().x] = values[127] - values[0];
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
