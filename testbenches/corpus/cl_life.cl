/* Game of life on a torus in local memory, five generations. */
#include "testbenches/corpus/opencl.h"

__kernel void cl_life(__global const uint* input, __global uint* output, __global uint* sums) {
  __local uchar cells[2][8][8];
  const uint x = (uint)get_local_id(0);
  const uint y = (uint)get_local_id(1);
  const uint group = (uint)get_group_id(0);
  cells[0][y][x] = (uchar)(input[group * 64 + y * 8 + x] % 3 == 0);
  for (uint generation = 0; generation < 5; ++generation) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint now = generation % 2;
    uint living = 0;
    for (uint k = 0; k < 9; ++k) {
      if (k != 4) living += cells[now][(y + k / 3 + 7) % 8][(x + k % 3 + 7) % 8];
    }
    cells[1 - now][y][x] = (uchar)(living == 3 || (living == 2 && cells[now][y][x] != 0));
  }
  output[group * 64 + y * 8 + x] = cells[1][y][x];
  if (cells[1][y][x] != 0) atomic_add(&sums[group], 1);
}
// SPDX-License-Identifier: Apache-2.0
