#pragma once
/* Rays for threads that stay: each takes the next of a common list when it has none (Aila and Laine, HPG 2009,
   "persistent threads"). */

#include "testbenches/kernels/device.h"

namespace reconverge::kernels {

/* A ray of its own for each lane that is here: the lowest raises *counter for all of them (Aila, Laine and Karras,
   NVR-2012-02). A number beyond the last ray means that there is none left; *counter then ends beyond it, too. */
__device__ inline unsigned next_ray(unsigned* counter) {
  const unsigned here = ballot(true);
  const unsigned leader = first_set(here);
  unsigned first = 0;
  if (lane() == leader) first = atomic_add(counter, population(here));
  return shuffle(first, leader) + population(here & lanes_below());
}

}  // namespace reconverge::kernels
