/* A histogram of the number of set bits in words: in local memory, then in global memory. */
#include "testbenches/corpus/opencl.h"

__kernel void cl_histogram(__global const uint* input, __global uint* output, __global uint* sums) {
  __local uint counts[33];
  for (size_t i = get_local_id(0); i < 33; i += get_local_size(0)) counts[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t i = get_global_id(0); i < 1024; i += get_global_size(0)) atomic_inc_local(&counts[popcount(input[i])]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t i = get_local_id(0); i < 33; i += get_local_size(0)) {
    output[get_group_id(0) * 33 + i] = counts[i];
    if (counts[i] != 0) atomic_add(&sums[i], counts[i]);
  }
}
// SPDX-License-Identifier: Apache-2.0
