#pragma once
/// Nodes and leaves into the layout of scenes/device_layout.h, for the builders of hierarchies. Private to this
/// library.

#include <array>
#include <span>

#include "scenes/structures/bvh.hpp"

namespace reconverge::scenes {

/// Children are numbers as in BvhNode: nodes from zero up, leaves below zero. Nodes lie in the order of `add_node`,
/// leaves in that of `add_leaf`; the first node is the root.
class BvhWriter {
 public:
  /// Throws InputError when the mesh has no triangles. `mesh` must outlive the writer.
  explicit BvhWriter(const Mesh& mesh);

  /// A node still to be set, with `depth` inner nodes on the way from the root to it, itself and the root counted.
  int add_node(int depth);

  /// The mesh's triangles with these numbers, closed by the end marker. Throws InputError when the rows are more than
  /// a 32-bit index reaches.
  int add_leaf(std::span<const unsigned> triangles);

  /// The boxes are those of the children, not widened yet.
  void set_node(int node, const std::array<Box, 2>& boxes, const std::array<int, 2>& children);

  /// For a mesh that is one leaf: the root still is an inner node; its other child is an empty leaf in the same box.
  void add_only_leaf(std::span<const unsigned> triangles);

  Bvh take() { return std::move(bvh_); }

 private:
  const Mesh& mesh_;
  Bvh bvh_;
  float margin_;
};

}  // namespace reconverge::scenes
