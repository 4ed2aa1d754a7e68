/* The traditional ray tracing kernel of Steffen and Zambreno (MICRO 2010, example 1), by a kd-tree: while the node is
   not a leaf, go down, and put the far child on the stack where the ray passes both; while the leaf has untested
   triangles, test them; then take the next subtree off the stack. Three loops, and the lanes of a warp leave each of
   them at different times. */

#include "platforms/kernels/kernels.h"
#include "platforms/kernels/traversal.h"

namespace reconverge::kernels {

namespace {

/* Subtrees still to be visited. An entry is a node and, as bits, the distance at which the ray leaves it; it enters
   where it left the leaf before, so that need not be kept. 48 entries are the paper's 384 bytes a thread (Table II,
   VI-A), and enough for a tree of depth 48. */
constexpr int kd_stack_size = 48;

__device__ inline bool is_leaf(const Word2& node) { return (node.x & 3U) == scenes::kd_leaf; }

/* The element of a ray's vector along an axis, 0..2. Chosen, because what is indexed cannot lie in registers. */
__device__ inline float along(unsigned axis, float x, float y, float z) { return axis == 0 ? x : axis == 1 ? y : z; }

}  // namespace

extern "C" __global__ void trace_kd_tree(const KdNode* nodes, const int* leaf_triangles, const Float4* triangle_rows,
                                         const Ray* rays, Hit* hits, unsigned count, float low_x, float low_y,
                                         float low_z, float high_x, float high_y, float high_z) {
  const unsigned index = global_thread();
  if (index >= count) return;
  const RayTest ray = start_ray(rays + index);
  NearestHit hit{-1, ray.t_max, 0.0F, 0.0F};

  Word2 stack[kd_stack_size]; /* NOLINT(modernize-avoid-c-arrays): local memory of the thread */
  int waiting = 0;
  auto [t_near, t_far] = box_span(ray, low_x, high_x, low_y, high_y, low_z, high_z, ray.t_max);
  Word2 node = load_word2(nodes, 0);
  bool finished = t_near > t_far;
  while (!finished) {
    while (!is_leaf(node)) {
      const unsigned axis = node.x & 3U;
      const float inverse = along(axis, ray.inverse_x, ray.inverse_y, ray.inverse_z);
      const float t = (bits_float(node.y) - along(axis, ray.origin_x, ray.origin_y, ray.origin_z)) * inverse;
      const unsigned below = node.x >> 2U;
      const unsigned first = inverse < 0.0F ? below + 1 : below;
      const unsigned second = inverse < 0.0F ? below : below + 1;
      unsigned next = first;
      if (t <= t_far) {
        if (t < t_near) {
          next = second;
        } else {
          write_word2(stack + waiting++, {second, float_bits(t_far)});
          t_far = t;
        }
      }
      node = load_word2(nodes, next);
    }
    const unsigned entry = node.x >> 2U;
    for (unsigned tested = 0; tested < node.y; ++tested) {
      const int row = 3 * load_int(leaf_triangles + entry + tested);
      test_triangle(triangle_rows, row, load_float4(triangle_rows, static_cast<unsigned>(row)), ray, hit);
    }
    finished = waiting == 0 || hit.t <= t_far;
    if (!finished) {
      const Word2 top = read_word2(stack + --waiting);
      node = load_word2(nodes, top.x);
      t_near = t_far;
      t_far = bits_float(top.y);
    }
  }
  hits[index] = {hit.row < 0 ? -1 : hit.row / 3, hit.t, hit.u, hit.v};
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
