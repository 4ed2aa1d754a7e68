/* trace_while_while as dynamic micro-kernels (Steffen and Zambreno, MICRO 2010), as the DRS paper compares with (Lü et
   al., MICRO 2017, sections 4.4 and 4.5): without its three loops, and with a state of 17 words. Each round is a thread
   of its own, at one of two micro-kernels: an inner node, or one triangle of a leaf. Both take the next node off the
   stack where a subtree ends.
   States of 68 bytes lie at multiples of four, so words are moved one by one; a micro-kernel loads those that it needs,
   and stores those that it changes. The arithmetic is that of trace_while_while, and so is every hit, bit for bit.
   Hits are written when they are found, a miss at the beginning. Stacks are in memory of the host's, in entries that
   lie side by side for neighbouring rays. */

#include "platforms/kernels/kernels.h"
#include "platforms/kernels/ray_state.h"

namespace reconverge::kernels {

extern "C" {
__microkernel__ void trace_microkernels_inner(const BvhNode*, const Float4*, const int*, const Ray*, Hit*, unsigned,
                                              int*);
__microkernel__ void trace_microkernels_leaf(const BvhNode*, const Float4*, const int*, const Ray*, Hit*, unsigned,
                                             int*);
}

namespace {

/* A thread that goes on at the node, but none behind the last. */
#if defined(__CUDA__)
__device__ inline void spawn_at_node(unsigned at, int node) {
  asm volatile(
      "{ .reg .pred leaf, inner;\n\t"
      "setp.lt.s32 leaf, %1, 0;\n\t"
      "setp.ne.and.s32 inner, %1, %2, !leaf;\n\t"
      "@inner spawn trace_microkernels_inner, %0;\n\t"
      "@leaf spawn trace_microkernels_leaf, %0; }"
      :
      : "r"(at), "r"(node), "n"(traversal_done)
      : "memory");
}
#else
inline void spawn_at_node(unsigned /*at*/, int node) {
  if (node == traversal_done) return;
  spawn_at(is_inner(node) ? trace_microkernels_inner : trace_microkernels_leaf);
}
#endif

__device__ inline void go_on(unsigned at, int node, const RayStack& stack) {
  store_place(at, node, stack);
  spawn_at_node(at, node);
}

}  // namespace

extern "C" {

__global__ void trace_microkernels(const BvhNode* /*nodes*/, const Float4* /*triangle_rows*/,
                                   const int* /*triangle_of_row*/, const Ray* rays, Hit* hits, unsigned count,
                                   int* stacks) {
  const unsigned index = global_thread();
  if (index >= count) return;
  spawn_at_node(begin_ray(rays, hits, index, count, stacks), 0);
}

__microkernel__ void trace_microkernels_inner(const BvhNode* nodes, const Float4* /*triangle_rows*/,
                                              const int* /*triangle_of_row*/, const Ray* /*rays*/, Hit* /*hits*/,
                                              unsigned count, int* stacks) {
  const unsigned at = parent_state();
  const int node = static_cast<int>(load_state_word<Place::current>(at));
  RayTest ray{};
  load_for_boxes(at, ray);
  ray.t_min = load_state<Place::t_min>(at);
  const float t = load_state<Place::nearest>(at);
  RayStack stack{stacks, count, load_state_word<Place::stack_top>(at)};
  const int next = visit_node(nodes, node, ray, t, stack);
  go_on(at, next, stack);
}

__microkernel__ void trace_microkernels_leaf(const BvhNode* /*nodes*/, const Float4* triangle_rows,
                                             const int* triangle_of_row, const Ray* /*rays*/, Hit* hits, unsigned count,
                                             int* stacks) {
  const unsigned at = parent_state();
  const unsigned row = ~load_state_word<Place::current>(at);
  RayTest ray{};
  load_for_triangles(at, ray);
  ray.t_min = load_state<Place::t_min>(at);
  ray.t_max = load_state<Place::nearest>(at);
  RayStack stack{stacks, count, load_state_word<Place::stack_top>(at)};
  const int next = visit_triangle(at, triangle_rows, triangle_of_row, hits, row, ray, stack);
  go_on(at, next, stack);
}
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
