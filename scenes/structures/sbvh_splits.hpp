// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The two kinds of split of a node with spatial splits. Private to this library.

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "scenes/structures/sbvh.hpp"

namespace reconverge::scenes {

/// A triangle, or the part of it for a node.
struct Reference {
  Box box;
  unsigned triangle;
};

/// The references that a node is made from.
struct Part {
  std::vector<Reference> references;
  Box box;  ///< bounds of all references
};
using Halves = std::array<Part, 2>;

/// Costs exclude the node's own.
struct ObjectSplit {
  double cost = std::numeric_limits<double>::infinity();
  std::size_t axis = 0;
  std::size_t first_count = 0;  ///< references of the first child, sorted along the axis
  std::array<Box, 2> boxes;
};

struct SpatialSplit {
  double cost = std::numeric_limits<double>::infinity();
  std::size_t axis = 0;
  float plane = 0.0F;
};

/// Finds and makes splits by the surface area heuristic, a triangle costing `intersection_cost` times half the surface
/// of its node.
class SplitFinder {
 public:
  SplitFinder(const Mesh& mesh, double intersection_cost);

  /// The best split of the references sorted by centre along an axis; the more even one at equal cost. Leaves the
  /// references sorted along z. There must be at least two.
  ObjectSplit find_object_split(std::vector<Reference>& references);
  static Halves split(Part part, const ObjectSplit& split);

  /// The best of the planes between 128 equal slices along each axis, by the bounds of each reference in each slice.
  SpatialSplit find_spatial_split(const Part& part);
  /// One half may be empty.
  Halves split(const Part& part, const SpatialSplit& split) const;

 private:
  static constexpr std::size_t slices = 128;
  struct Slice {
    Box box;
    std::size_t enter = 0;  ///< references that begin here
    std::size_t exit = 0;   ///< references that end here
  };

  void fill(std::size_t axis, const Part& part, float low, float width);
  double cost(const Box& box, std::size_t count) const;

  const Mesh& mesh_;
  double intersection_cost_;
  std::vector<Box> behind_;  ///< the union of all boxes from the i-th on
  std::array<Slice, slices> slices_;
};

}  // namespace reconverge::scenes
