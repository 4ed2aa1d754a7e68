/* Lengths and cross products of vectors, with IEEE roots and quotients. */
#include "testbenches/corpus/opencl.h"

static float dot_of(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

static float4 cross_of(float4 a, float4 b) {
  return float4_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x, 0.0F);
}

__kernel void cl_normalise(__global const uint* input, __global uint* output, __global uint* sums) {
  const size_t i = get_global_id(0);
  const float4 a = load_float4(input + 4 * i);
  const float4 b = load_float4(input + 4 * i + 64);
  const float length = sqrt(dot_of(a, a));
  const float4 unit = a / (length > 1.0F ? length : 1.0F);
  store_float4(output + 8 * i, unit);
  store_float4(output + 8 * i + 4, cross_of(unit, b));
  if (dot_of(unit, b) > 200.0F) atomic_add(&sums[i % 4], as_uint(unit.y));
}
// SPDX-License-Identifier: Apache-2.0
