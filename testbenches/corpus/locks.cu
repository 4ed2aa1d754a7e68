/* A lock that one lane of each warp takes, a flag that later warps spin on, a ticket counter. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
__device__ unsigned lock = 0;
}

extern "C" __global__ void locks(Input input, unsigned* output, unsigned* sums) {
  __shared__ volatile unsigned flag;
  __shared__ unsigned message;
  if (thread_index().x == 0) flag = 0;
  synchronise();
  if (thread_index().x == 0) {
    message = input[block_index().x] + 1;
    memory_fence();
    flag = 1;
  } else if (thread_index().x >= 32) {
    while (flag == 0) {
    }
    memory_fence();
    output[thread_number()] = message;
  }
  synchronise();
  if (lane() == 0) {
    while (atomic_compare_exchange(&lock, 0, 1) != 0) {
    }
    memory_fence();
    volatile unsigned* const shared_by_all = sums;
    shared_by_all[0] = shared_by_all[0] + input[thread_number()];
    shared_by_all[1] = shared_by_all[1] + 1;
    memory_fence();
    atomic_exchange(&lock, 0);
  }
  const unsigned ticket = atomic_increment(&sums[2], 1000);
  atomic_or(&sums[8 + ticket / 32], 1U << ticket % 32);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
