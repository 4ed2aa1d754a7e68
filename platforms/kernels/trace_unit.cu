/* One ray a thread, traced by the traversal unit of the SM: one instruction for what trace_while_while does in three
   loops. */

#include "platforms/kernels/kernels.h"
#include "platforms/kernels/traversal_unit.h"

namespace reconverge::kernels {

extern "C" {

__global__ void trace_unit(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                           const Ray* rays, Hit* hits, unsigned count) {
  const unsigned index = global_thread();
  if (index >= count) return;
  hits[index] = trace_closest({nodes, triangle_rows, triangle_of_row}, rays + index);
}

__global__ void trace_unit_any(const BvhNode* nodes, const Float4* triangle_rows, const Ray* rays, unsigned* hits,
                               unsigned count) {
  const unsigned index = global_thread();
  if (index >= count) return;
  hits[index] = trace_any({nodes, triangle_rows, nullptr}, rays + index) ? 1U : 0U;
}
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
