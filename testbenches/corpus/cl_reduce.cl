/* Sum and greatest word of each work-group in local memory. */
#include "testbenches/corpus/opencl.h"

__kernel void cl_reduce(__global const uint* input, __global uint* output, __global uint* sums) {
  __local uint partial[64];
  __local uint greatest;
  const size_t i = get_local_id(0);
  if (i == 0) greatest = 0;
  partial[i] = input[get_global_id(0)] % 10000;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_max_local(&greatest, partial[i]);
  for (size_t part = get_local_size(0) / 2; part > 0; part /= 2) {
    if (i < part) partial[i] += partial[i + part];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  output[get_global_id(0)] = partial[0] + (uint)i * greatest;
  if (i == 0) atomic_add(&sums[0], partial[0]);
}
// SPDX-License-Identifier: Apache-2.0
