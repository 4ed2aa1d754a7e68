/* The kernel for dynamic ray shuffling (Lü et al., MICRO 2017, section 3.2.1, kernel 1): one loop, and in each round
   what the control value says, a new ray, or inner nodes, or the triangles of one leaf. The hardware sees to it that
   all lanes of a warp are told the same, by giving the warp another row of rays at rdctrl. So whatever belongs to a ray
   is in the ray registers, or in memory that these lead to: the traversal stack, which is a place's and not a thread's.
   Departures from the paper's listing:
   1. A warp leaves when none of its lanes has a ray; there each thread leaves for itself. A lane without a ray may get
      one with the warp's next row.
   2. The hit is stored where the next ray is fetched; the listing does not say where. */

#include "testbenches/kernels/kernels.h"
#include "testbenches/kernels/shuffled_ray.h"
#include "testbenches/kernels/traversal.h"

namespace reconverge::kernels {

namespace {

/* Of one round. The paper's text has a warp complete "one inner node" in line 8 (section 3.2.2). */
constexpr int nodes_a_round = 1;

/* Stacks of 32 places lie side by side: entry k of place p is word (1 + p / 32 * traversal_stack_size + k) * 32 + p %
   32, so that none is word 0. */
constexpr unsigned places_together = 32;

/* The stack of the place that the ray is in, with the marker below the lowest entry. */
struct PlaceStack {
  int* words;
  unsigned& free;

  __device__ void push(int node) {
    words[free] = node;
    free += places_together;
  }
  __device__ int pop() {
    free -= places_together;
    return words[free];
  }
};

__device__ inline RayTest ray_test(const RayRegisters& own) {
  return {own.origin_x,
          own.origin_y,
          own.origin_z,
          own.t_min,
          own.direction_x,
          own.direction_y,
          own.direction_z,
          own.t,
          own.inverse_x,
          own.inverse_y,
          own.inverse_z,
          -own.origin_x * own.inverse_x,
          -own.origin_y * own.inverse_y,
          -own.origin_z * own.inverse_z};
}

__device__ inline RayState state_at(int node) {
  if (node == traversal_done) return RayState::fetch;
  return node < 0 ? RayState::leaf : RayState::inner;
}

/* The next of *counter for each lane that is here; the lowest raises it for all, as in next_places. */
__device__ inline unsigned next_number(unsigned* counter) {
  const unsigned here = ballot(true);
  const unsigned below = here & lanes_below_now();
  unsigned first = 0;
  if (below == 0) first = atomic_add(counter, population(here));
  return shuffle(first, first_set(here)) + population(below);
}

/* Stores the hit of the ray that ended here, if there was one, and begins with the next; false: there is none. */
__device__ inline bool fetch(RayRegisters& own, const Ray* rays, Hit* hits, const int* triangle_of_row, unsigned count,
                             unsigned* counters, PlaceStack& stack) {
  if (own.stack != 0) store_hit(hits + own.index, {own.row, own.t, own.u, own.v}, triangle_of_row);
  own.index = next_number(counters);
  if (own.index >= count) return false;
  if (own.stack == 0) {
    const unsigned place = next_number(counters + 1);
    own.stack =
        places_together + place / places_together * (places_together * traversal_stack_size) + place % places_together;
    stack.push(traversal_done);
  } else {
    own.stack += places_together; /* over the marker, which is still there */
  }
  const RayTest ray = start_ray(rays + own.index);
  own = {ray.origin_x,
         ray.origin_y,
         ray.origin_z,
         ray.direction_x,
         ray.direction_y,
         ray.direction_z,
         ray.inverse_x,
         ray.inverse_y,
         ray.inverse_z,
         ray.t_min,
         ray.t_max,
         0.0F,
         0.0F,
         -1,
         0,
         own.stack,
         own.index};
  return true;
}

}  // namespace

extern "C" {

__global__ void trace_shuffled(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                               const Ray* rays, Hit* hits, unsigned count, unsigned* counters, int* stacks) {
  RayRegisters own;
  PlaceStack stack{stacks, own.stack};
  for (;;) {
    const RayState control = read_control(own);
    if (!any_lane(control != RayState::none)) return;
    if (control == RayState::fetch) {
      const bool found = fetch(own, rays, hits, triangle_of_row, count, counters, stack);
      set_ray_state(found ? RayState::inner : RayState::none);
    }
    if (control == RayState::inner) {
      const RayTest ray = ray_test(own);
      int visited = 0;
      do {
        own.node = visit_node(nodes, own.node, ray, own.t, stack);
      } while (++visited < nodes_a_round && is_inner(own.node));
      set_ray_state(state_at(own.node));
    }
    if (control == RayState::leaf) {
      NearestHit hit{own.row, own.t, own.u, own.v};
      test_leaf(triangle_rows, own.node, ray_test(own), hit);
      own.row = hit.row;
      own.t = hit.t;
      own.u = hit.u;
      own.v = hit.v;
      own.node = stack.pop();
      set_ray_state(state_at(own.node));
    }
  }
}
}

}  // namespace reconverge::kernels
