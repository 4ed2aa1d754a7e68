/* Two arrays of different types in dynamic shared memory, which follows a static array. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

extern "C" __global__ void dynamic_shared_memory(Input input, unsigned* output, unsigned* sums) {
  __shared__ unsigned short kinds[64];
  auto* const weights = dynamic_shared<double>();
  auto* const counts = reinterpret_cast<unsigned*>(weights + block_size().x);
  const unsigned i = thread_index().x;
  const unsigned n = thread_number();
  kinds[i] = static_cast<unsigned short>(input[n] % 64);
  weights[i] = input[n] / 1024.0;
  counts[i] = 0;
  synchronise();
  atomic_add(&counts[kinds[i]], 1);
  synchronise();
  double sum = 0;
  for (unsigned k = 0; k < block_size().x; ++k) {
    if (kinds[k] % 8 == i % 8) sum += weights[k];
  }
  store_double(output + 3 * n, sum);
  output[3 * n + 2] = counts[i];
  atomic_add(&sums[kinds[i]], counts[i]);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
