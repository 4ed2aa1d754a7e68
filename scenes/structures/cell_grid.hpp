// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Divides the bounds of a mesh into cubes, to measure where its triangles are.

#include <array>
#include <cstddef>

#include "scenes/mesh.hpp"

namespace reconverge::scenes {

class CellGrid {
 public:
  /// `longest_cells` cubes along the longest side of the mesh's bounds, and as many as needed along the others.
  CellGrid(const Mesh& mesh, int longest_cells);

  std::size_t cell_count() const { return cells_[0] * cells_[1] * cells_[2]; }
  /// Share of all cells in the fullest ones that together hold half of the triangles' centroids.
  double half_volume() const;
  /// Cells that at least one triangle touches.
  std::size_t occupied() const;

 private:
  std::size_t cell_at(float offset, std::size_t axis) const;
  std::size_t index(std::size_t x, std::size_t y, std::size_t z) const { return (z * cells_[1] + y) * cells_[0] + x; }

  const Mesh& mesh_;
  Box bounds_;
  float cell_;
  std::array<std::size_t, 3> cells_;
};

}  // namespace reconverge::scenes
