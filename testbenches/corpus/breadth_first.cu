/* Breadth-first search, level by level, on a graph of 64 nodes whose edges are stored row by row. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
constexpr unsigned nodes = 64;
constexpr unsigned unseen = 0xffffffffU;
}  // namespace

extern "C" __global__ void breadth_first(Input input, unsigned* output, unsigned* sums) {
  __shared__ unsigned first[nodes + 1];
  __shared__ unsigned edges[nodes * 4];
  __shared__ unsigned level[nodes];
  __shared__ unsigned changed;
  const unsigned i = thread_index().x;
  const Input words = input + 64 * block_index().x;
  if (i == 0) {
    unsigned at = 0;
    for (unsigned n = 0; n < nodes; ++n) {
      first[n] = at;
      at += words[n] % 4;
    }
    first[nodes] = at;
  }
  level[i] = i == 0 ? 0 : unseen;
  synchronise();
  for (unsigned e = first[i]; e != first[i + 1]; ++e) edges[e] = (words[i] >> 8 * (e - first[i] + 1)) % nodes;
  if (i == 0 && first[1] == 0) level[words[1] % nodes] = 0;
  for (unsigned depth = 0;; ++depth) {
    synchronise();
    if (i == 0) changed = 0;
    synchronise();
    if (level[i] == depth) {
      for (unsigned e = first[i]; e < first[i + 1]; ++e) {
        if (atomic_compare_exchange(&level[edges[e]], unseen, depth + 1) == unseen) atomic_add(&changed, 1);
      }
    }
    synchronise();
    if (changed == 0) break;
  }
  output[thread_number()] = level[i];
  atomic_max(reinterpret_cast<int*>(&sums[block_index().x]), static_cast<int>(level[i]));
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
