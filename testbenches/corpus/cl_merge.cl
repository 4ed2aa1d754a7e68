/* Merge of two sorted parts by binary search, after odd-even sorting in global memory. */
#include "testbenches/corpus/opencl.h"

static uint rank_of(__global const uint* sorted, uint count, uint value, uint equal_counts) {
  uint low = 0;
  uint high = count;
  while (low < high) {
    const uint middle = (low + high) / 2;
    const uint here = sorted[middle];
    if (here < value || (equal_counts != 0 && here == value)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

__kernel void cl_merge(__global const uint* input, __global uint* output, __global uint* sums) {
  const uint i = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  __global uint* const work = output + group * 256;
  const uint part = i / 32;
  const uint place = i % 32;
  work[i] = input[group * 64 + i] % 500;
  for (uint round = 0; round < 32; ++round) {
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (place % 2 == round % 2 && place + 1 < 32 && work[i] > work[i + 1]) {
      const uint held = work[i];
      work[i] = work[i + 1];
      work[i + 1] = held;
    }
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  const uint other = rank_of(work + 32 * (1 - part), 32, work[i], part);
  work[64 + place + other] = work[i];
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (i != 0 && work[64 + i - 1] > work[64 + i]) atomic_add(&sums[0], 1);
}
// SPDX-License-Identifier: Apache-2.0
