#pragma once
/* Places in a common list for the lanes of a warp. */

#include "platforms/kernels/device.h"

namespace reconverge::kernels {

/* The first of `each` places for each lane that is here: the lowest lane raises *counter for all (Aila, Laine and
   Karras, NVR-2012-02). */
__device__ inline unsigned next_places(unsigned* counter, unsigned each) {
  const unsigned here = ballot(true);
  const unsigned leader = first_set(here);
  unsigned first = 0;
  if (lane() == leader) first = atomic_add(counter, population(here) * each);
  return shuffle(first, leader) + population(here & lanes_below()) * each;
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
