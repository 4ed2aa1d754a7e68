/* Inclusive prefix sums of a block, in log steps over shared memory (Hillis and Steele), then the work-efficient form
   (Blelloch) over the same values. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

extern "C" __global__ void prefix_sum(Input input, unsigned* output, unsigned* sums) {
  __shared__ unsigned values[64];
  const unsigned i = thread_index().x;
  const unsigned own = input[thread_number()] % 1000;
  values[i] = own;
  synchronise();
  for (unsigned distance = 1; distance < 64; distance *= 2) {
    const unsigned left = i >= distance ? values[i - distance] : 0;
    synchronise();
    values[i] += left;
    synchronise();
  }
  output[2 * thread_number()] = values[i];
  synchronise();

  values[i] = own;
  for (unsigned distance = 1; distance < 64; distance *= 2) {
    synchronise();
    const unsigned right = (i + 1) * distance * 2 - 1;
    if (right < 64) values[right] += values[right - distance];
  }
  synchronise();
  if (i == 0) {
    atomic_add(&sums[block_index().x], values[63]);
    values[63] = 0;
  }
  for (unsigned distance = 32; distance != 0; distance /= 2) {
    synchronise();
    const unsigned right = (i + 1) * distance * 2 - 1;
    if (right < 64) {
      const unsigned left = values[right - distance];
      values[right - distance] = values[right];
      values[right] += left;
    }
  }
  synchronise();
  output[2 * thread_number() + 1] = values[i];
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
