// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A bounding volume hierarchy with spatial splits (Stich, Friedrich and Dietrich, "Spatial splits in bounding volume
/// hierarchies", HPG 2009), as the kernels of Aila, Laine and Karras (NVR-2012-02) came with one. In memory it is a
/// `Bvh`, and the same kernels trace it.

#include "scenes/structures/bvh.hpp"

namespace reconverge::scenes {

/// Defaults are those of Aila, Laine and Karras.
struct SbvhOptions {
  int max_leaf_size = 8;           ///< triangles in a leaf, 1..32; more only at depth 63
  float traversal_cost = 2.0F;     ///< of a node, in the surface area heuristic
  float intersection_cost = 1.0F;  ///< of a triangle
  /// Planes are tried if the children of the best object split overlap by at least this share of the root's surface.
  /// Above one: never.
  float split_alpha = 1e-5F;
};

/// Each node uses the best of the splits between triangles, sorted by centre along each axis, and of 128 planes across
/// each axis. A plane divides a triangle's box between both children, unless the whole triangle costs less in one of
/// them ("reference unsplitting"). A leaf has each triangle at most once. The tree is at most 63 deep.
///
/// Two children that are nodes are adjacent, and the subtree of the second comes before that of the first; leaves
/// follow the same order. Boxes are widened as by `build_bvh`, and two builds are equal byte for byte, on any machine.
/// Throws InputError if the mesh is empty or an option is out of range.
Bvh build_sbvh(const Mesh& mesh, const SbvhOptions& options = {});

/// As `check_bvh`, but a triangle may be in several leaves, once in each: throws std::logic_error unless each of its
/// points is in a leaf that has it, within all boxes above by 7/8 of their margin.
void check_sbvh(const Bvh& bvh, const Mesh& mesh);

}  // namespace reconverge::scenes
