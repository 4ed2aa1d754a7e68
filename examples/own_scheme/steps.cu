// The steps of the Collatz sequence of each number to 1. A table knows those of some numbers below 32; the others take
// the long way.
extern "C" __global__ void steps(const unsigned* numbers, const unsigned* known, unsigned* found, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned number = numbers[i];
  unsigned steps = 0;
  if (number < 32 && known[number] != 0) {
    steps = known[number];
  } else {
    while (number != 1) {
      number = number % 2 == 0 ? number / 2 : 3 * number + 1;
      ++steps;
    }
  }
  found[i] = steps;
}
// SPDX-License-Identifier: Apache-2.0
