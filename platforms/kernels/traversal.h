#pragma once
/* The parts of every traversal kernel for one ray: start, visit an inner node, test a triangle. */

#include "platforms/kernels/kernels.h"

namespace reconverge::kernels {

/* Marks the bottom of every stack; positive like an inner node, but greater than all of them. */
inline constexpr int traversal_done = 0x7fffffff;

/* Leaves are negative and wrap to large unsigned numbers, so that one comparison is enough. */
__device__ inline bool is_inner(int node) {
  return static_cast<unsigned>(node) < static_cast<unsigned>(traversal_done);
}

/* Nodes still to be visited. The entries are the thread's own array in local memory (traversal_stack_size of them,
   enough for a tree of depth 63); the top is in a register, which would not be so if the array were a member. */
inline constexpr int traversal_stack_size = 64;

struct TraversalStack {
  int* entries;
  int top{0};

  __device__ explicit TraversalStack(int* memory) : entries(memory) { entries[0] = traversal_done; }
  __device__ void push(int node) { entries[++top] = node; }
  __device__ int pop() { return entries[top--]; }
};

/* A ray with the inputs of the box test: reciprocal direction, and minus origin times that. */
struct RayTest {
  float origin_x, origin_y, origin_z, t_min;
  float direction_x, direction_y, direction_z, t_max;
  float inverse_x, inverse_y, inverse_z;
  float offset_x, offset_y, offset_z;
};

/* The reciprocal of a direction that is kept away from zero, so that no product of the box test is not-a-number. */
__device__ inline float safe_inverse(float direction) {
  constexpr unsigned sign = 0x80000000U;
  constexpr float least = 0x1p-80F;
  const float signed_least = bits_float((float_bits(direction) & sign) | float_bits(least));
  return reciprocal(absolute(direction) > least ? direction : signed_least);
}

__device__ inline RayTest ray_test(const Float4& o, const Float4& d) {
  RayTest ray{o.x, o.y, o.z, o.w, d.x, d.y, d.z, d.w, safe_inverse(d.x), safe_inverse(d.y), safe_inverse(d.z), 0, 0, 0};
  ray.offset_x = -o.x * ray.inverse_x;
  ray.offset_y = -o.y * ray.inverse_y;
  ray.offset_z = -o.z * ray.inverse_z;
  return ray;
}

__device__ inline RayTest start_ray(const Ray* address) {
  const Float4 o = load_float4(address, 0);
  const Float4 d = load_float4(address, 1);
  return ray_test(o, d);
}

/* The interval in which the ray is inside a box: enter <= leave if it meets the box. */
struct Span {
  float enter, leave;
};

__device__ inline Span box_span(const RayTest& ray, float lo_x, float hi_x, float lo_y, float hi_y, float lo_z,
                                float hi_z, float t_max) {
  const float ax = fma(lo_x, ray.inverse_x, ray.offset_x);
  const float bx = fma(hi_x, ray.inverse_x, ray.offset_x);
  const float ay = fma(lo_y, ray.inverse_y, ray.offset_y);
  const float by = fma(hi_y, ray.inverse_y, ray.offset_y);
  const float az = fma(lo_z, ray.inverse_z, ray.offset_z);
  const float bz = fma(hi_z, ray.inverse_z, ray.offset_z);
  const float enter_xy = maximum(minimum(ax, bx), minimum(ay, by));
  const float leave_xy = minimum(maximum(ax, bx), maximum(ay, by));
  return {maximum(enter_xy, maximum(minimum(az, bz), ray.t_min)), minimum(leave_xy, minimum(maximum(az, bz), t_max))};
}

/* Tests both children of an inner node; returns the next node: the nearer child (the farther one goes on the stack),
   the only one that is met, or the top of the stack. */
template <typename Stack>
__device__ inline int visit_node(const BvhNode* nodes, int node, const RayTest& ray, float t_max, Stack& stack) {
  const BvhNode* address = nodes + node;
  const Float4 first_xy = load_float4(address, 0);
  const Float4 second_xy = load_float4(address, 1);
  const Float4 both_z = load_float4(address, 2);
  const Int4 children = load_int4(address, 3);
  const Span first = box_span(ray, first_xy.x, first_xy.y, first_xy.z, first_xy.w, both_z.x, both_z.y, t_max);
  const Span second = box_span(ray, second_xy.x, second_xy.y, second_xy.z, second_xy.w, both_z.z, both_z.w, t_max);
  const bool enter_first = first.enter <= first.leave;
  const bool enter_second = second.enter <= second.leave;
  if (!enter_first && !enter_second) return stack.pop();
  int next = enter_first ? children.x : children.y;
  if (enter_first && enter_second) {
    int farther = children.y;
    if (second.enter < first.enter) {
      farther = children.x;
      next = children.y;
    }
    stack.push(farther);
  }
  return next;
}

/* The nearest triangle so far. */
struct NearestHit {
  int row; /* of its first row; -1: none */
  float t, u, v;
};

/* Woop's test: the distance to the plane of a triangle by its first row, and the weight of a vertex in the point at t
   by the second or third. */
__device__ inline float plane_distance(const Float4& row, const RayTest& ray) {
  const float distance = fma(-ray.origin_x, row.x, fma(-ray.origin_y, row.y, fma(-ray.origin_z, row.z, row.w)));
  const float speed = fma(ray.direction_x, row.x, fma(ray.direction_y, row.y, ray.direction_z * row.z));
  return distance * reciprocal(speed);
}
__device__ inline float vertex_weight(const Float4& row, const RayTest& ray, float t) {
  const float at_origin = fma(ray.origin_x, row.x, fma(ray.origin_y, row.y, fma(ray.origin_z, row.z, row.w)));
  const float speed = fma(ray.direction_x, row.x, fma(ray.direction_y, row.y, ray.direction_z * row.z));
  return fma(t, speed, at_origin);
}

/* The rows of a triangle, the first of them `row`. The second and the third are loaded when the test gets there, as in
   the kernel of Aila, Laine and Karras for Fermi. */
struct RowsWhenNeeded {
  const Float4* rows;
  unsigned at;
  Float4 first;

  __device__ RowsWhenNeeded(const Float4* triangle_rows, unsigned row)
      : RowsWhenNeeded(triangle_rows, row, load_float4(triangle_rows, row)) {}
  __device__ RowsWhenNeeded(const Float4* triangle_rows, unsigned row, const Float4& row0)
      : rows(triangle_rows), at(row), first(row0) {}
  __device__ Float4 second() const { return load_float4(rows, at + 1); }
  __device__ Float4 third() const { return load_float4(rows, at + 2); }
};

/* All three are loaded before the first is tested, as in their kernel for Kepler. At an end marker, too: the two rows
   after it belong to the next leaf, or are the spare ones that end the array. */
struct RowsTogether {
  Float4 first, second_row, third_row;

  __device__ RowsTogether(const Float4* triangle_rows, unsigned row) : RowsTogether(triangle_rows + row) {}
  __device__ explicit RowsTogether(const Float4* own)
      : first(load_float4(own, 0)), second_row(load_float4(own, 1)), third_row(load_float4(own, 2)) {}
  __device__ const Float4& second() const { return second_row; }
  __device__ const Float4& third() const { return third_row; }
};

/* Tests the triangle with these rows, the first of which is `row`; a nearer hit replaces `hit`. */
template <typename Rows>
__device__ inline void test_triangle(const Rows& rows, int row, const RayTest& ray, NearestHit& hit) {
  const float t = plane_distance(rows.first, ray);
  if (!(t > ray.t_min && t < hit.t)) return;
  const float u = vertex_weight(rows.second(), ray, t);
  if (!(u >= 0.0F)) return;
  const float v = vertex_weight(rows.third(), ray, t);
  if (!(v >= 0.0F && u + v <= 1.0F)) return;
  hit = {row, t, u, v};
}

/* The same for a triangle whose first row is loaded already. */
__device__ inline void test_triangle(const Float4* triangle_rows, int row, Float4 row0, const RayTest& ray,
                                     NearestHit& hit) {
  test_triangle(RowsWhenNeeded(triangle_rows, static_cast<unsigned>(row), row0), row, ray, hit);
}

/* The same for kernels that do not keep the whole hit. A hit nearer than t_max is passed to `found` as t, u and v,
   inside the last condition: after it these need no register. */
template <typename Found>
__device__ inline void meet_triangle(const Float4* triangle_rows, unsigned row, const Float4& row0, const RayTest& ray,
                                     Found found) {
  const float t = plane_distance(row0, ray);
  if (!(t > ray.t_min && t < ray.t_max)) return;
  const float u = vertex_weight(load_float4(triangle_rows, row + 1), ray, t);
  if (!(u >= 0.0F)) return;
  const float v = vertex_weight(load_float4(triangle_rows, row + 2), ray, t);
  if (!(v >= 0.0F && u + v <= 1.0F)) return;
  found(t, u, v);
}

/* Tests all triangles of a leaf, given as in a node's reference. */
template <typename Rows = RowsWhenNeeded>
__device__ inline void test_leaf(const Float4* triangle_rows, int leaf, const RayTest& ray, NearestHit& hit) {
  for (int row = ~leaf;; row += 3) {
    const Rows rows(triangle_rows, static_cast<unsigned>(row));
    if (float_bits(rows.first.x) == scenes::leaf_end_bits) return;
    test_triangle(rows, row, ray, hit);
  }
}

/* Writes the result of one ray at once. Only here is the triangle's number looked up. */
__device__ inline void store_hit(Hit* address, const NearestHit& hit, const int* triangle_of_row) {
  int triangle = hit.row;
  if (triangle >= 0) triangle = load_int(triangle_of_row + triangle);
  *address = {triangle, hit.t, hit.u, hit.v};
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
