#pragma once
/// The two ways in which a node of a hierarchy with spatial splits is divided. Private to this library.

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "scenes/structures/sbvh.hpp"

namespace reconverge::scenes {

/// A triangle, or the part of it that a node is to hold.
struct Reference {
  Box box;
  unsigned triangle;
};

/// What a node is to be made of.
struct Part {
  std::vector<Reference> references;
  Box box;  ///< around all references
};
using Halves = std::array<Part, 2>;

/// Costs leave out the node's own.
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

  /// The best cut of the references sorted by centre along an axis; the more even one of two that cost the same. Leaves
  /// the references sorted along z. There are at least two.
  ObjectSplit find_object_split(std::vector<Reference>& references);
  static Halves split(Part part, const ObjectSplit& split);

  /// The best of the planes between 128 equal slices along each axis, by what each slice holds of each reference.
  SpatialSplit find_spatial_split(const Part& part);
  /// One half may be left without references.
  Halves split(const Part& part, const SpatialSplit& split) const;

 private:
  static constexpr std::size_t slices = 128;
  struct Slice {
    Box box;
    std::size_t enter = 0;  ///< references that begin here
    std::size_t exit = 0;   ///< that end here
  };

  void fill(std::size_t axis, const Part& part, float low, float width);
  double cost(const Box& box, std::size_t count) const;

  const Mesh& mesh_;
  double intersection_cost_;
  std::vector<Box> behind_;  ///< the union of all boxes from the i-th on
  std::array<Slice, slices> slices_;
};

}  // namespace reconverge::scenes
