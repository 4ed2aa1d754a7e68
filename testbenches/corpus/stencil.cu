/* Five-point stencil on a tile with a border, four rounds. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
constexpr unsigned side = 16;
}

extern "C" __global__ void stencil(Input input, unsigned* output, unsigned* sums) {
  __shared__ float grid[2][side + 2][side + 2];
  const unsigned x = thread_index().x + 1;
  const unsigned y = thread_index().y + 1;
  for (unsigned i = thread_in_block(); i < 2 * (side + 2) * (side + 2); i += side * side) {
    grid[i / ((side + 2) * (side + 2))][i / (side + 2) % (side + 2)][i % (side + 2)] = 0;
  }
  synchronise();
  grid[0][y][x] = moderate(input[(y - 1) * side + x - 1]);
  synchronise();
  for (unsigned round = 0; round < 4; ++round) {
    const auto& from = grid[round % 2];
    auto& to = grid[(round + 1) % 2];
    to[y][x] = 0.25F * (from[y - 1][x] + from[y + 1][x] + from[y][x - 1] + from[y][x + 1]) - 0.5F * from[y][x];
    synchronise();
  }
  const float value = grid[0][y][x];
  output[(y - 1) * side + x - 1] = bits_of(value);
  if (value < 0) atomic_add(&sums[y], 1);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
