/* Counts the ways to place queens, by backtracking: recursion with masks. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
__device__ __noinline__ unsigned place(unsigned all, unsigned columns, unsigned left, unsigned right) {
  if (columns == all) return 1;
  unsigned ways = 0;
  for (unsigned open = all & ~(columns | left | right); open != 0; open &= open - 1) {
    const unsigned queen = open & (0U - open);
    ways += place(all, columns | queen, (left | queen) << 1, (right | queen) >> 1);
  }
  return ways;
}
}  // namespace

extern "C" __global__ void queens(Input input, unsigned* output, unsigned* sums) {
  const unsigned n = thread_number();
  const unsigned size = 3 + input[n] % 3;
  const unsigned first = 1U << n % size;
  const unsigned ways = place((1U << size) - 1, first, first << 1, first >> 1);
  output[n] = ways;
  atomic_add(&sums[size], ways);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
