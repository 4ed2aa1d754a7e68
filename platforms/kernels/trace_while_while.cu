/* The while-while traversal that Aila and Laine describe ("Understanding the efficiency of ray traversal on GPUs",
   HPG 2009) and that Lü et al. (MICRO 2017, algorithm 1) take as the software baseline: a ray goes down inner nodes
   until it meets a leaf, then tests the leaf's triangles, then takes the next node off its stack. */

#include "platforms/kernels/kernels.h"
#include "platforms/kernels/traversal.h"

namespace reconverge::kernels {

extern "C" __global__ void trace_while_while(const BvhNode* nodes, const Float4* triangle_rows,
                                             const int* triangle_of_row, const Ray* rays, Hit* hits, unsigned count) {
  const unsigned index = global_thread();
  if (index >= count) return;
  const RayTest ray = start_ray(rays + index);
  NearestHit hit{-1, ray.t_max, 0.0F, 0.0F};

  int stack_memory[traversal_stack_size]; /* NOLINT(modernize-avoid-c-arrays): local memory of the thread */
  TraversalStack stack(stack_memory);
  int node = 0;
  while (node != traversal_done) {
    while (is_inner(node)) node = visit_node(nodes, node, ray, hit.t, stack);
    if (node < 0) {
      for (int row = ~node;; row += 3) {
        const Float4 row0 = load_float4(triangle_rows, static_cast<unsigned>(row));
        if (float_bits(row0.x) == scenes::leaf_end_bits) break;
        test_triangle(triangle_rows, row, row0, ray, hit);
      }
      node = stack.pop();
    }
  }
  store_hit(hits + index, hit, triangle_of_row);
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
