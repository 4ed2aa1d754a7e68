/* Knuth, Morris and Pratt's search for patterns in bytes. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
__constant__ const char pattern[] = "abacab";

/* The length of the prefix that still matches after a mismatch. */
__device__ void prepare(signed char* back, int length) {
  back[0] = -1;
  int fits = -1;
  for (int i = 0; i < length; ++i) {
    while (fits >= 0 && pattern[i] != pattern[fits]) fits = back[fits];
    back[i + 1] = static_cast<signed char>(++fits);
  }
}
}  // namespace

extern "C" __global__ void string_search(Input input, unsigned* output, unsigned* sums) {
  constexpr int length = sizeof pattern - 1;
  signed char back[length + 1];
  prepare(back, length);
  const unsigned n = thread_number();
  const auto* bytes = reinterpret_cast<const unsigned char*>(input) + 16 * n;
  unsigned found = 0;
  int last = -1;
  int fits = 0;
  for (int i = 0; i < 256; ++i) {
    const char letter = static_cast<char>('a' + (bytes[i % 64] >> (i / 64)) % 3);
    while (fits >= 0 && letter != pattern[fits]) fits = back[fits];
    if (++fits == length) {
      ++found;
      last = i;
      fits = back[fits];
    }
  }
  output[2 * n] = found;
  output[2 * n + 1] = static_cast<unsigned>(last);
  if (found != 0) atomic_add(&sums[0], found);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
