#pragma once
/// What the traversal unit does with one ray, with no time in it: the tree of scenes/device_layout.h from its root, the
/// nearer child first. No SystemC.
///
/// Each float is computed as the software tracers of testbenches/kernels do, so that hits are theirs bit for bit.

#include <cstdint>

#include "models/kernel/extension.hpp"
#include "scenes/device_layout.h"

namespace reconverge {

/// What the unit fetches for a ray: MemoryFetch::purpose.
enum class TraceFetch : std::uint8_t {
  ray,         ///< 32 bytes, once
  node,        ///< 64 bytes: the boxes of both children
  triangle,    ///< 64 bytes: a triangle's three rows, and the row behind them, which tells whether another follows
  empty_leaf,  ///< 16 bytes: the row behind the triangles of a leaf that has none
  number       ///< 4 bytes: the triangle's number, where it is asked for and there is one
};

/// Where the arrays of scenes::Bvh lie. `triangle_of_row` 0: nobody asks for the number, and `triangle` is that of the
/// row then.
struct TracedTree {
  std::uint64_t nodes = 0;
  std::uint64_t triangle_rows = 0;
  std::uint64_t triangle_of_row = 0;
};

/// Of the triangles that the ray at `ray` meets between its t_min and t_max: the nearest, or (`any`) the first that is
/// found. Throws std::domain_error for a tree that is deeper than 63, or has a circle.
scenes::Hit traverse(kernel::ExtensionThread& thread, const TracedTree& tree, std::uint64_t ray, bool any);

}  // namespace reconverge
