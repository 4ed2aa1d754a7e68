/* The kernel for dynamic ray shuffling (Lü et al., MICRO 2017, section 3.2.1, kernel 1): that of Aila, Laine and Karras
   without its postponed leaf, in one loop, and in each round what the control value says, a new ray, or inner nodes, or
   the triangles of one leaf. The hardware sees to it that all lanes of a warp are told the same, by giving the warp
   another row of rays at rdctrl. So whatever belongs to a ray is in the ray registers, or in memory that these lead to:
   the traversal stack, which is a place's and not a thread's.
   Departures from the paper's listing:
   1. A warp leaves when none of its lanes has a ray; there each thread leaves for itself. A lane without a ray may get
      one with the warp's next row.
   2. The hit is stored where the next ray is fetched, with u and v worked out once more; the listing does not say
      where. */

#include "platforms/kernels/kernels.h"
#include "platforms/kernels/shuffled_ray.h"
#include "platforms/kernels/traversal.h"

namespace reconverge::kernels {

namespace {

/* Of one round. The paper's text has a warp complete "one inner node" in line 8 (section 3.2.2). */
constexpr int nodes_a_round = 1;

struct Scene {
  const BvhNode* nodes;
  const Float4* triangle_rows;
  const int* triangle_of_row;
};

/* All rays, and where their hits go. */
struct Rays {
  const Ray* rays;
  Hit* hits;
  unsigned count;
  unsigned* counters;
};

/* Stacks of 32 places lie side by side: entry k of place p is word (1 + p / 32 * words_of_place + k) * 32 + p % 32, so
   that none is word 0. */
constexpr unsigned places_together = 32;

/* The stack of the place that the ray is in, with the marker as its lowest entry. */
struct PlaceStack {
  int* words;
  RayRegisters& ray;

  __device__ void push(int node) {
    words[ray.stack] = node;
    ray.stack += places_together;
  }
  __device__ int pop() {
    ray.stack -= places_together;
    return words[ray.stack];
  }
};

__device__ inline RayTest ray_test(const RayRegisters& own) {
  return {own.origin_x, own.origin_y,  own.origin_z,  0.0F,          own.direction_x, own.direction_y, own.direction_z,
          own.t,        own.inverse_x, own.inverse_y, own.inverse_z, own.offset_x,    own.offset_y,    own.offset_z};
}

/* The ray from its t_min on. The origin moves by what rounding makes of t_min times the direction: nothing where t_min
   is zero. */
__device__ inline RayRegisters begin(const Ray* address, unsigned stack, unsigned index) {
  Float4 o = load_float4(address, 0);
  const Float4 d = load_float4(address, 1);
  o.x = fma(o.w, d.x, o.x);
  o.y = fma(o.w, d.y, o.y);
  o.z = fma(o.w, d.z, o.z);
  const RayTest ray = ray_test(o, d);
  return {ray.origin_x,
          ray.origin_y,
          ray.origin_z,
          ray.direction_x,
          ray.direction_y,
          ray.direction_z,
          ray.inverse_x,
          ray.inverse_y,
          ray.inverse_z,
          ray.offset_x,
          ray.offset_y,
          ray.offset_z,
          d.w - o.w,
          -1,
          0,
          stack,
          index};
}

/* The hit as the ray's record counts distances, with u and v: the numbers that test_triangle found. */
__device__ inline NearestHit hit_of(const RayRegisters& own, const Ray* address, const Float4* triangle_rows) {
  NearestHit hit{own.row, 0.0F, 0.0F, 0.0F};
  if (hit.row < 0) {
    hit.t = load_float4(address, 1).w;
    return hit;
  }
  hit.t = own.t + load_float4(address, 0).w;
  const auto at = static_cast<unsigned>(hit.row);
  const Float4 row1 = load_float4(triangle_rows, at + 1);
  const float u0 = fma(own.origin_x, row1.x, fma(own.origin_y, row1.y, fma(own.origin_z, row1.z, row1.w)));
  hit.u = fma(own.t, fma(own.direction_x, row1.x, fma(own.direction_y, row1.y, own.direction_z * row1.z)), u0);
  const Float4 row2 = load_float4(triangle_rows, at + 2);
  const float v0 = fma(own.origin_x, row2.x, fma(own.origin_y, row2.y, fma(own.origin_z, row2.z, row2.w)));
  hit.v = fma(own.t, fma(own.direction_x, row2.x, fma(own.direction_y, row2.y, own.direction_z * row2.z)), v0);
  return hit;
}

__device__ inline RayState state_at(int node) {
  if (node == traversal_done) return RayState::fetch;
  return node < 0 ? RayState::leaf : RayState::inner;
}

/* Stores the hit of the ray that ended here, if there was one, and begins with the next; false: there is none. */
__device__ inline bool fetch(const Scene& scene, const Rays& all, RayRegisters& own, PlaceStack& stack) {
  if (own.stack != 0) {
    const NearestHit hit = hit_of(own, all.rays + own.index, scene.triangle_rows);
    store_hit(all.hits + own.index, hit, scene.triangle_of_row);
  }
  own.index = next_number(all.counters);
  if (own.index >= all.count) return false;
  if (own.stack == 0) {
    const unsigned place = next_number(all.counters + 1);
    own.stack =
        places_together + place / places_together * (places_together * words_of_place) + place % places_together;
    stack.push(traversal_done);
  } else {
    own.stack += places_together; /* over the marker, which is still there */
  }
  own = begin(all.rays + own.index, own.stack, own.index);
  return true;
}

/* Visits the inner nodes of a round. */
__device__ inline void visit_nodes(const Scene& scene, RayRegisters& own, PlaceStack& stack) {
  int visited = 0;
  do {
    own.node = visit_node(scene.nodes, own.node, ray_test(own), own.t, stack);
  } while (++visited < nodes_a_round && is_inner(own.node));
  set_ray_state(state_at(own.node));
}

/* Tests the triangles of the ray's leaf, and takes the next node off its stack. */
template <typename Rows>
__device__ inline void test_triangles(const Scene& scene, RayRegisters& own, PlaceStack& stack) {
  NearestHit hit{own.row, own.t, 0.0F, 0.0F};
  test_leaf<Rows>(scene.triangle_rows, own.node, ray_test(own), hit);
  own.row = hit.row;
  own.t = hit.t;
  own.node = stack.pop();
  set_ray_state(state_at(own.node));
}

}  // namespace

extern "C" {

__global__ void trace_shuffled(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                               const Ray* rays, Hit* hits, unsigned count, unsigned* counters, int* stacks) {
  const Scene scene{nodes, triangle_rows, triangle_of_row};
  RayRegisters own;
  PlaceStack stack{stacks, own};
  for (;;) {
    const RayState control = read_control(own);
    if (!any_ray(control)) return;
    if (control == RayState::fetch) {
      const bool found = fetch(scene, {rays, hits, count, counters}, own, stack);
      set_ray_state(found ? RayState::inner : RayState::none);
    }
    if (control == RayState::inner) visit_nodes(scene, own, stack);
    if (control == RayState::leaf) test_triangles<RowsWhenNeeded>(scene, own, stack);
  }
}

/* The loop is written twice: if both entries call one template, clang makes another trace_shuffled, with one
   instruction less where a node is pushed. */
__global__ void trace_shuffled_three_rows(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                          const Ray* rays, Hit* hits, unsigned count, unsigned* counters, int* stacks) {
  const Scene scene{nodes, triangle_rows, triangle_of_row};
  RayRegisters own;
  PlaceStack stack{stacks, own};
  for (;;) {
    const RayState control = read_control(own);
    if (!any_ray(control)) return;
    if (control == RayState::fetch) {
      const bool found = fetch(scene, {rays, hits, count, counters}, own, stack);
      set_ray_state(found ? RayState::inner : RayState::none);
    }
    if (control == RayState::inner) visit_nodes(scene, own, stack);
    if (control == RayState::leaf) test_triangles<RowsTogether>(scene, own, stack);
  }
}
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
