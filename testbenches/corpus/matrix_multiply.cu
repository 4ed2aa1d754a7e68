/* Matrix product with tiles in shared memory: 24 x 24 in blocks of 8 x 8. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
constexpr unsigned tile = 8;
constexpr unsigned order = 24;
}  // namespace

extern "C" __global__ void matrix_multiply(Input input, unsigned* output, unsigned* sums) {
  __shared__ float left[tile][tile];
  __shared__ float right[tile][tile + 1];
  const unsigned x = thread_index().x;
  const unsigned y = thread_index().y;
  const unsigned column = block_index().x * tile + x;
  const unsigned row = block_index().y * tile + y;
  float sum = 0;
  for (unsigned start = 0; start < order; start += tile) {
    left[y][x] = moderate(input[row * order + start + x]);
    right[y][x] = moderate(input[(start + y) * order + column] >> 16U);
    synchronise();
    for (unsigned k = 0; k < tile; ++k) sum += left[y][k] * right[k][x];
    synchronise();
  }
  output[row * order + column] = bits_of(sum);
  atomic_xor(&sums[row % 256], bits_of(sum));
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
