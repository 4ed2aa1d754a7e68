/* Sums, minima and prefix sums in each warp by shuffles, then the sum across the warps of a block. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

extern "C" __global__ void warp_reduce(Input input, unsigned* output, unsigned* sums) {
  __shared__ unsigned partial[32];
  unsigned sum = input[thread_number()];
  unsigned least = sum;
  for (unsigned distance = 16; distance != 0; distance /= 2) {
    sum += shuffle_down(sum, distance);
    const unsigned other = shuffle_xor(least, distance);
    least = other < least ? other : least;
  }
  unsigned before = input[thread_number()] & 0xffU;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned left = shuffle_up(before, distance);
    if (lane() >= distance) before += left;
  }
  if (lane() == 0) partial[thread_index().x / 32] = sum;
  synchronise();
  const unsigned warps = block_size().x / 32;
  unsigned total = lane() < warps ? partial[lane()] : 0;
  for (unsigned mask = 1; mask < 32; mask *= 2) total += shuffle_xor(total, mask);
  output[4 * thread_number()] = total;
  output[4 * thread_number() + 1] = least;
  output[4 * thread_number() + 2] = before;
  output[4 * thread_number() + 3] = shuffle(before, lane() * 7 % 32);
  atomic_min(&sums[0], least);
  atomic_add(&sums[1], lane() == 0 ? total : 0);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
