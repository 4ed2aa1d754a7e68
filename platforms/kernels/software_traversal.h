#pragma once
/* Closest and any hit of one ray in software, for kernels that trace in the middle of other work. */

#include "platforms/kernels/traversal_unit.h"

namespace reconverge::kernels {

__device__ inline RayTest ray_test(const Ray& ray) {
  return ray_test({ray.origin[0], ray.origin[1], ray.origin[2], ray.t_min},
                  {ray.direction[0], ray.direction[1], ray.direction[2], ray.t_max});
}

/* The loops of trace_while_while; `ends` decides from the nearest hit so far whether the search is over. */
template <typename Ends>
__device__ inline NearestHit search(const AccelerationStructure& scene, const Ray& given, Ends ends) {
  const RayTest ray = ray_test(given);
  NearestHit hit{-1, ray.t_max, 0.0F, 0.0F};
  int stack_memory[traversal_stack_size]; /* NOLINT(modernize-avoid-c-arrays): local memory of the thread */
  TraversalStack stack(stack_memory);
  int node = 0;
  while (node != traversal_done) {
    while (is_inner(node)) node = visit_node(scene.nodes, node, ray, hit.t, stack);
    if (node < 0) {
      test_leaf(scene.triangle_rows, node, ray, hit);
      if (ends(hit)) return hit;
      node = stack.pop();
    }
  }
  return hit;
}

__device__ inline Hit trace_closest_software(const AccelerationStructure& scene, const Ray& ray) {
  const NearestHit hit = search(scene, ray, [](const NearestHit& /*so_far*/) { return false; });
  int triangle = hit.row;
  if (triangle >= 0) triangle = load_int(scene.triangle_of_row + triangle);
  return {triangle, hit.t, hit.u, hit.v};
}

/* Whether anything is between t_min and t_max. */
__device__ inline bool trace_any_software(const AccelerationStructure& scene, const Ray& ray) {
  return search(scene, ray, [](const NearestHit& so_far) { return so_far.row >= 0; }).row >= 0;
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
