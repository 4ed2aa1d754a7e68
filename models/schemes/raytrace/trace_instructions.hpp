// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The instructions for the traversal unit. No SystemC.

#include <span>

#include "models/kernel/extension.hpp"

namespace reconverge {

/// - `trace.closest.f32 t, u, v, triangle, nodes, triangle_rows, triangle_of_row, ray;` gives the nearest hit of a ray:
///   three .f32 and the triangle's number, .s32. If there is no hit between the ray's t_min and t_max, the results are
///   t_max, 0, 0 and -1.
/// - `trace.any.u32 hit, nodes, triangle_rows, ray;` gives 1 if there is any hit between t_min and t_max, else 0. The
///   traversal stops at the first hit.
///
/// Sources are .u64: the arrays of scenes::Bvh in global memory, and the generic address of a scenes::Ray in global
/// memory or in the thread's local memory.
std::span<const kernel::ExtensionInstruction> trace_instructions();

}  // namespace reconverge
