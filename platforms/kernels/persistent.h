#pragma once
/* Rays for persistent threads: each takes the next ray of a common list when it has none (Aila and Laine, HPG 2009,
   "persistent threads"). */

#include "platforms/kernels/places.h"
#include "platforms/kernels/traversal.h"

namespace reconverge::kernels {

/* A place for one ray after another: the ray, and the state of its traversal. */
struct RayPlace {
  RayTest ray{};
  NearestHit hit{};
  unsigned index = 0;
  int node = traversal_done;
};

/* Begins with ray `index` of `count`; if there is no such ray, the place is unchanged except for the index. */
__device__ inline void take_ray(RayPlace& own, TraversalStack& stack, const Ray* rays, unsigned index, unsigned count) {
  own.index = index;
  if (index >= count) return;
  own.ray = start_ray(rays + index);
  own.hit = {-1, own.ray.t_max, 0.0F, 0.0F};
  own.node = 0;
  stack = TraversalStack(stack.entries);
}

/* A separate ray for each lane that is here. A number beyond the last ray means that there is none left; *counter then
   also ends beyond it. */
__device__ inline unsigned next_ray(unsigned* counter) { return next_places(counter, 1); }

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
