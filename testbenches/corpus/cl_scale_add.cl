/* Vectors of four floats, scaled and added, in a loop over the grid. */
#include "testbenches/corpus/opencl.h"

__kernel void cl_scale_add(__global const uint* input, __global uint* output, __global uint* sums) {
  for (size_t i = get_global_id(0); i < 200; i += get_global_size(0)) {
    const float4 a = load_float4(input + 4 * i);
    const float4 b = load_float4(input + 4 * ((i + 7) % 200));
    const float4 c = a * 2.5F + b * b - float4_of(1.0F, 2.0F, 3.0F, a.x);
    store_float4(output + 4 * i, c);
    if (c.x > c.w) atomic_add(&sums[i % 8], 1);
  }
}
// SPDX-License-Identifier: Apache-2.0
