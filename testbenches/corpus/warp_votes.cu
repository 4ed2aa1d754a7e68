/* Votes and matches within warps: leaders, places by ballot, groups of equal keys, a counter raised once a warp. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

extern "C" __global__ void warp_votes(Input input, unsigned* output, unsigned* sums) {
  const unsigned n = thread_number();
  const unsigned key = input[n] % 5;
  const unsigned below = (1U << lane()) - 1;
  const unsigned odd = ballot((input[n] & 1U) != 0);
  const unsigned group = match_any(key);
  const bool all = vote_all(input[n] != input[n + 1]);
  const bool any = vote_any(key == 4);
  unsigned first = 0;
  if (lane() == 0) first = population(odd) * 100;
  first = shuffle(first, 0);
  output[4 * n] = first + population(odd & below);
  output[4 * n + 1] = group;
  output[4 * n + 2] = population(group & below) + (all ? 100 : 0) + (any ? 1000 : 0);
  output[4 * n + 3] = find_first_set(group) - 1 == lane() ? population(group) : 0;
  if (find_first_set(group) - 1 == lane()) atomic_add(&sums[key], population(group));
  synchronise_warp();
  if (lane() == 31) atomic_add(&sums[8], population(odd));
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
