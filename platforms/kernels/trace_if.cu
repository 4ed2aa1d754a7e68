/* The other orders of the traversal's parts: one loop, and in each of its rounds a little of what a ray needs.
   - trace_if_if (Aila and Laine, HPG 2009): one inner node, then one triangle if the node is a leaf now.
   - trace_while_if (Lü et al., MICRO 2017, kernel 1, "while-if"): a new ray, or one inner node, or all triangles of one
     leaf. The paper's hardware hands out the control value by `rdctrl`; here it is what the thread's own ray needs. */

#include "platforms/kernels/kernels.h"
#include "platforms/kernels/persistent.h"
#include "platforms/kernels/traversal.h"

namespace reconverge::kernels {

namespace {

/* What a ray needs next, and a round of trace_while_if does for it. */
enum class Part { fetch, inner, leaf };

__device__ inline Part next_part(int node) {
  if (node == traversal_done) return Part::fetch;
  return node < 0 ? Part::leaf : Part::inner;
}

}  // namespace

extern "C" {

__global__ void trace_if_if(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                            const Ray* rays, Hit* hits, unsigned count) {
  const unsigned index = global_thread();
  if (index >= count) return;
  const RayTest ray = start_ray(rays + index);
  NearestHit hit{-1, ray.t_max, 0.0F, 0.0F};

  int stack_memory[traversal_stack_size]; /* NOLINT(modernize-avoid-c-arrays): local memory of the thread */
  TraversalStack stack(stack_memory);
  int node = 0;
  while (node != traversal_done) {
    if (is_inner(node)) node = visit_node(nodes, node, ray, hit.t, stack);
    if (node < 0) {
      const int row = ~node;
      const Float4 row0 = load_float4(triangle_rows, static_cast<unsigned>(row));
      if (float_bits(row0.x) == scenes::leaf_end_bits) {
        node = stack.pop();
      } else {
        test_triangle(triangle_rows, row, row0, ray, hit);
        node = ~(row + 3);
      }
    }
  }
  store_hit(hits + index, hit, triangle_of_row);
}

__global__ void trace_while_if(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                               const Ray* rays, Hit* hits, unsigned count, unsigned* counter) {
  int stack_memory[traversal_stack_size]; /* NOLINT(modernize-avoid-c-arrays): local memory of the thread */
  TraversalStack stack(stack_memory);
  RayPlace own;
  do {
    const Part part = next_part(own.node);
    if (part == Part::fetch) take_ray(own, stack, rays, next_ray(counter), count);
    if (part == Part::inner) own.node = visit_node(nodes, own.node, own.ray, own.hit.t, stack);
    if (part == Part::leaf) {
      test_leaf(triangle_rows, own.node, own.ray, own.hit);
      own.node = stack.pop();
    }
    if (part != Part::fetch && own.node == traversal_done) store_hit(hits + own.index, own.hit, triangle_of_row);
  } while (own.index < count); /* the only way out: see trace_persistent.cu */
}
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
