// The greatest common divisor of each number and `other`, by Euclid's algorithm: the loop's length depends on the
// numbers.
extern "C" __global__ void divisors(const unsigned* numbers, unsigned* found, unsigned other, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned a = numbers[i];
  unsigned b = other;
  while (b != 0) {
    const unsigned rest = a % b;
    a = b;
    b = rest;
  }
  found[i] = a;
}
// SPDX-License-Identifier: Apache-2.0
