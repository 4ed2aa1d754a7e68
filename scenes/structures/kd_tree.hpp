// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A kd-tree over a mesh: the acceleration structure of the ray tracer that Steffen and Zambreno (MICRO 2010, section
/// VI-A) run their micro-kernels on. Planes are chosen by the surface area heuristic with split clipping, after Wald
/// and Havran, "On building fast kd-trees for ray tracing, and on doing that in O(N log N)" (2006).

#include <cstddef>
#include <vector>

#include "scenes/device_layout.h"
#include "scenes/mesh.hpp"

namespace reconverge::scenes {

/// Costs are relative to each other; the defaults are those of Wald and Havran, section 5.
struct KdOptions {
  float traversal_cost = 15.0F;     ///< of a step down, > 0
  float intersection_cost = 20.0F;  ///< of a triangle test, > 0
  float empty_bonus = 0.2F;         ///< share of the cost that a plane saves by cutting off empty space, 0 to below 1
  /// Inner nodes on the longest path, 1..64. 0: 8 + 1.3 log2 of the number of triangles, rounded, as in pbrt. That
  /// gives 31, 33 and 34 for the scenes of Steffen and Zambreno's Table III, whose trees are 36, 37 and 35 deep.
  int max_depth = 0;
  unsigned threads = 2;  ///< no influence on the result
};

/// The three arrays for the device, and their description.
struct KdTree {
  Box bounds;                           ///< the root's voxel: the mesh's box, a little larger
  std::vector<KdNode> nodes;            ///< node 0 is the root; a mesh of few triangles may have only this leaf
  std::vector<int> leaf_triangles;      ///< ascending within a leaf
  std::vector<WoopTriangle> triangles;  ///< one a triangle of the mesh, in its order
  int depth = 0;                        ///< inner nodes on the longest path: the stack needs no more entries
  std::size_t leaves = 0;
  std::size_t empty_leaves = 0;
};

/// Builds in O(n log n), with reproducible bytes. Throws InputError if the mesh is empty or an option is out of range.
KdTree build_kd_tree(const Mesh& mesh, const KdOptions& options = {});

/// Bytes of the arrays on the device.
std::size_t size_in_memory(const KdTree& tree);

/// Throws std::logic_error, naming the place, unless planes are strictly inside their voxels, so that leaves partition
/// the root's; every node is reached once and every list entry belongs to one leaf; a triangle is in every leaf whose
/// voxel it overlaps, by a test in double precision that the builder does not use, and in no leaf farther from it than
/// 2^-20 of the scene's size; a triangle in a plane is on at least one side of it; depth and counts are as recorded.
void check_kd_tree(const KdTree& tree, const Mesh& mesh);

/// Expected costs of a random ray that meets the root's voxel: sums of areas over the root's area.
struct KdQuality {
  double steps_down = 0;      ///< inner nodes
  double leaf_visits = 0;     ///< leaves that are not empty
  double triangle_tests = 0;  ///< without remembering which triangles were tested
};
KdQuality quality(const KdTree& tree);

/// Accessors of a node's fields; the device uses the same.
namespace kd {
constexpr bool is_leaf(const KdNode& node) { return (node.bits & 3U) == kd_leaf; }
constexpr std::size_t axis(const KdNode& node) { return node.bits & 3U; }
constexpr std::size_t index(const KdNode& node) { return node.bits >> 2U; }
float plane(const KdNode& node);
}  // namespace kd

}  // namespace reconverge::scenes
