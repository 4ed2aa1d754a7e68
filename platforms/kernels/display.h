#pragma once
/* From light to display values. */

#include "platforms/kernels/device.h"

namespace reconverge::kernels {

/* sqrt(0..1) * 255, rounded half up; comparisons with not-a-number fail, which gives black. */
__device__ inline unsigned display_byte(float linear) {
  const float clamped = linear > 0.0F ? (linear < 1.0F ? linear : 1.0F) : 0.0F;
  const float rounded_when_cut = square_root(clamped) * 255.0F + 0.5F;
  return static_cast<unsigned>(rounded_when_cut);
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
