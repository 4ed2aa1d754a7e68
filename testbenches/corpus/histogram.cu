/* Histogram of bytes: shared counters of each block, added to global ones. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

extern "C" __global__ void histogram(Input input, unsigned* output, unsigned* sums) {
  __shared__ unsigned counts[256];
  for (unsigned i = thread_index().x; i < 256; i += block_size().x) counts[i] = 0;
  synchronise();
  const unsigned threads = block_size().x * grid_size().x;
  const auto* bytes = reinterpret_cast<const unsigned char*>(input);
  for (unsigned i = thread_number(); i < 4096; i += threads) atomic_add(&counts[bytes[i]], 1);
  synchronise();
  for (unsigned i = thread_index().x; i < 256; i += block_size().x) {
    if (counts[i] != 0) atomic_add(&sums[i], counts[i]);
    output[block_index().x * 256 + i] = counts[i];
  }
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
