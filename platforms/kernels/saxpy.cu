/* The smallest useful kernel: no branch but the bound. */

#include "platforms/kernels/kernels.h"

namespace reconverge::kernels {

extern "C" __global__ void saxpy(float a, const float* x, float* y, unsigned count) {
  const unsigned i = global_thread();
  if (i < count) y[i] = fma(a, x[i], y[i]);
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
