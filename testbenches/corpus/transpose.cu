/* Transposition of a 32 x 32 matrix through a padded tile, eight rows of threads. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

extern "C" __global__ void transpose(Input input, unsigned* output, unsigned* sums) {
  __shared__ unsigned tile[32][33];
  const unsigned x = thread_index().x;
  for (unsigned y = thread_index().y; y < 32; y += block_size().y) tile[y][x] = input[32 * y + x];
  synchronise();
  unsigned mixed = 0;
  for (unsigned y = thread_index().y; y < 32; y += block_size().y) {
    output[32 * y + x] = tile[x][y];
    mixed = mixed * 31 + tile[x][y];
  }
  atomic_xor(&sums[x], mixed);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
