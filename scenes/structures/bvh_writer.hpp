// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Writes nodes and leaves in the layout of scenes/device_layout.h, for the builders of hierarchies. Private to this
/// library.

#include <array>
#include <span>

#include "scenes/structures/bvh.hpp"

namespace reconverge::scenes {

/// Children are numbers as in BvhNode: non-negative for nodes, negative for leaves. Nodes are in the order of
/// `add_node`, leaves in that of `add_leaf`; the first node is the root.
class BvhWriter {
 public:
  /// Throws InputError when the mesh has no triangles. `mesh` must outlive the writer.
  explicit BvhWriter(const Mesh& mesh);

  /// Adds a node to be set later. `depth`: inner nodes on the path from the root to it, including both.
  int add_node(int depth);

  /// Adds the mesh's triangles with these numbers, followed by the end marker. Throws InputError if there are more rows
  /// than a 32-bit index can address.
  int add_leaf(std::span<const unsigned> triangles);

  /// `boxes`: the children's boxes, not yet widened.
  void set_node(int node, const std::array<Box, 2>& boxes, const std::array<int, 2>& children);

  /// For a mesh with one leaf: the root is still an inner node; its other child is an empty leaf with the same box.
  void add_only_leaf(std::span<const unsigned> triangles);

  /// The hierarchy, closed by the spare rows.
  Bvh take();

 private:
  void add_end();

  const Mesh& mesh_;
  Bvh bvh_;
  float margin_;
};

}  // namespace reconverge::scenes
