/* trace_adaptive_microkernels, except that up to `patience` lanes of a warp wait while the other lanes go on: a warp
   creates threads only if more lanes than that go to another kind of node. The DRS paper (Lü et al., MICRO 2017) does
   not say where its threads are created; this kernel shows how much of its figures depends on it. */

#include "platforms/kernels/kernels.h"
#include "platforms/kernels/ray_state.h"

namespace reconverge::kernels {

extern "C" {
__microkernel__ void trace_patient_microkernels_inner(const BvhNode*, const Float4*, const int*, const Ray*, Hit*,
                                                      unsigned, int*);
__microkernel__ void trace_patient_microkernels_leaf(const BvhNode*, const Float4*, const int*, const Ray*, Hit*,
                                                     unsigned, int*);
}

namespace {

/* Lanes that may wait. Estimate: a quarter of a warp. */
constexpr unsigned patience = 8;

#if defined(__CUDA__)
__device__ inline void spawn_at_node(unsigned at, int node) {
  asm volatile(
      "{ .reg .pred leaf, inner;\n\t"
      "setp.lt.s32 leaf, %1, 0;\n\t"
      "setp.ne.and.s32 inner, %1, %2, !leaf;\n\t"
      "@inner spawn trace_patient_microkernels_inner, %0;\n\t"
      "@leaf spawn trace_patient_microkernels_leaf, %0; }"
      :
      : "r"(at), "r"(node), "n"(traversal_done)
      : "memory");
}
#else
inline void spawn_at_node(unsigned /*at*/, int node) {
  if (node == traversal_done) return;
  spawn_at(is_inner(node) ? trace_patient_microkernels_inner : trace_patient_microkernels_leaf);
}
#endif

/* The number of lanes for which `condition` holds. */
__device__ inline unsigned lanes_with(bool condition) { return population(ballot(condition)); }

/* Traces on while at least `least` lanes go to the same kind of node. A warp of few lanes waits for none. */
__device__ inline void trace_on(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                Hit* hits, unsigned count, int* stacks, bool at_leaf) {
  const unsigned at = parent_state();
  int node = static_cast<int>(load_state_word<Place::current>(at));
  RayTest ray{};
  ray.t_min = load_state<Place::t_min>(at);
  ray.t_max = load_state<Place::nearest>(at);
  RayStack stack{stacks, count, load_state_word<Place::stack_top>(at)};
  const unsigned all = lanes_with(true);
  const unsigned least = all > patience ? all - patience : all;
  do {
    if (at_leaf) {
      load_for_triangles(at, ray);
      do {
        if (node < 0)
          node = visit_triangle(at, triangle_rows, triangle_of_row, hits, ~static_cast<unsigned>(node), ray, stack);
      } while (lanes_with(node < 0) >= least);
    } else {
      load_for_boxes(at, ray);
      do {
        if (is_inner(node)) node = visit_node(nodes, node, ray, ray.t_max, stack);
      } while (lanes_with(is_inner(node)) >= least);
    }
    at_leaf = !at_leaf;
  } while ((at_leaf ? lanes_with(node < 0) : lanes_with(is_inner(node))) >= least);
  store_place(at, node, stack);
  spawn_at_node(at, node);
}

}  // namespace

extern "C" {

__global__ void trace_patient_microkernels(const BvhNode* /*nodes*/, const Float4* /*triangle_rows*/,
                                           const int* /*triangle_of_row*/, const Ray* rays, Hit* hits, unsigned count,
                                           int* stacks) {
  const unsigned index = global_thread();
  if (index >= count) return;
  spawn_at_node(begin_ray(rays, hits, index, count, stacks), 0);
}

__microkernel__ void trace_patient_microkernels_inner(const BvhNode* nodes, const Float4* triangle_rows,
                                                      const int* triangle_of_row, const Ray* /*rays*/, Hit* hits,
                                                      unsigned count, int* stacks) {
  trace_on(nodes, triangle_rows, triangle_of_row, hits, count, stacks, false);
}

__microkernel__ void trace_patient_microkernels_leaf(const BvhNode* nodes, const Float4* triangle_rows,
                                                     const int* triangle_of_row, const Ray* /*rays*/, Hit* hits,
                                                     unsigned count, int* stacks) {
  trace_on(nodes, triangle_rows, triangle_of_row, hits, count, stacks, true);
}
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
