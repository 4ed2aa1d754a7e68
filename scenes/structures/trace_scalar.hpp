// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Traces single rays through the device's arrays, in single precision and without packets: the computation of one lane
/// of a traversal kernel, with its work counted. A second oracle in addition to Embree, which uses other arithmetic.

#include <cstdint>
#include <span>
#include <vector>

#include "scenes/structures/bvh.hpp"
#include "scenes/structures/grid.hpp"
#include "scenes/structures/kd_tree.hpp"

namespace reconverge::scenes {

/// Work of one ray or the sum over many.
struct TraceWork {
  std::uint64_t nodes = 0;      ///< inner nodes visited: two box tests each in a BVH, one step down in a kd-tree;
                                ///< cells of a grid
  std::uint64_t leaves = 0;     ///< leaves entered; cells that are not empty
  std::uint64_t triangles = 0;  ///< triangle tests
  int deepest_stack = 0;        ///< entries

  void add(const TraceWork& other);
};

/// The nearest hit, or any hit if `any_hit` is set. A miss has triangle -1 and t = the ray's t_max. Of two triangles at
/// exactly the same distance, the one tested first is returned.
Hit trace_scalar(const Bvh& bvh, const Ray& ray, bool any_hit = false, TraceWork* work = nullptr);

std::vector<Hit> trace_scalar(const Bvh& bvh, std::span<const Ray> rays, bool any_hit = false,
                              TraceWork* work = nullptr);

/// Traverses a kd-tree front to back with a stack of far children; a leaf ends the search if the hit is no farther than
/// its far side. All distances to planes use the same formula, so that consecutive leaves of a ray have no gap,
/// whatever the rounding. An inner node counts as one step down (the "down-traversals" from which Steffen and Zambreno
/// compute bandwidth, Table IV), whether one or both children are entered.
Hit trace_scalar(const KdTree& tree, const Ray& ray, bool any_hit = false, TraceWork* work = nullptr);

std::vector<Hit> trace_scalar(const KdTree& tree, std::span<const Ray> rays, bool any_hit = false,
                              TraceWork* work = nullptr);

/// Walks through a grid from cell to cell (Amanatides and Woo, "A fast voxel traversal algorithm for ray tracing",
/// 1987), as Purcell's streaming ray tracer does. Distances come from the planes' numbers instead of sums, so they do
/// not drift. A triangle in several cells is tested in each.
Hit trace_scalar(const Grid& grid, const Ray& ray, bool any_hit = false, TraceWork* work = nullptr);

std::vector<Hit> trace_scalar(const Grid& grid, std::span<const Ray> rays, bool any_hit = false,
                              TraceWork* work = nullptr);

/// The same answer by trying every triangle.
Hit trace_brute_force(const Mesh& mesh, const Ray& ray);

}  // namespace reconverge::scenes
