#pragma once
/* A ray that dynamic ray shuffling may move between threads (Lü et al., MICRO 2017, section 3.2.2). */

#include "platforms/kernels/traversal.h"

namespace reconverge::kernels {

/* State of a ray, and the work to do for it (kernel 1 there): `none` as control value is EXIT. */
enum class RayState : unsigned { none, fetch, inner, leaf };

/* Stack memory for each place that a ray may occupy: one entry more than a stack has, because otherwise all entries of
   one depth would be in one set of a cache. */
inline constexpr unsigned words_of_place = traversal_stack_size + 1;

/* The ray registers: the complete state of a ray between rounds. Zero in a place that has had no ray yet. The ray
   starts at its t_min, so t_min is not stored, and distances count from there. */
struct RayRegisters {
  float origin_x = 0, origin_y = 0, origin_z = 0;
  float direction_x = 0, direction_y = 0, direction_z = 0;
  float inverse_x = 0, inverse_y = 0, inverse_z = 0;
  float offset_x = 0, offset_y = 0, offset_z = 0; /* minus origin times inverse */
  float t = 0;                                    /* of the nearest hit so far; if none, the end of the ray */
  int row = 0;                                    /* of that hit; -1: none */
  int node = 0;
  unsigned stack = 0; /* word of the first free entry of the place's stack; 0: no stack yet */
  unsigned index = 0;
};

#if defined(__CUDA__)

/* The next work, and its ray: the registers may hold another ray afterwards. */
__device__ inline RayState read_control(RayRegisters& ray) {
  unsigned control;
  asm volatile("rdctrl.b32 %0, {%1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17};"
               : "=r"(control), "+f"(ray.origin_x), "+f"(ray.origin_y), "+f"(ray.origin_z), "+f"(ray.direction_x),
                 "+f"(ray.direction_y), "+f"(ray.direction_z), "+f"(ray.inverse_x), "+f"(ray.inverse_y),
                 "+f"(ray.inverse_z), "+f"(ray.offset_x), "+f"(ray.offset_y), "+f"(ray.offset_z), "+f"(ray.t),
                 "+r"(ray.row), "+r"(ray.node), "+r"(ray.stack), "+r"(ray.index));
  return static_cast<RayState>(control);
}

/* Whether any lane of the warp has a ray. A vote on the control value itself: it is zero in lanes without a ray. */
__device__ inline bool any_ray(RayState control) {
  unsigned lanes;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.ballot.b32 %0, p; }"
               : "=r"(lanes)
               : "r"(static_cast<unsigned>(control)));
  return lanes != 0;
}

__device__ inline void set_ray_state(RayState state) {
  asm volatile("mov.u32 %%ray_state, %0;" : : "r"(static_cast<unsigned>(state)));
}

/* Read when needed: kept between rounds, it would take a register. */
__device__ inline unsigned lanes_below_now() {
  unsigned lanes;
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes));
  return lanes;
}

#else

/* The ray stays with its thread, whatever state is kept. */
template <typename Registers>
RayState read_control(Registers& /*ray*/) {
  return static_cast<RayState>(place.ray_state);
}
inline bool any_ray(RayState control) { return control != RayState::none; }
inline void set_ray_state(RayState state) { place.ray_state = static_cast<unsigned>(state); }
inline unsigned lanes_below_now() { return lanes_below(); }

#endif

/* The next value of *counter for each lane that is here; the lowest lane raises it for all, as in next_places. */
__device__ inline unsigned next_number(unsigned* counter) {
  const unsigned here = ballot(true);
  const unsigned below = here & lanes_below_now();
  unsigned first = 0;
  if (below == 0) first = atomic_add(counter, population(here));
  return shuffle(first, first_set(here)) + population(below);
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
