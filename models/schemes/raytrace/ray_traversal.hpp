// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The traversal of one ray, without timing. It traverses the tree of scenes/device_layout.h from the root, the nearer
/// child first. No SystemC.
///
/// All floating-point operations are those of the software tracers in platforms/kernels, so that hits match bit for
/// bit.

#include <cstdint>

#include "models/kernel/extension.hpp"
#include "scenes/device_layout.h"

namespace reconverge {

/// The kinds of data that the unit fetches for a ray: MemoryFetch::purpose.
enum class TraceFetch : std::uint8_t {
  ray,         ///< 32 bytes, once
  node,        ///< 64 bytes: the boxes of both children
  triangle,    ///< 64 bytes: a triangle's three rows, and the next row, which shows whether another triangle follows
  empty_leaf,  ///< 16 bytes: the end row of a leaf without triangles
  number       ///< 4 bytes: the triangle's number, if it is requested and there is a hit
};

/// The addresses of the arrays of scenes::Bvh. `triangle_of_row` 0: the number is not requested, and `triangle` is the
/// number of the row.
struct TracedTree {
  std::uint64_t nodes = 0;
  std::uint64_t triangle_rows = 0;
  std::uint64_t triangle_of_row = 0;
};

/// Returns the nearest triangle that the ray at `ray` hits between its t_min and t_max or, with `any`, the first one
/// found. Throws std::domain_error for a tree that is deeper than 63 or has a cycle.
scenes::Hit traverse(kernel::ExtensionThread& thread, const TracedTree& tree, std::uint64_t ray, bool any);

}  // namespace reconverge
