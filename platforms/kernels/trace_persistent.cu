/* trace_while_while with the three measures that Aila, Laine and Karras add to it ("Understanding the efficiency of ray
   traversal on GPUs - Kepler and Fermi addendum", NVR-2012-02), each on or off. With all of them it is the software
   baseline of Lü et al. (MICRO 2017, section 2.2).
   - Persistent threads: a warp whose rays have ended takes new ones from a common counter.
   - Replacement of terminated rays: it does so already when fewer than `few_lanes` of its lanes still trace.
   - Speculative traversal: a lane that has found a leaf keeps it, and goes on through inner nodes until every lane of
     its loop has one. It visits nodes that the postponed leaf might have ruled out, and finds the same hit.
   Threads leave at the end of the outer loop, where all of them pass. With a `return` where no ray is left, the only
   way out would lie behind the end of a ray, which would then be the immediate post-dominator of the question whether
   it has ended: lanes with nothing to do would wait there for all others, and none would ever be replaced.
   What clang makes of it: the loops stay as they are here, rotated. Votes are convergent to it, so none is moved or
   copied. */

#include "platforms/kernels/kernels.h"
#include "platforms/kernels/persistent.h"
#include "platforms/kernels/traversal.h"

namespace reconverge::kernels {

namespace {

/* Where a thread gets its rays. */
enum class Rays { one_a_thread, when_all_ended, when_few_are_left };

/* Of 32, as NVR-2012-02 has it for Kepler. */
constexpr unsigned few_lanes = 20;

/* No leaf is postponed; leaves are negative. */
constexpr int no_leaf = 0;

struct Scene {
  const BvhNode* nodes;
  const Float4* triangle_rows;
  const int* triangle_of_row;
};

/* Down to a leaf, and its triangles. */
template <typename Rows>
__device__ inline int trace_to_leaf(const Scene& scene, int node, const RayTest& ray, NearestHit& hit,
                                    TraversalStack& stack) {
  while (is_inner(node)) node = visit_node(scene.nodes, node, ray, hit.t, stack);
  if (node < 0) {
    test_leaf<Rows>(scene.triangle_rows, node, ray, hit);
    node = stack.pop();
  }
  return node;
}

/* The same, but the first leaf waits until all lanes have one or have none to come; then it and, where the node that
   the lane stands at is a leaf as well, that one. `node` is an inner one, and so is the result, or it is
   `traversal_done`. */
template <typename Rows>
__device__ inline int trace_to_leaf_speculatively(const Scene& scene, int node, const RayTest& ray, NearestHit& hit,
                                                  TraversalStack& stack) {
  int leaf = no_leaf;
  while (is_inner(node)) {
    node = visit_node(scene.nodes, node, ray, hit.t, stack);
    if (node < 0 && leaf == no_leaf) {
      leaf = node;
      node = stack.pop();
    }
    if (!any_lane(leaf == no_leaf)) break;
  }
  while (leaf < 0) {
    test_leaf<Rows>(scene.triangle_rows, leaf, ray, hit);
    leaf = node;
    if (node < 0) node = stack.pop();
  }
  return node;
}

template <Rays rays_from, bool speculative, typename Rows = RowsWhenNeeded>
__device__ inline void trace(const Scene& scene, const Ray* rays, Hit* hits, unsigned count, unsigned* counter) {
  int stack_memory[traversal_stack_size]; /* NOLINT(modernize-avoid-c-arrays): local memory of the thread */
  TraversalStack stack(stack_memory);
  RayPlace own;
  do {
    if (own.node == traversal_done) {
      const unsigned next = rays_from == Rays::one_a_thread ? global_thread() : next_ray(counter);
      take_ray(own, stack, rays, next, count);
    }
    while (own.node != traversal_done) {
      own.node = speculative ? trace_to_leaf_speculatively<Rows>(scene, own.node, own.ray, own.hit, stack)
                             : trace_to_leaf<Rows>(scene, own.node, own.ray, own.hit, stack);
      if (rays_from == Rays::when_few_are_left && population(ballot(true)) < few_lanes) break;
    }
    if (own.node == traversal_done && own.index < count) store_hit(hits + own.index, own.hit, scene.triangle_of_row);
  } while (rays_from != Rays::one_a_thread && own.index < count);
}

}  // namespace

extern "C" {

__global__ void trace_speculative(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                  const Ray* rays, Hit* hits, unsigned count) {
  trace<Rays::one_a_thread, true>({nodes, triangle_rows, triangle_of_row}, rays, hits, count, nullptr);
}

__global__ void trace_persistent(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                 const Ray* rays, Hit* hits, unsigned count, unsigned* counter) {
  trace<Rays::when_all_ended, false>({nodes, triangle_rows, triangle_of_row}, rays, hits, count, counter);
}

__global__ void trace_persistent_speculative(const BvhNode* nodes, const Float4* triangle_rows,
                                             const int* triangle_of_row, const Ray* rays, Hit* hits, unsigned count,
                                             unsigned* counter) {
  trace<Rays::when_all_ended, true>({nodes, triangle_rows, triangle_of_row}, rays, hits, count, counter);
}

__global__ void trace_replacing(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                const Ray* rays, Hit* hits, unsigned count, unsigned* counter) {
  trace<Rays::when_few_are_left, false>({nodes, triangle_rows, triangle_of_row}, rays, hits, count, counter);
}

__global__ void trace_replacing_speculative(const BvhNode* nodes, const Float4* triangle_rows,
                                            const int* triangle_of_row, const Ray* rays, Hit* hits, unsigned count,
                                            unsigned* counter) {
  trace<Rays::when_few_are_left, true>({nodes, triangle_rows, triangle_of_row}, rays, hits, count, counter);
}

__global__ void trace_replacing_speculative_three_rows(const BvhNode* nodes, const Float4* triangle_rows,
                                                       const int* triangle_of_row, const Ray* rays, Hit* hits,
                                                       unsigned count, unsigned* counter) {
  trace<Rays::when_few_are_left, true, RowsTogether>({nodes, triangle_rows, triangle_of_row}, rays, hits, count,
                                                     counter);
}
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
