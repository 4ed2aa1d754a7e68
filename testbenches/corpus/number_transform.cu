/* The number-theoretic transform modulo 998244353 of 64 words, and back. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
constexpr unsigned modulus = 998244353;

__device__ unsigned times(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b % modulus);
}

__device__ unsigned power(unsigned base, unsigned exponent) {
  unsigned result = 1;
  for (; exponent != 0; exponent /= 2) {
    if (exponent % 2 != 0) result = times(result, base);
    base = times(base, base);
  }
  return result;
}

__device__ void transform(unsigned* values, unsigned i, unsigned root_of_unity) {
  const unsigned value = values[i];
  synchronise();
  values[reverse_bits(i) >> 26] = value;
  synchronise();
  for (unsigned size = 2; size <= 64; size *= 2) {
    const unsigned half = size / 2;
    if (i < 32) {
      const unsigned at = i / half * size + i % half;
      const unsigned turned = times(values[at + half], power(root_of_unity, i % half * (64 / size)));
      const unsigned kept = values[at];
      values[at] = (kept + turned) % modulus;
      values[at + half] = (kept + modulus - turned) % modulus;
    }
    synchronise();
  }
}
}  // namespace

extern "C" __global__ void number_transform(Input input, unsigned* output, unsigned* sums) {
  __shared__ unsigned values[64];
  const unsigned i = thread_index().x;
  const unsigned root_of_unity = power(3, (modulus - 1) / 64);
  values[i] = input[thread_number()] % modulus;
  synchronise();
  transform(values, i, root_of_unity);
  output[2 * thread_number()] = values[i];
  synchronise();
  transform(values, i, power(root_of_unity, modulus - 2));
  const unsigned back = times(values[i], power(64, modulus - 2));
  output[2 * thread_number() + 1] = back;
  if (back != input[thread_number()] % modulus) atomic_add(&sums[0], 1);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
