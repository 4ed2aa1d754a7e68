/* Arrays of each thread, with computed indices: permutations, a sieve, a small matrix. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
__device__ bool next_permutation(unsigned char* p, int count) {
  int i = count - 2;
  while (i >= 0 && p[i] >= p[i + 1]) --i;
  if (i < 0) return false;
  int j = count - 1;
  while (p[j] <= p[i]) --j;
  const unsigned char other = p[i];
  p[i] = p[j];
  p[j] = other;
  for (int a = i + 1, b = count - 1; a < b; ++a, --b) {
    const unsigned char held = p[a];
    p[a] = p[b];
    p[b] = held;
  }
  return true;
}
}  // namespace

extern "C" __global__ void local_arrays(Input input, unsigned* output, unsigned* sums) {
  const unsigned n = thread_number();
  unsigned char order[5] = {0, 1, 2, 3, 4};
  unsigned steps = input[n] % 60;
  while (steps != 0 && next_permutation(order, 5)) --steps;
  bool composite[64] = {};
  unsigned primes = 0;
  const unsigned limit = 20 + input[n] % 44;
  for (unsigned i = 2; i < limit; ++i) {
    if (composite[i]) continue;
    ++primes;
    for (unsigned k = 2 * i; k < limit; k += i) composite[k] = true;
  }
  unsigned grid[3][5];
  for (unsigned i = 0; i < 15; ++i) grid[i % 3][i % 5] = input[n + i];
  unsigned walk = 0;
  for (unsigned i = 0, x = 0, y = 0; i < 10; ++i) {
    walk = walk * 3 + grid[y][x];
    x = (x + order[i % 5] + 1) % 5;
    y = (y + (walk & 1U)) % 3;
  }
  unsigned packed = 0;
  for (const unsigned char place : order) packed = packed * 8 + place;
  output[3 * n] = packed;
  output[3 * n + 1] = primes;
  output[3 * n + 2] = walk;
  atomic_add(&sums[primes], 1);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
