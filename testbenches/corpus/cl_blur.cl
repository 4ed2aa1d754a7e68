/* A 3 x 3 filter over bytes, with weights in constant memory and clamped borders. */
#include "testbenches/corpus/opencl.h"

__constant int weights[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, -1}};

static int clamped(int value, int low, int high) { return value < low ? low : value > high ? high : value; }

__kernel void cl_blur(__global const uint* input, __global uint* output, __global uint* sums) {
  __global const uchar* const from = (__global const uchar*)input;
  __global uchar* const to = (__global uchar*)output;
  const int x = (int)get_global_id(0);
  const int y = (int)get_global_id(1);
  const int width = (int)get_global_size(0);
  const int height = (int)get_global_size(1);
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      sum += weights[dy + 1][dx + 1] * from[clamped(y + dy, 0, height - 1) * width + clamped(x + dx, 0, width - 1)];
    }
  }
  to[y * width + x] = (uchar)clamped(sum / 14, 0, 255);
  if (sum < 1000) atomic_add(&sums[y], 1);
}
// SPDX-License-Identifier: Apache-2.0
