#pragma once
/* The state of a ray in the micro-kernels that trace with a BVH: 17 words, as the DRS paper counts them (Lü et al.,
 * MICRO 2017, section 4.5). */

#include "platforms/kernels/microkernel.h"

namespace reconverge::kernels {

/* Byte offsets of the words of a ray's state. */
enum Place : int {
  origin = 0,
  direction = 12,
  inverse = 24,
  offset = 36,
  t_min = 48,
  nearest = 52,   /* distance of the nearest hit so far; if none, the end of the ray */
  current = 56,   /* the node; in a leaf the next triangle, as nodes refer to it */
  stack_top = 60, /* word of the first free entry */
  number = 64     /* of the ray */
};

/* The ray's stack, with the marker as its lowest entry. */
struct RayStack {
  int* words;
  unsigned count; /* rays, whose entries of one depth are adjacent */
  unsigned top;

  __device__ void push(int node) {
    words[top] = node;
    top += count;
  }
  __device__ int pop() {
    top -= count;
    return words[top];
  }
};

/* The inputs of the tests of boxes and of triangles; both use t_min and t_max. */
__device__ inline void load_for_boxes(unsigned at, RayTest& ray) {
  ray.inverse_x = load_state<Place::inverse>(at);
  ray.inverse_y = load_state<Place::inverse + 4>(at);
  ray.inverse_z = load_state<Place::inverse + 8>(at);
  ray.offset_x = load_state<Place::offset>(at);
  ray.offset_y = load_state<Place::offset + 4>(at);
  ray.offset_z = load_state<Place::offset + 8>(at);
}
__device__ inline void load_for_triangles(unsigned at, RayTest& ray) {
  ray.origin_x = load_state<Place::origin>(at);
  ray.origin_y = load_state<Place::origin + 4>(at);
  ray.origin_z = load_state<Place::origin + 8>(at);
  ray.direction_x = load_state<Place::direction>(at);
  ray.direction_y = load_state<Place::direction + 4>(at);
  ray.direction_z = load_state<Place::direction + 8>(at);
}

/* The state of a new ray, except node and stack. */
__device__ inline void store_ray(unsigned at, const RayTest& ray, unsigned number) {
  store_state<Place::origin>(at, ray.origin_x);
  store_state<Place::origin + 4>(at, ray.origin_y);
  store_state<Place::origin + 8>(at, ray.origin_z);
  store_state<Place::direction>(at, ray.direction_x);
  store_state<Place::direction + 4>(at, ray.direction_y);
  store_state<Place::direction + 8>(at, ray.direction_z);
  store_state<Place::inverse>(at, ray.inverse_x);
  store_state<Place::inverse + 4>(at, ray.inverse_y);
  store_state<Place::inverse + 8>(at, ray.inverse_z);
  store_state<Place::offset>(at, ray.offset_x);
  store_state<Place::offset + 4>(at, ray.offset_y);
  store_state<Place::offset + 8>(at, ray.offset_z);
  store_state<Place::t_min>(at, ray.t_min);
  store_state<Place::nearest>(at, ray.t_max);
  store_state<Place::number>(at, number);
}

/* Node and stack of a ray that continues elsewhere. */
__device__ inline void store_place(unsigned at, int node, const RayStack& stack) {
  store_state<Place::current>(at, static_cast<unsigned>(node));
  store_state<Place::stack_top>(at, stack.top);
}

/* The state of ray `number`, at the root of the tree, and its hit, initially none. Returns the address of the state. */
__device__ inline unsigned begin_ray(const Ray* rays, Hit* hits, unsigned number, unsigned count, int* stacks) {
  const RayTest ray = start_ray(rays + number);
  write_float4(reinterpret_cast<Float4*>(hits + number), {bits_float(~0U), ray.t_max, 0.0F, 0.0F});
  const unsigned at = own_state();
  store_ray(at, ray, number);
  RayStack stack{stacks, count, number};
  stack.push(traversal_done);
  store_place(at, 0, stack);
  return at;
}

/* Tests the triangle of `row` in a leaf; stores a nearer hit, and t_max is its distance. Returns the next triangle, or
   after the last one the top of the stack. */
__device__ inline int visit_triangle(unsigned at, const Float4* triangle_rows, const int* triangle_of_row, Hit* hits,
                                     unsigned row, RayTest& ray, RayStack& stack) {
  const Float4 row0 = load_float4(triangle_rows, row);
  unsigned next_bits = float_bits(row0.x);
  if (next_bits != scenes::leaf_end_bits) { /* not a leaf without triangles */
    next_bits = float_bits(load_float(&triangle_rows[row + 3].x));
    meet_triangle(triangle_rows, row, row0, ray, [&](float t, float u, float v) {
      store_state<Place::nearest>(at, t);
      ray.t_max = t;
      const int triangle = load_int(triangle_of_row + row);
      write_float4(reinterpret_cast<Float4*>(hits + load_state_word<Place::number>(at)),
                   {bits_float(static_cast<unsigned>(triangle)), t, u, v});
    });
  }
  if (next_bits == scenes::leaf_end_bits) return stack.pop();
  return static_cast<int>(~(row + 3));
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
