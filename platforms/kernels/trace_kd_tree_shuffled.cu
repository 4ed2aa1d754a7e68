/* trace_kd_tree for dynamic ray shuffling (Lü et al., MICRO 2017), in the form of trace_shuffled: a round goes down
   from inner nodes, or tests the triangles of a leaf and goes back to the next subtree, or stores a hit and takes a
   ray. The arithmetic is that of trace_kd_tree, and so is every hit, bit for bit. A ray is 17 registers, too. What has
   no place there:
   1. The stack is in memory, a place's and not a thread's.
   2. u and v are worked out once more where the hit is stored.
   3. t_min is read again where a triangle is hit. It is not negative, so nothing nearer than zero comes so far. */

#include "platforms/kernels/kernels.h"
#include "platforms/kernels/shuffled_ray.h"
#include "platforms/kernels/traversal.h"

namespace reconverge::kernels {

namespace {

/* Steps down of one round, at most. More take fewer cycles and fill warps less. */
constexpr int steps_a_round = 3;

/* Entries of a stack, 48 and a spare one, so that those of one depth lie in many sets of a cache. */
constexpr unsigned kd_entries_of_place = 49;

/* Stacks of 32 places lie side by side. */
constexpr unsigned places_together = 32;

/* Bits of KdRay::stack for the entries on it: 48 at most. */
constexpr unsigned waiting_bits = 6;

/* The ray registers. Zero in a place that has had no ray yet. */
struct KdRay {
  float origin_x = 0, origin_y = 0, origin_z = 0;
  float direction_x = 0, direction_y = 0, direction_z = 0;
  float inverse_x = 0, inverse_y = 0, inverse_z = 0;
  float t = 0; /* of the nearest hit so far; without one the end of the ray */
  int row = 0; /* of that hit; -1: none */
  float t_near = 0, t_far = 0;
  Word2 node{0, 0};
  unsigned stack = 0; /* 1 + number of the place's stack, then the entries on it; 0: the place has none yet */
  unsigned index = 0;
};

#if defined(__CUDA__)
__device__ inline RayState read_control(KdRay& ray) {
  unsigned control;
  asm volatile("rdctrl.b32 %0, {%1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17};"
               : "=r"(control), "+f"(ray.origin_x), "+f"(ray.origin_y), "+f"(ray.origin_z), "+f"(ray.direction_x),
                 "+f"(ray.direction_y), "+f"(ray.direction_z), "+f"(ray.inverse_x), "+f"(ray.inverse_y),
                 "+f"(ray.inverse_z), "+f"(ray.t), "+r"(ray.row), "+f"(ray.t_near), "+f"(ray.t_far), "+r"(ray.node.x),
                 "+r"(ray.node.y), "+r"(ray.stack), "+r"(ray.index));
  return static_cast<RayState>(control);
}
#endif

__device__ inline RayTest ray_test(const KdRay& own) {
  return {own.origin_x,
          own.origin_y,
          own.origin_z,
          0.0F,
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

/* The first entry that is free. */
__device__ inline Word2* stack_top(Word2* stacks, const KdRay& own) {
  const unsigned place = (own.stack >> waiting_bits) - 1;
  const unsigned entry = own.stack & ((1U << waiting_bits) - 1);
  return stacks + ((place / places_together * kd_entries_of_place + entry) * places_together + place % places_together);
}

__device__ inline RayState state_at(const Word2& node) {
  return (node.x & 3U) == scenes::kd_leaf ? RayState::leaf : RayState::inner;
}

__device__ inline float along(unsigned axis, float x, float y, float z) { return axis == 0 ? x : axis == 1 ? y : z; }

/* From an inner node to a child; the other goes on the stack where the ray passes both. */
__device__ inline void go_down(KdRay& own, const KdNode* nodes, Word2* stacks) {
  const unsigned axis = own.node.x & 3U;
  const float inverse = along(axis, own.inverse_x, own.inverse_y, own.inverse_z);
  const float t = (bits_float(own.node.y) - along(axis, own.origin_x, own.origin_y, own.origin_z)) * inverse;
  const unsigned below = own.node.x >> 2U;
  const unsigned first = inverse < 0.0F ? below + 1 : below;
  const unsigned second = inverse < 0.0F ? below : below + 1;
  unsigned next = first;
  if (t <= own.t_far) {
    if (t < own.t_near) {
      next = second;
    } else {
      write_word2(stack_top(stacks, own), {second, float_bits(own.t_far)});
      ++own.stack;
      own.t_far = t;
    }
  }
  own.node = load_word2(nodes, next);
}

__device__ inline void test_leaf(KdRay& own, const int* leaf_triangles, const Float4* triangle_rows, const Ray* rays) {
  const unsigned entry = own.node.x >> 2U;
  for (unsigned tested = 0; tested < own.node.y; ++tested) {
    const int row = 3 * load_int(leaf_triangles + entry + tested);
    const auto at = static_cast<unsigned>(row);
    meet_triangle(triangle_rows, at, load_float4(triangle_rows, at), ray_test(own), [&](float t, float, float) {
      if (!(t > load_float(&rays[own.index].t_min))) return;
      own.t = t;
      own.row = row;
    });
  }
}

/* To the next subtree on the stack, if the ray goes so far. */
__device__ inline RayState go_back(KdRay& own, const KdNode* nodes, Word2* stacks) {
  if ((own.stack & ((1U << waiting_bits) - 1)) == 0 || own.t <= own.t_far) return RayState::fetch;
  --own.stack;
  const Word2 top = read_word2(stack_top(stacks, own));
  own.node = load_word2(nodes, top.x);
  own.t_near = own.t_far;
  own.t_far = bits_float(top.y);
  return state_at(own.node);
}

__device__ inline void store_kd_hit(Hit* address, const KdRay& own, const Float4* triangle_rows) {
  Hit hit{-1, own.t, 0.0F, 0.0F};
  if (own.row >= 0) {
    const RayTest ray = ray_test(own);
    const auto at = static_cast<unsigned>(own.row);
    hit = {own.row / 3, own.t, vertex_weight(load_float4(triangle_rows, at + 1), ray, own.t),
           vertex_weight(load_float4(triangle_rows, at + 2), ray, own.t)};
  }
  *address = hit;
}

struct TreeBox {
  float low_x, low_y, low_z, high_x, high_y, high_z;
};

/* Begins with the next ray, which may miss the tree. */
__device__ inline RayState fetch(KdRay& own, const KdNode* nodes, const Ray* rays, unsigned count, unsigned* counters,
                                 const TreeBox& box) {
  own.index = next_number(counters);
  if (own.index >= count) return RayState::none;
  if (own.stack == 0) own.stack = (next_number(counters + 1) + 1) << waiting_bits;
  const RayTest ray = start_ray(rays + own.index);
  const auto [t_near, t_far] =
      box_span(ray, box.low_x, box.high_x, box.low_y, box.high_y, box.low_z, box.high_z, ray.t_max);
  own = {ray.origin_x,
         ray.origin_y,
         ray.origin_z,
         ray.direction_x,
         ray.direction_y,
         ray.direction_z,
         ray.inverse_x,
         ray.inverse_y,
         ray.inverse_z,
         ray.t_max,
         -1,
         t_near,
         t_far,
         load_word2(nodes, 0),
         own.stack >> waiting_bits << waiting_bits,
         own.index};
  return t_near > t_far ? RayState::fetch : state_at(own.node);
}

}  // namespace

extern "C" __global__ void trace_kd_tree_shuffled(const KdNode* nodes, const int* leaf_triangles,
                                                  const Float4* triangle_rows, const Ray* rays, Hit* hits,
                                                  unsigned count, float low_x, float low_y, float low_z, float high_x,
                                                  float high_y, float high_z, unsigned* counters, Word2* stacks) {
  KdRay own;
  for (;;) {
    const RayState control = read_control(own);
    if (!any_ray(control)) return;
    if (control == RayState::fetch) {
      if (own.stack != 0) store_kd_hit(hits + own.index, own, triangle_rows);
      set_ray_state(fetch(own, nodes, rays, count, counters, {low_x, low_y, low_z, high_x, high_y, high_z}));
    }
    if (control == RayState::inner) {
      int steps = 0;
      do {
        go_down(own, nodes, stacks);
      } while (++steps < steps_a_round && state_at(own.node) == RayState::inner);
      /* On the way to another leaf: for this alone no ray has to change its warp. */
      const bool empty_leaf = state_at(own.node) == RayState::leaf && own.node.y == 0;
      set_ray_state(empty_leaf ? go_back(own, nodes, stacks) : state_at(own.node));
    }
    if (control == RayState::leaf) {
      test_leaf(own, leaf_triangles, triangle_rows, rays);
      set_ray_state(go_back(own, nodes, stacks));
    }
  }
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
