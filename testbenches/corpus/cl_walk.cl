/* A walk whose steps a switch selects, with a record of its positions in private memory. */
#include "testbenches/corpus/opencl.h"

struct Walker {
  int x, y;
  uchar trail[32];
  ulong state;
};

static uint step_of(struct Walker* walker) {
  walker->state = walker->state * 6364136223846793005UL + 1442695040888963407UL;
  return (uint)(walker->state >> 60);
}

__kernel void cl_walk(__global const uint* input, __global uint* output, __global uint* sums) {
  const size_t i = get_global_id(0);
  struct Walker walker;
  walker.x = 0;
  walker.y = 0;
  walker.state = input[i];
  for (uint k = 0; k < 32; ++k) walker.trail[k] = 0;
  for (uint k = 0; k < 48; ++k) {
    switch (step_of(&walker)) {
      case 0: walker.x += 1; break;
      case 1: walker.x -= 1; break;
      case 2: walker.y += 1; break;
      case 3: walker.y -= 1; break;
      case 4: walker.x += 2; walker.y -= 1; break;
      case 5: walker.x ^= 1; break;
      case 6: walker.y = -walker.y; break;
      case 7: walker.x = walker.y; break;
      default: continue;
    }
    walker.trail[(uint)(walker.x + 5 * walker.y) % 32] += (uchar)k;
    if (walker.x > 12 || walker.y < -12) break;
  }
  uint mixed = 0;
  for (uint k = 0; k < 32; ++k) mixed = mixed * 33 + walker.trail[k];
  output[3 * i] = mixed;
  output[3 * i + 1] = (uint)walker.x;
  output[3 * i + 2] = (uint)walker.y;
  atomic_add(&sums[walker.trail[0]], 1);
}
// SPDX-License-Identifier: Apache-2.0
