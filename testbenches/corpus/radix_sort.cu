/* Sort of a block's words by eight bits, one bit at a time, with places found by votes. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

extern "C" __global__ void radix_sort(Input input, unsigned* output, unsigned* sums) {
  __shared__ unsigned values[64];
  __shared__ unsigned zeros_of_warp[2];
  const unsigned i = thread_index().x;
  const unsigned warp = i / 32;
  values[i] = input[thread_number()];
  for (unsigned bit = 0; bit < 8; ++bit) {
    synchronise();
    const unsigned value = values[i];
    const bool one = (value >> bit & 1U) != 0;
    const unsigned ones = ballot(one);
    if (lane() == 0) zeros_of_warp[warp] = 32 - population(ones);
    synchronise();
    const unsigned zeros = zeros_of_warp[0] + zeros_of_warp[1];
    const unsigned below = (1U << lane()) - 1;
    const unsigned zeros_before = (warp == 0 ? 0 : zeros_of_warp[0]) + population(~ones & below);
    values[one ? zeros + i - zeros_before : zeros_before] = value;
  }
  synchronise();
  output[thread_number()] = values[i];
  if (i != 0 && (values[i - 1] & 0xffU) > (values[i] & 0xffU)) atomic_add(&sums[0], 1);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
