/* Eight paths of equal length through one switch: `ways` is the number of paths into which a warp diverges. */

#include "platforms/kernels/kernels.h"

namespace reconverge::kernels {

extern "C" __global__ void divergent_switch(const unsigned* way, unsigned ways, unsigned rounds, unsigned* out,
                                            unsigned count) {
  const unsigned i = global_thread();
  if (i >= count) return;
  unsigned h = i;
  /* One loop each, so that the paths share no code that a compiler could merge. */
  switch (way[i] % ways) {
    case 0:
      for (unsigned r = 0; r < rounds; ++r) h = (h ^ h >> 15U) * 0x2c1b3c6dU + r;
      break;
    case 1:
      for (unsigned r = 0; r < rounds; ++r) h = (h + (h << 7U)) ^ (r * 0x297a2d39U);
      break;
    case 2:
      for (unsigned r = 0; r < rounds; ++r) h = (h | r) * 0x1b56c4e9U - (h >> 3U);
      break;
    case 3:
      for (unsigned r = 0; r < rounds; ++r) h = (h << 5U | h >> 27U) + (r ^ 0x9e3779b9U);
      break;
    case 4:
      for (unsigned r = 0; r < rounds; ++r) h = (h - r) * (h | 1U) ^ h >> 11U;
      break;
    case 5:
      for (unsigned r = 0; r < rounds; ++r) h = (h & 0x00ffff00U) * 33U + (h ^ r);
      break;
    case 6:
      for (unsigned r = 0; r < rounds; ++r) h = (h ^ r << 4U) * 0x85ebca6bU + (h >> 13U);
      break;
    default:
      for (unsigned r = 0; r < rounds; ++r) h = (h << 13U | h >> 19U) * 5U + (r | 0xe6546b64U);
      break;
  }
  out[i] = h;
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
