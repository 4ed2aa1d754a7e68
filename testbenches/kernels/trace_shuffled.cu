/* The kernel for dynamic ray shuffling (Lü et al., MICRO 2017, section 3.2.1, kernel 1): one loop, and in each round
   what the control value says, a new ray, or inner nodes, or the triangles of one leaf. The hardware sees to it that
   all lanes of a warp are told the same, by giving the warp another row of rays at rdctrl. So whatever belongs to a ray
   is in the ray registers, or in memory that these lead to: the traversal stack, which is a place's and not a thread's.
   Departures from the paper's listing:
   1. A warp leaves when none of its lanes has a ray; there each thread leaves for itself. A lane without a ray may get
      one with the warp's next row.
   2. The hit is stored where the next ray is fetched; the listing does not say where.
   3. u and v of the hit are worked out there again; the ray registers hold the top of the stack instead. */

#include "testbenches/kernels/kernels.h"
#include "testbenches/kernels/shuffled_ray.h"
#include "testbenches/kernels/traversal.h"

namespace reconverge::kernels {

namespace {

/* Of one round. The paper's text has a warp complete "one inner node" in line 8 (section 3.2.2). */
constexpr int nodes_a_round = 1;

/* Stacks of 32 places lie side by side: entry k of place p is word (1 + p / 32 * words_of_place + k) * 32 + p % 32, so
   that none is word 0. */
constexpr unsigned places_together = 32;

/* The stack of the place that the ray is in, with the marker below the lowest entry. Its top two entries are in
   registers; no node on it is 0, which is the root. */
struct PlaceStack {
  int* words;
  RayRegisters& ray;

  __device__ void store(int node) {
    words[ray.stack] = node;
    ray.stack += places_together;
  }
  __device__ void push(int node) {
    if (ray.second != 0) store(ray.second);
    ray.second = ray.first;
    ray.first = node;
  }
  __device__ int pop() {
    int node = ray.first;
    if (node == 0) {
      ray.stack -= places_together;
      node = words[ray.stack];
    }
    ray.first = ray.second;
    ray.second = 0;
    return node;
  }
};

/* For triangles, which need no offsets of the box test. */
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
          0.0F,
          0.0F,
          0.0F};
}

/* Where the ray is inside two boxes, and between two planes of each at first. */
struct Spans {
  Span first, second;

  __device__ void narrow(const Spans& other) {
    first = {maximum(first.enter, other.first.enter), minimum(first.leave, other.first.leave)};
    second = {maximum(second.enter, other.second.enter), minimum(second.leave, other.second.leave)};
  }
};

__device__ inline Span between(float lo, float hi, float inverse, float offset) {
  const float a = fma(lo, inverse, offset);
  const float b = fma(hi, inverse, offset);
  return {minimum(a, b), maximum(a, b)};
}

__device__ inline Spans between(float origin, float inverse, float lo_first, float hi_first, float lo_second,
                                float hi_second) {
  const float offset = -origin * inverse;
  return {between(lo_first, hi_first, inverse, offset), between(lo_second, hi_second, inverse, offset)};
}

/* visit_node axis by axis, which takes fewer registers: the bounds are the same numbers. */
__device__ inline void visit(const BvhNode* nodes, RayRegisters& own, PlaceStack& stack) {
  const BvhNode* address = nodes + own.node;
  const Float4 first_xy = load_float4(address, 0);
  const Float4 second_xy = load_float4(address, 1);
  const Float4 both_z = load_float4(address, 2);
  Spans spans = between(own.origin_x, own.inverse_x, first_xy.x, first_xy.y, second_xy.x, second_xy.y);
  spans.narrow(between(own.origin_y, own.inverse_y, first_xy.z, first_xy.w, second_xy.z, second_xy.w));
  const Int4 children = load_int4(address, 3);
  spans.narrow(between(own.origin_z, own.inverse_z, both_z.x, both_z.y, both_z.z, both_z.w));
  spans.narrow({{own.t_min, own.t}, {own.t_min, own.t}});
  const bool enter_first = spans.first.enter <= spans.first.leave;
  const bool enter_second = spans.second.enter <= spans.second.leave;
  if (!enter_first && !enter_second) {
    own.node = stack.pop();
    return;
  }
  own.node = enter_first ? children.x : children.y;
  if (enter_first && enter_second) {
    int farther = children.y;
    if (spans.second.enter < spans.first.enter) {
      farther = children.x;
      own.node = children.y;
    }
    stack.push(farther);
  }
}

/* What test_triangle found beside the distance, which is kept: the same numbers. */
__device__ inline NearestHit hit_of(const RayRegisters& own, const Float4* triangle_rows) {
  NearestHit hit{own.row, own.t, 0.0F, 0.0F};
  if (hit.row < 0) return hit;
  const auto at = static_cast<unsigned>(hit.row);
  const Float4 row1 = load_float4(triangle_rows, at + 1);
  const float u0 = fma(own.origin_x, row1.x, fma(own.origin_y, row1.y, fma(own.origin_z, row1.z, row1.w)));
  hit.u = fma(hit.t, fma(own.direction_x, row1.x, fma(own.direction_y, row1.y, own.direction_z * row1.z)), u0);
  const Float4 row2 = load_float4(triangle_rows, at + 2);
  const float v0 = fma(own.origin_x, row2.x, fma(own.origin_y, row2.y, fma(own.origin_z, row2.z, row2.w)));
  hit.v = fma(hit.t, fma(own.direction_x, row2.x, fma(own.direction_y, row2.y, own.direction_z * row2.z)), v0);
  return hit;
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
__device__ inline bool fetch(RayRegisters& own, const Float4* triangle_rows, const int* triangle_of_row,
                             const Ray* rays, Hit* hits, unsigned count, unsigned* counters, PlaceStack& stack) {
  if (own.stack != 0) store_hit(hits + own.index, hit_of(own, triangle_rows), triangle_of_row);
  own.index = next_number(counters);
  if (own.index >= count) return false;
  if (own.stack == 0) {
    const unsigned place = next_number(counters + 1);
    own.stack =
        places_together + place / places_together * (places_together * words_of_place) + place % places_together;
    stack.store(traversal_done);
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
         -1,
         0,
         0,
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
  PlaceStack stack{stacks, own};
  for (;;) {
    const RayState control = read_control(own);
    if (!any_lane(control != RayState::none)) return;
    if (control == RayState::fetch) {
      const bool found = fetch(own, triangle_rows, triangle_of_row, rays, hits, count, counters, stack);
      set_ray_state(found ? RayState::inner : RayState::none);
    }
    if (control == RayState::inner) {
      int visited = 0;
      do {
        visit(nodes, own, stack);
      } while (++visited < nodes_a_round && is_inner(own.node));
      set_ray_state(state_at(own.node));
    }
    if (control == RayState::leaf) {
      NearestHit hit{own.row, own.t, 0.0F, 0.0F};
      test_leaf(triangle_rows, own.node, ray_test(own), hit);
      own.row = hit.row;
      own.t = hit.t;
      own.node = stack.pop();
      set_ray_state(state_at(own.node));
    }
  }
}
}

}  // namespace reconverge::kernels
