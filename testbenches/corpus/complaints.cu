/* Checks that never fail; their messages are calls of printf with a variable number of arguments. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

extern "C" __global__ void complaints(Input input, unsigned* output, unsigned* sums) {
  const unsigned n = thread_number();
  unsigned steps = 0;
  unsigned long long value = 1 + input[n] % 50;
  while (value != 1) {
    value = value % 2 == 0 ? value / 2 : 3 * value + 1;
    if (++steps > 1000) {
      complain("no end for %u\n", n);
      return;
    }
  }
  output[n] = steps;
  atomic_add(&sums[steps % 256], 1);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
