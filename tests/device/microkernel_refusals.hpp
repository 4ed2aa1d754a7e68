// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The kernels that the pass cannot split into micro-kernels, with the reasons. The list makes every change visible.

#include <array>
#include <string_view>

namespace reconverge::tests {

struct RefusedKernel {
  std::string_view name;  ///< of the job
  std::string_view why;
};

inline constexpr auto refused_kernels = std::to_array<RefusedKernel>({
    {"displacement_map", "bar: a barrier"},
    {"reduce_sum", "shared memory: a micro-kernel's threads belong to no block"},
    {"tessellate_pass", "%laneid: a spawned thread is in another warp, on another lane"},
    {"tessellate_stack", "%laneid: a spawned thread is in another warp, on another lane"},
    {"trace_persistent", "%laneid: a spawned thread is in another warp, on another lane"},
    {"trace_persistent_speculative", "%laneid: a spawned thread is in another warp, on another lane"},
    {"trace_replacing", "%laneid: a spawned thread is in another warp, on another lane"},
    {"trace_replacing_speculative", "%laneid: a spawned thread is in another warp, on another lane"},
    {"trace_replacing_speculative_three_rows", "%laneid: a spawned thread is in another warp, on another lane"},
    {"trace_speculative", "vote: the lanes of a warp exchange values here"},
    {"trace_while_if", "%laneid: a spawned thread is in another warp, on another lane"},
    {"voxel_dynamic_data", "the kernel 'voxel_dynamic_data' has no divergent branch to split at"},
    {"voxel_eye_rays", "the kernel 'voxel_eye_rays' has no divergent branch to split at"},
    {"voxel_intersect", "the kernel 'voxel_intersect' has no divergent branch to split at"},
    {"voxel_shade", "the kernel 'voxel_shade' has no divergent branch to split at"},
    {"voxel_static_data", "the kernel 'voxel_static_data' has no divergent branch to split at"},
    {"voxel_traverse", "the kernel 'voxel_traverse' has no divergent branch to split at"},
    {"voxel_validate", "the kernel 'voxel_validate' has no divergent branch to split at"},
});

inline constexpr auto refused_nvcc = std::to_array<RefusedKernel>({
    {"approximations (approximations.nvcc-13.0.sm_75.ptx)",
     "the kernel 'approximations' has no divergent branch to split at"},
    {"bitonic_sort (bitonic_sort.nvcc-11.8.sm_50.ptx)", "shared memory: a micro-kernel's threads belong to no block"},
    {"breadth_first (breadth_first.nvcc-13.0.sm_90.ptx)", "shared memory: a micro-kernel's threads belong to no block"},
    {"checksum (checksum.nvcc-11.8.sm_80.ptx)", "shared memory: a micro-kernel's threads belong to no block"},
    {"cholesky (cholesky.nvcc-13.0.sm_80.ptx)", "the kernel 'cholesky' has no divergent branch to split at"},
    {"complaints (complaints.nvcc-13.0.sm_75.debug.ptx)", "call: a stack does not pass to the thread that is spawned"},
    {"dynamic_shared_memory (dynamic_shared_memory.nvcc-11.8.sm_70.ptx)",
     "shared memory: a micro-kernel's threads belong to no block"},
    {"edit_distance (edit_distance.nvcc-13.0.sm_90.debug.ptx)",
     "call: a stack does not pass to the thread that is spawned"},
    {"function_table (function_table.nvcc-13.0.sm_80.ptx)",
     "call: a stack does not pass to the thread that is spawned"},
    {"half_precision (half_precision.nvcc-13.0.sm_90.ptx)",
     "the kernel 'half_precision' has no divergent branch to split at"},
    {"histogram (histogram.nvcc-13.0.sm_90.debug.ptx)", "call: a stack does not pass to the thread that is spawned"},
    {"locks (locks.nvcc-11.8.sm_70.ptx)", "shared memory: a micro-kernel's threads belong to no block"},
    {"mandelbrot (mandelbrot.nvcc-11.8.sm_35.debug.ptx)", "call: a stack does not pass to the thread that is spawned"},
    {"matrix_multiply (matrix_multiply.nvcc-11.8.sm_35.ptx)",
     "shared memory: a micro-kernel's threads belong to no block"},
    {"module_variables (module_variables.nvcc-13.0.sm_80.ptx)", "bar: a barrier"},
    {"n_body (n_body.nvcc-13.0.sm_75.ptx)", "shared memory: a micro-kernel's threads belong to no block"},
    {"number_transform (number_transform.nvcc-11.8.sm_80.ptx)",
     "shared memory: a micro-kernel's threads belong to no block"},
    {"prefix_sum (prefix_sum.nvcc-11.8.sm_50.ptx)", "shared memory: a micro-kernel's threads belong to no block"},
    {"queens (queens.nvcc-13.0.sm_80.debug.ptx)", "call: a stack does not pass to the thread that is spawned"},
    {"quicksort (quicksort.nvcc-11.8.sm_35.ptx)", "call: a stack does not pass to the thread that is spawned"},
    {"quicksort (quicksort.nvcc-13.0.sm_75.debug.ptx)", "call: a stack does not pass to the thread that is spawned"},
    {"radix_sort (radix_sort.nvcc-13.0.sm_90.ptx)", "shared memory: a micro-kernel's threads belong to no block"},
    {"recursion (recursion.nvcc-13.0.sm_80.ptx)", "call: a stack does not pass to the thread that is spawned"},
    {"small_integers (small_integers.nvcc-13.0.sm_80.ptx)",
     "the kernel 'small_integers' has no divergent branch to split at"},
    {"stencil (stencil.nvcc-11.8.sm_80.ptx)", "shared memory: a micro-kernel's threads belong to no block"},
    {"struct_calls (struct_calls.nvcc-13.0.sm_75.ptx)", "call: a stack does not pass to the thread that is spawned"},
    {"transpose (transpose.nvcc-11.8.sm_70.debug.ptx)", "call: a stack does not pass to the thread that is spawned"},
    {"tree_walk (tree_walk.nvcc-11.8.sm_80.debug.ptx)", "call: a stack does not pass to the thread that is spawned"},
    {"tree_walk (tree_walk.nvcc-13.0.sm_90.ptx)", "call: a stack does not pass to the thread that is spawned"},
    {"virtual_shapes (virtual_shapes.nvcc-13.0.sm_90.ptx)",
     "call: a stack does not pass to the thread that is spawned"},
    {"warp_reduce (warp_reduce.nvcc-11.8.sm_70.ptx)", "shfl: the lanes of a warp exchange values here"},
    {"warp_votes (warp_votes.nvcc-13.0.sm_90.ptx)", "vote: the lanes of a warp exchange values here"},
});

}  // namespace reconverge::tests
