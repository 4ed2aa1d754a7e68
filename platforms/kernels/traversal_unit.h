#pragma once
/* Rays traced by the traversal unit of an SM: `trace.closest.f32` and `trace.any.u32`
   (models/schemes/raytrace/trace_instructions.hpp). The twin uses the software traversal instead, which finds the same
   hits bit for bit. */

#include "platforms/kernels/traversal.h"

namespace reconverge::kernels {

/* The arrays of scenes::Bvh. */
struct AccelerationStructure {
  const BvhNode* nodes;
  const Float4* triangle_rows;
  const int* triangle_of_row;
};

#if defined(__CUDA__)

/* The nearest hit of *ray, which is in global memory or a variable of the thread. */
__device__ inline Hit trace_closest(const AccelerationStructure& scene, const Ray* ray) {
  Hit hit;
  asm volatile("trace.closest.f32 %0, %1, %2, %3, %4, %5, %6, %7;"
               : "=f"(hit.t), "=f"(hit.u), "=f"(hit.v), "=r"(hit.triangle)
               : "l"(scene.nodes), "l"(scene.triangle_rows), "l"(scene.triangle_of_row), "l"(ray)
               : "memory");
  return hit;
}

/* Whether *ray hits anything. */
__device__ inline bool trace_any(const AccelerationStructure& scene, const Ray* ray) {
  unsigned hit;
  asm volatile("trace.any.u32 %0, %1, %2, %3;"
               : "=r"(hit)
               : "l"(scene.nodes), "l"(scene.triangle_rows), "l"(ray)
               : "memory");
  return hit != 0;
}

#else

inline NearestHit traverse(const AccelerationStructure& scene, const Ray* address, bool any) {
  const RayTest ray = start_ray(address);
  NearestHit hit{-1, ray.t_max, 0.0F, 0.0F};
  int stack_memory[traversal_stack_size]; /* NOLINT(modernize-avoid-c-arrays): as on the device */
  TraversalStack stack(stack_memory);
  int node = 0;
  while (node != traversal_done && !(any && hit.row >= 0)) {
    if (is_inner(node)) {
      node = visit_node(scene.nodes, node, ray, hit.t, stack);
    } else {
      test_leaf(scene.triangle_rows, node, ray, hit);
      node = stack.pop();
    }
  }
  return hit;
}

inline Hit trace_closest(const AccelerationStructure& scene, const Ray* ray) {
  const NearestHit hit = traverse(scene, ray, false);
  return {hit.row < 0 ? hit.row : scene.triangle_of_row[hit.row], hit.t, hit.u, hit.v};
}

inline bool trace_any(const AccelerationStructure& scene, const Ray* ray) {
  return traverse(scene, ray, true).row >= 0;
}

#endif

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
