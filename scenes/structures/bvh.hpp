// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A bounding volume hierarchy in the layout that the traversal kernels read: two-child nodes that hold both
/// children's boxes, leaves as runs of Woop triangles closed by an end marker (Aila, Laine and Karras, NVR-2012-02).

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scenes/device_layout.h"
#include "scenes/mesh.hpp"

namespace reconverge::scenes {

/// 16 bytes of the triangle array: one row of a WoopTriangle, or a leaf's end marker.
struct alignas(16) TriangleRow {
  float x, y, z, w;
};

struct BvhOptions {
  int max_leaf_size = 8;           ///< triangles in a leaf, 1..32
  float traversal_cost = 1.0F;     ///< of a node, in the surface area heuristic
  float intersection_cost = 1.0F;  ///< of a triangle
};

/// The three arrays for the device, and their description. With spatial splits (sbvh.hpp) a triangle may be in several
/// leaves.
struct Bvh {
  std::vector<BvhNode> nodes;        ///< node 0 is the root and is always an inner node
  std::vector<TriangleRow> rows;     ///< leaves: three rows a triangle, then one end marker; then `spare_rows`
  std::vector<int> triangle_of_row;  ///< parallel to `rows`: the mesh's triangle at its first row, -1 elsewhere
  int depth = 0;                     ///< inner nodes on the longest path: the traversal stack needs no more entries
  std::size_t leaves = 0;
};

/// The margin by which all boxes are widened, 2^-20 of the scene's largest coordinate. It covers the rounding of `lo *
/// idir - o * idir` for rays that start within a few scene sizes, so that no ray misses the box of a triangle that it
/// hits.
float bvh_margin(const Mesh& mesh);

/// Builds with Embree's binned surface area heuristic on one thread, so that two builds are equal byte for byte.
/// Throws InputError when the mesh is empty or an option is out of range.
Bvh build_bvh(const Mesh& mesh, const BvhOptions& options = {});

/// The affine map of the triangle with these corners to the unit triangle, computed in double precision.
WoopTriangle woop_triangle(const std::array<Vec3, 3>& corners);

/// Number of triangle references in leaves.
std::size_t references(const Bvh& bvh);
/// Bytes of the arrays on the device.
std::size_t size_in_memory(const Bvh& bvh);

/// Throws std::logic_error, naming the place, unless every node and every triangle is reached exactly once, each
/// box holds the triangles below it, every leaf is closed and every row is what `woop_triangle` gives.
void check_bvh(const Bvh& bvh, const Mesh& mesh);

/// Expected costs of a random ray that meets the root box: sum of box areas over the root's area.
struct BvhQuality {
  double node_visits = 0;
  double triangle_tests = 0;
};
BvhQuality quality(const Bvh& bvh);

}  // namespace reconverge::scenes
