/* trace_microkernels, but for where threads are created: only where the rays of a warp part (Steffen and Zambreno,
   MICRO 2010, sections VI-A and IX: "by first checking if a branch would cause divergence"). A warp whose rays all go
   to an inner node next, or all to a triangle, goes on by a branch, with what changes in registers. The DRS paper's
   micro-kernels must be so (Lü et al., MICRO 2017, section 4.4): of what they execute for primary rays 2.8 to 6.3 % is
   for spawns and states, and for secondary ones 11 to 19 %. A state's node and stack are stored at a spawn, its nearest
   distance when that changes, and the rest never changes: so a warp that goes over to the other kind of node loads what
   that needs. */

#include "platforms/kernels/kernels.h"
#include "platforms/kernels/ray_state.h"

namespace reconverge::kernels {

extern "C" {
__microkernel__ void trace_adaptive_microkernels_inner(const BvhNode*, const Float4*, const int*, const Ray*, Hit*,
                                                       unsigned, int*);
__microkernel__ void trace_adaptive_microkernels_leaf(const BvhNode*, const Float4*, const int*, const Ray*, Hit*,
                                                      unsigned, int*);
}

namespace {

#if defined(__CUDA__)
__device__ inline void spawn_at_node(unsigned at, int node) {
  asm volatile(
      "{ .reg .pred leaf, inner;\n\t"
      "setp.lt.s32 leaf, %1, 0;\n\t"
      "setp.ne.and.s32 inner, %1, %2, !leaf;\n\t"
      "@inner spawn trace_adaptive_microkernels_inner, %0;\n\t"
      "@leaf spawn trace_adaptive_microkernels_leaf, %0; }"
      :
      : "r"(at), "r"(node), "n"(traversal_done)
      : "memory");
}
/* Whether all rays of the warp go to an inner node, or all to a leaf. */
__device__ inline bool all_at_inner(int node) {
  unsigned all;
  asm volatile("{ .reg .pred p;\n\tsetp.lt.u32 p, %1, %2;\n\tvote.all.pred p, p;\n\tselp.u32 %0, 1, 0, p; }"
               : "=r"(all)
               : "r"(node), "n"(traversal_done));
  return all != 0;
}
__device__ inline bool all_at_leaf(int node) {
  unsigned all;
  asm volatile("{ .reg .pred p;\n\tsetp.lt.s32 p, %1, 0;\n\tvote.all.pred p, p;\n\tselp.u32 %0, 1, 0, p; }"
               : "=r"(all)
               : "r"(node));
  return all != 0;
}
#else
inline void spawn_at_node(unsigned /*at*/, int node) {
  if (node == traversal_done) return;
  spawn_at(is_inner(node) ? trace_adaptive_microkernels_inner : trace_adaptive_microkernels_leaf);
}
inline bool all_at_inner(int node) { return is_inner(node); }
inline bool all_at_leaf(int node) { return node < 0; }
#endif

/* Traces on while the rays of the warp stay together. */
__device__ inline void trace_on(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                Hit* hits, unsigned count, int* stacks, bool at_leaf) {
  const unsigned at = parent_state();
  int node = static_cast<int>(load_state_word<Place::current>(at));
  RayTest ray{};
  ray.t_min = load_state<Place::t_min>(at);
  ray.t_max = load_state<Place::nearest>(at);
  RayStack stack{stacks, count, load_state_word<Place::stack_top>(at)};
  do {
    if (at_leaf) {
      load_for_triangles(at, ray);
      do {
        node = visit_triangle(at, triangle_rows, triangle_of_row, hits, ~static_cast<unsigned>(node), ray, stack);
      } while (all_at_leaf(node));
    } else {
      load_for_boxes(at, ray);
      do {
        node = visit_node(nodes, node, ray, ray.t_max, stack);
      } while (all_at_inner(node));
    }
    at_leaf = !at_leaf;
  } while (at_leaf ? all_at_leaf(node) : all_at_inner(node));
  store_place(at, node, stack);
  spawn_at_node(at, node);
}

}  // namespace

extern "C" {

__global__ void trace_adaptive_microkernels(const BvhNode* /*nodes*/, const Float4* /*triangle_rows*/,
                                            const int* /*triangle_of_row*/, const Ray* rays, Hit* hits, unsigned count,
                                            int* stacks) {
  const unsigned index = global_thread();
  if (index >= count) return;
  spawn_at_node(begin_ray(rays, hits, index, count, stacks), 0);
}

__microkernel__ void trace_adaptive_microkernels_inner(const BvhNode* nodes, const Float4* triangle_rows,
                                                       const int* triangle_of_row, const Ray* /*rays*/, Hit* hits,
                                                       unsigned count, int* stacks) {
  trace_on(nodes, triangle_rows, triangle_of_row, hits, count, stacks, false);
}

__microkernel__ void trace_adaptive_microkernels_leaf(const BvhNode* nodes, const Float4* triangle_rows,
                                                      const int* triangle_of_row, const Ray* /*rays*/, Hit* hits,
                                                      unsigned count, int* stacks) {
  trace_on(nodes, triangle_rows, triangle_of_row, hits, count, stacks, true);
}
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
