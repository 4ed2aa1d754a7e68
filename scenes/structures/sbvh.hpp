#pragma once
/// A bounding volume hierarchy with spatial splits (Stich, Friedrich and Dietrich, "Spatial splits in bounding volume
/// hierarchies", HPG 2009), as the kernels of Aila, Laine and Karras (NVR-2012-02) came with one. In memory it is a
/// `Bvh`, and the same kernels trace it.

#include "scenes/structures/bvh.hpp"

namespace reconverge::scenes {

/// Defaults are those of Aila, Laine and Karras.
struct SbvhOptions {
  int max_leaf_size = 8;           ///< triangles in a leaf, 1..32; only at depth 63 there may be more
  float traversal_cost = 2.0F;     ///< of a node, in the surface area heuristic
  float intersection_cost = 1.0F;  ///< of a triangle
  /// Planes are tried where the children of the best split of objects share at least this of the root's surface. Above
  /// one: nowhere.
  float split_alpha = 1e-5F;
};

/// In each node the best of splits between triangles, sorted by their centres along each axis, and of 128 planes across
/// each axis. A plane divides a triangle's box between both children, unless the triangle as a whole costs less in one
/// of them ("reference unsplitting"). A leaf has the same triangle once. The tree is 63 deep at most.
///
/// Two children that are nodes lie next to each other, and what is below the second comes before what is below the
/// first; leaves follow on the same walk. Boxes are widened as by `build_bvh`, and two builds are equal byte for byte,
/// on any machine. Throws InputError when the mesh is empty or an option is out of range.
Bvh build_sbvh(const Mesh& mesh, const SbvhOptions& options = {});

/// As `check_bvh`, but a triangle may be in several leaves, once in each: throws std::logic_error unless each of its
/// points is in a leaf that has it, within all boxes above by 7/8 of their margin.
void check_sbvh(const Bvh& bvh, const Mesh& mesh);

}  // namespace reconverge::scenes
