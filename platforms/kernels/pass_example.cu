/* The program that Lashari, Lhotak and McCool (2008) show their passes with (Fig. 1): basic blocks A, B with an arc to
   itself, and D. Fig. 2 has threads that go from A to D at once, by B once, and by B twice. */

#include "platforms/kernels/kernels.h"

namespace reconverge::kernels {

extern "C" __global__ void pass_example(const float* start, float* result) {
  const unsigned index = global_thread();
  float i = load_float(start + index);
  while (i <= 20.0F) i += 1.0F;
  result[index] = i;
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
