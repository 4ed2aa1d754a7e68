/* Operations on bits: counting, reversing, finding, permuting bytes, funnel shifts, Gray and Morton codes. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
__device__ unsigned spread(unsigned a) {
  a &= 0xffffU;
  a = (a | a << 8) & 0x00ff00ffU;
  a = (a | a << 4) & 0x0f0f0f0fU;
  a = (a | a << 2) & 0x33333333U;
  return (a | a << 1) & 0x55555555U;
}
}  // namespace

extern "C" __global__ void bit_tricks(Input input, unsigned* output, unsigned* sums) {
  const unsigned n = thread_number();
  const unsigned a = n == 0 ? 0 : input[n];
  const unsigned b = input[n + 1];
  const unsigned c = input[n + 2];
  unsigned* const out = output + 16 * n;
  out[0] = population(a) + 100 * leading_zeros(a) + 10000 * find_first_set(a);
  out[1] = reverse_bits(a);
  out[2] = permute_bytes(a, b, c & 0x7777U);
  out[3] = funnel_left(a, b, c);
  out[4] = funnel_right(a, b, c);
  out[5] = multiply_high(a, b);
  out[6] = a ^ a >> 1;
  out[7] = spread(a) | spread(b) << 1;
  out[8] = (a & b) | (~a & c);
  out[9] = (a & b) ^ (a & c) ^ (b & c);
  out[10] = a << (b % 32) | a >> ((32 - b % 32) % 32);
  out[11] = (a & (0U - a)) + (a & (a - 1));
  const unsigned long long both = static_cast<unsigned long long>(a) << 32 | b;
  out[12] = static_cast<unsigned>(__builtin_popcountll(both)) + (both >> 33 & 1U);
  out[13] = static_cast<unsigned>(both >> (c % 64)) ^ static_cast<unsigned>(both << (c % 64) >> 32);
  out[14] = static_cast<unsigned>(static_cast<int>(a) >> (c % 32)) + (a >> 8 & 0x3ffU);
  out[15] = (a & 0xff000000U) >> 24 | (a & 0xff0000U) >> 8 | (a & 0xff00U) << 8 | a << 24;
  atomic_and(&sums[0], a);
  atomic_or(&sums[1], a);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
