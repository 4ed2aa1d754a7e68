/* Sum by halves in shared memory: barriers, bank accesses, half of the block idle at every step. */

#include "platforms/kernels/kernels.h"

namespace reconverge::kernels {

extern "C" __global__ void reduce_sum(const int* values, int* block_sums, int* total, unsigned count) {
  __shared__ int partial[256]; /* NOLINT(modernize-avoid-c-arrays): shared memory of the block */
  const unsigned thread = thread_index().x;
  const unsigned i = global_thread();
  partial[thread] = i < count ? values[i] : 0;
  synchronise();
  for (unsigned half = block_size().x / 2; half > 0; half /= 2) {
    if (thread < half) {
      /* Unsigned, because the sum may wrap. */
      partial[thread] =
          static_cast<int>(static_cast<unsigned>(partial[thread]) + static_cast<unsigned>(partial[thread + half]));
    }
    synchronise();
  }
  if (thread == 0) {
    block_sums[block_index().x] = partial[0];
    atomic_add(total, partial[0]);
  }
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
