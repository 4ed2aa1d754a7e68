// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A uniform grid over a mesh: the acceleration structure of Purcell's streaming ray tracer; the stream papers use
/// BrookGPU's version (Popa 2004; Lashari et al. 2007, section 5, Table 1).

#include <array>
#include <cstddef>
#include <vector>

#include "scenes/device_layout.h"
#include "scenes/mesh.hpp"

namespace reconverge::scenes {

struct GridOptions {
  /// Cells along x, y and z, each 1..4096 and 2^27 in all. {0, 0, 0}: chosen so that cells are about cubes and there
  /// are `density` of them for each triangle.
  std::array<int, 3> resolution{0, 0, 0};
  float density = 5.0F;  ///< Wald et al., "Ray tracing animated scenes using coherent grid traversal" (2006)
};

/// The data for the device: frame, first, cell_triangles, triangles.
struct Grid {
  Box bounds;  ///< the mesh's box; slightly widened along an axis without extent
  GridFrame frame{};
  std::vector<unsigned> first;          ///< one a cell and one more
  std::vector<int> cell_triangles;      ///< ascending within a cell
  std::vector<WoopTriangle> triangles;  ///< one a triangle of the mesh, in its order

  std::array<int, 3> resolution() const { return {frame.cells_x, frame.cells_y, frame.cells_z}; }
  std::size_t cells() const { return first.size() - 1; }
  std::size_t occupied_cells() const;
};

/// Lists every triangle in the cells that it shares a point with, including their faces, by a test in double precision.
/// Throws InputError if the mesh is empty or an option is out of range.
Grid build_grid(const Mesh& mesh, const GridOptions& options = {});

/// The frame of a grid of `resolution` cells of size `cell` in the box given.
GridFrame grid_frame(const Box& bounds, const std::array<int, 3>& resolution, Vec3 cell);

/// The number of the cell at these coordinates.
std::size_t cell_number(const GridFrame& frame, const std::array<int, 3>& at);

/// The box of a cell between its planes; the outermost cells extend at least to the grid's bounds.
Box cell_box(const Grid& grid, const std::array<int, 3>& at);

/// Bytes of the arrays on the device.
std::size_t size_in_memory(const Grid& grid);

/// Throws std::logic_error, naming the place, unless the lists of the cells partition the entries, each ascending;
/// every triangle is in each cell whose interior it intersects and in none farther from it than 2^-20 of the scene's
/// size; and a triangle in a plane between cells is in at least one of them.
void check_grid(const Grid& grid, const Mesh& mesh);

}  // namespace reconverge::scenes
