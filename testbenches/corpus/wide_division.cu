/* Products, quotients and remainders of 128 bits, unsigned and signed. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
__extension__ typedef unsigned __int128 Wide;  // NOLINT(modernize-use-using): __extension__ takes no using
__extension__ typedef __int128 SignedWide;     // NOLINT(modernize-use-using): the same

__device__ Wide wide_at(const unsigned* words) {
  Wide value = 0;
  for (unsigned i = 0; i < 4; ++i) value |= static_cast<Wide>(words[i]) << (32 * i);
  return value;
}

__device__ void store_wide(unsigned* words, Wide value) {
  for (unsigned i = 0; i < 4; ++i) words[i] = static_cast<unsigned>(value >> (32 * i));
}
}  // namespace

/* A thread reads ten words: dividend, divisor, and how far each is shifted to the right, so that random words give
   quotients of all lengths. It writes twenty. A divisor of 0 counts as 1. */
extern "C" __global__ void wide_division(Input input, unsigned* output, unsigned* /*sums*/) {
  const unsigned* const words = input + 10 * thread_number();
  unsigned* const results = output + 20 * thread_number();
  const Wide a = wide_at(words) >> (words[8] & 127U);
  const Wide shifted = wide_at(words + 4) >> (words[9] & 127U);
  const Wide b = shifted == 0 ? 1 : shifted;
  store_wide(results, a * b);
  store_wide(results + 4, a / b);
  store_wide(results + 8, a % b);
  /* Half of a, because the lowest number divided by -1 has no quotient. */
  const SignedWide half = static_cast<SignedWide>(a) >> 1;
  const SignedWide divisor = static_cast<SignedWide>(b);
  store_wide(results + 12, static_cast<Wide>(half / divisor));
  store_wide(results + 16, static_cast<Wide>(half % divisor));
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
