/* A loop whose length depends on the data: lanes of a warp leave it one after another. */

#include "platforms/kernels/kernels.h"

namespace reconverge::kernels {

extern "C" __global__ void collatz(const unsigned* start, unsigned* steps, unsigned count) {
  const unsigned i = global_thread();
  if (i >= count) return;
  /* 64 bits: from 32-bit starts the sequences climb to 7.2e18. */
  unsigned long long n = start[i];
  unsigned step = 0;
  while (n > 1) {
    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    ++step;
  }
  steps[i] = step;
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
